/** Sends a request beside the conversation and collects the model's answer as one text. */
import type { ModelPort, ModelRequest, ModelUsage } from '../models/model-port.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import { type RequestPurpose, withTracedRequests } from './traced-requests.ts';

interface ModelTextRequest {
	readonly purpose: RequestPurpose;
	/** From then on another model cannot take over. */
	onOutput(): void;
	/** Each answer costs, also one that is of no use. */
	onUsage(usage: ModelUsage, model: ModelPort): void;
	readonly beginStep: BeginStep | undefined;
}

/** Rejects as the request does. */
export async function requestModelText(
	model: ModelPort,
	request: ModelRequest,
	{ purpose, onOutput, onUsage, beginStep }: ModelTextRequest,
	signal: AbortSignal,
): Promise<string> {
	let text = '';
	for await (const part of withTracedRequests(model, purpose, beginStep).stream(request, signal)) {
		if (part.kind === 'textDelta') {
			onOutput();
			text += part.text;
		} else if (part.kind === 'finish') {
			onUsage(part.usage, model);
		}
	}
	return text;
}
