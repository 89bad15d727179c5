/** A model that follows a script: one list of parts per request. `wait` holds until the request is aborted, or until what it names. */
import type { ModelPart, ModelPort, ModelRequest } from '../../src/server/models/model-port.ts';

export type ScriptedPart = ModelPart | { readonly kind: 'wait'; readonly until?: Promise<void> } | { readonly kind: 'fail'; readonly error: Error };

export interface ScriptedModel extends ModelPort {
	readonly requests: readonly ModelRequest[];
	/** Requests for a summary of older messages, which the script does not count. */
	readonly summaries: readonly ModelRequest[];
	/** Requests to check the work of a turn, not counted either. */
	readonly checks: readonly ModelRequest[];
}

const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 0, estimated: false };

export function text(words: string): ScriptedPart[] {
	return [...words.split(/(?<= )/).map((word) => ({ kind: 'textDelta' as const, text: word })), { kind: 'textEnd' }];
}

export function call(tool: string, input: unknown, callId = `call_${tool}`): ScriptedPart {
	return { kind: 'toolCall', callId, tool, inputText: typeof input === 'string' ? input : JSON.stringify(input) };
}

/** `summary`: its answer when it is asked for a summary; default: it gives none. `judged`: what it says of a turn's work, one after another. */
export function scriptedModel(
	answers: readonly (readonly ScriptedPart[])[],
	contextWindow = 200_000,
	summary: readonly ScriptedPart[] = [],
	judged: readonly (readonly ScriptedPart[])[] = [],
): ScriptedModel {
	const requests: ModelRequest[] = [];
	const summaries: ModelRequest[] = [];
	const checks: ModelRequest[] = [];
	return {
		id: 'test/scripted',
		contextWindow,
		requests,
		summaries,
		checks,
		async *stream(request, signal) {
			const isSummary = request.system.startsWith('You summarize');
			const isCheck = request.system.startsWith('You check');
			const asked = isSummary ? summaries : isCheck ? checks : requests;
			// Clones the request, because the caller may change its list later.
			asked.push(structuredClone(request));
			const other = isCheck ? judged[checks.length - 1] : answers[requests.length - 1];
			const parts = isSummary ? summary : (other ?? text('The script has ended.'));
			for (const part of parts) {
				signal.throwIfAborted();
				if (part.kind === 'wait') {
					await Promise.race([aborted(signal), ...(part.until === undefined ? [] : [part.until])]);
				} else if (part.kind === 'fail') {
					throw part.error;
				} else {
					yield part;
				}
			}
			if (!parts.some((part) => part.kind === 'finish')) {
				yield { kind: 'finish', reason: 'stop', usage };
			}
		},
	};
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
}
