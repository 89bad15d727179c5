/**
 * Model for a user without a model: a script for the sample workspace, labelled as one. The tool calls of the tour are
 * real and pass the gate like a model's; its next words follow from their results. Deterministic: the same history
 * gives the same answer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { toolName } from '../../../protocol/op-table/op-tool.ts';
import { modelLimits } from '../limits.ts';
import type { ModelPart, ModelPort, ModelRequest } from '../model-port.ts';
import { nextAnswer } from './tour-script.ts';
import { readTurn, type TourCall, tourCallId } from './tour-turn.ts';

export const TOUR_MODEL_ID = 'tour/sample';

interface TourOptions {
	/** Names of what could be connected instead; asked for only when the tour has no answer. */
	readonly discover: (signal: AbortSignal) => Promise<readonly string[]>;
	/** Between two pieces of text, so that it can be read as it comes; 0 in tests. */
	readonly paceMs?: number;
}

export function createTour({ discover, paceMs = modelLimits.tourPaceMs }: TourOptions): ModelPort {
	return {
		id: TOUR_MODEL_ID,
		contextWindow: modelLimits.defaultContextWindow,
		isScripted: true,
		async *stream(request, signal) {
			signal.throwIfAborted();
			const { text, calls, offersModel } = nextAnswer(readTurn(request));
			for (const piece of splitTourText(text)) {
				yield { kind: 'textDelta', text: piece };
				await pauseTour(paceMs, signal);
			}
			if (text !== '') {
				yield { kind: 'textEnd' };
			}
			for (const call of calls) {
				yield toolCall(call, request);
			}
			if (offersModel !== undefined) {
				const offer = offersModel === 'work' ? tourEnd : tourNotice;
				yield { kind: 'offer', action: 'connectModel', text: offer(await discover(signal)) };
			}
			const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, estimated: false };
			yield { kind: 'finish', reason: 'stop', usage };
		},
	};
}

/** The sentence beside *Connect a Model*. */
export function tourNotice(found: readonly string[]): string {
	return found.length === 0
		? "Connect a model to get an answer: use a provider's API key or a local model server."
		: `Connect a model to get an answer. Found here: ${found.join('; ')}.`;
}

/** The same after the tour has come to its end. */
export function tourEnd(found: readonly string[]): string {
	return found.length === 0
		? "Connect a model to begin: use a provider's API key or a local model server."
		: `Connect a model to begin. Found here: ${found.join('; ')}.`;
}

function toolCall({ label, op, input }: TourCall, { messages }: ModelRequest): ModelPart {
	return {
		kind: 'toolCall',
		callId: tourCallId(label, messages.length),
		tool: toolName(op),
		inputText: JSON.stringify(input),
	};
}

/** A few words each. */
function splitTourText(text: string): readonly string[] {
	return text.match(/(\S+\s*){1,3}|\s+/g) ?? [];
}

async function pauseTour(ms: number, signal: AbortSignal): Promise<void> {
	if (ms > 0) {
		try {
			await delay(ms, undefined, { signal });
		} catch {
			// Only the abort ends it early; the next line says so.
		}
	}
	signal.throwIfAborted();
}
