/** A model whose requests beside the conversation stand in the trace of the turn: those of summaries, of checks and of running capabilities. */
import type { ModelPart, ModelPort, ModelUsage } from '../models/model-port.ts';
import { computeRequestCost } from '../models/windows/prices.ts';
import { type BeginStep, readErrorCode } from '../turn/stage-trace.ts';

/** Purpose of a request that is not the turn itself. */
export type RequestPurpose = 'summary' | 'capability' | 'check';

export function withTracedRequests(
	model: ModelPort,
	purpose: RequestPurpose,
	beginStep: BeginStep | undefined,
): ModelPort {
	return beginStep === undefined
		? model
		: {
				...model,
				stream: (request, signal) =>
					streamTraced(() => model.stream(request, signal), model, purpose, beginStep, signal),
			};
}

async function* streamTraced(
	stream: () => AsyncIterable<ModelPart>,
	model: ModelPort,
	purpose: string,
	beginStep: BeginStep,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	const end = beginStep('Request', { model: model.id, purpose });
	let used: ReturnType<typeof tracedUsage> = {};
	// A reader that reads no further has stopped the request.
	let outcome = 'stopped';
	try {
		for await (const part of stream()) {
			if (part.kind === 'finish') {
				used = tracedUsage(part.usage, model);
				outcome = 'ok';
			}
			yield part;
		}
		outcome = 'ok';
	} catch (error) {
		outcome = signal.aborted ? 'stopped' : readErrorCode(error);
		throw error;
	} finally {
		end(outcome, used);
	}
}

/** Returns the tokens that a request has used, and the cost when the model's price is known. */
export function tracedUsage(
	usage: ModelUsage | undefined,
	{ price }: Pick<ModelPort, 'price'>,
): Readonly<Record<string, number>> {
	if (usage === undefined) {
		return {};
	}
	const { inputTokens, outputTokens, cachedInputTokens } = usage;
	return {
		inputTokens,
		outputTokens,
		...(cachedInputTokens > 0 && { cachedInputTokens }),
		...(price !== undefined && { cost: computeRequestCost(usage, price) }),
	};
}
