/** Tells what each request of a running capability has used, whichever model answered it. */
import type { ModelLine } from '../models/failover/model-line.ts';
import type { ModelPart, ModelPort, ModelUsage } from '../models/model-port.ts';

export type OnSpent = (usage: ModelUsage, model: ModelPort) => void;

export function countedRequests(line: ModelLine, onSpent: OnSpent): ModelLine {
	return line.with((model) => ({
		...model,
		stream: (request, signal) => streamCounted(model.stream(request, signal), (usage) => onSpent(usage, model)),
	}));
}

async function* streamCounted(
	parts: AsyncIterable<ModelPart>,
	onSpent: (usage: ModelUsage) => void,
): AsyncGenerator<ModelPart> {
	for await (const part of parts) {
		if (part.kind === 'finish') {
			onSpent(part.usage);
		}
		yield part;
	}
}
