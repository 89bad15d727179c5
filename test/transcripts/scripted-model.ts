/** A model that follows a script: one list of parts per request. `wait` holds until the request is aborted. */
import type { ModelPart, ModelPort, ModelRequest } from '../../src/server/models/model-port.ts';

export type ScriptedPart = ModelPart | { readonly kind: 'wait' } | { readonly kind: 'fail'; readonly error: Error };

export interface ScriptedModel extends ModelPort {
	readonly requests: readonly ModelRequest[];
}

const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 0, estimated: false };

export function text(words: string): ScriptedPart[] {
	return [...words.split(/(?<= )/).map((word) => ({ kind: 'textDelta' as const, text: word })), { kind: 'textEnd' }];
}

export function call(tool: string, input: unknown, callId = `call_${tool}`): ScriptedPart {
	return { kind: 'toolCall', callId, tool, inputText: typeof input === 'string' ? input : JSON.stringify(input) };
}

export function scriptedModel(answers: readonly (readonly ScriptedPart[])[], contextWindow = 200_000): ScriptedModel {
	const requests: ModelRequest[] = [];
	return {
		id: 'test/scripted',
		contextWindow,
		requests,
		async *stream(request, signal) {
			// What was asked then, not what the caller makes of its list later.
			requests.push(structuredClone(request));
			for (const part of answers[requests.length - 1] ?? text('The script has ended.')) {
				signal.throwIfAborted();
				if (part.kind === 'wait') {
					await aborted(signal);
				} else if (part.kind === 'fail') {
					throw part.error;
				} else {
					yield part;
				}
			}
			const parts = answers[requests.length - 1] ?? [];
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
