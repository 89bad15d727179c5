/**
 * The wire between host and server while a turn is recorded: what passes is noted as it passes, and nothing else is
 * changed. Keys never are: the requests that carry them are left out, and a replay has no use for them.
 */
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { isWireError, type Wire } from '../../protocol/rpc/wire.ts';
import type { Step, StepError } from './cassette.ts';
import { KEY_METHODS, methods, TAPE_METHODS } from './methods.ts';

type StepWithoutTime = Step extends infer S ? (S extends Step ? Omit<S, 'at'> : never) : never;

/** `onStep` hears of each step in its order. */
export function recordWire(wire: Wire, onStep: (step: Step) => void): Wire {
	let calls = 0;
	let asks = 0;
	const noteStep = (step: StepWithoutTime) => {
		onStep({ at: Date.now(), ...step } as Step);
	};
	const answers = new JoinedAnswers((answer, heard) => {
		asks += 1;
		noteStep({ k: 'asked', n: asks, method: methods.heard, params: { answer } });
		noteStep({ k: 'answered', n: asks, result: heard });
	});
	for (const method of TAPE_METHODS) {
		wire.onNotification(method, (params) => {
			if (method === methods.heard) {
				const { answer, heard } = params as { readonly answer: number; readonly heard: unknown };
				answers.heard(answer, heard);
				return;
			}
			const { asked, result } = params as { readonly asked: unknown; readonly result: unknown };
			asks += 1;
			noteStep({ k: 'asked', n: asks, method, params: asked });
			noteStep({ k: 'answered', n: asks, result });
		});
	}
	return {
		async sendRequest(method, params, signal) {
			calls += 1;
			const n = calls;
			if (method === methods.stop) answers.flush();
			noteStep({ k: 'call', n, method, params });
			const noteCancel = () => {
				answers.flush();
				noteStep({ k: 'cancel', n });
			};
			signal.addEventListener('abort', noteCancel, { once: true });
			try {
				const result = await wire.sendRequest(method, params, signal);
				noteStep({ k: 'answer', n, result });
				return result;
			} catch (error) {
				if (!signal.aborted) noteStep({ k: 'answer', n, error: toStepError(error) });
				throw error;
			} finally {
				signal.removeEventListener('abort', noteCancel);
			}
		},
		sendNotification(method, params) {
			noteStep({ k: 'tell', method, params });
			wire.sendNotification(method, params);
		},
		onRequest: (method, handler) =>
			KEY_METHODS.has(method)
				? wire.onRequest(method, handler)
				: wire.onRequest(method, async (params, signal) => {
						asks += 1;
						const n = asks;
						noteStep({ k: 'asked', n, method, params });
						const noteWithdrawal = () => {
							noteStep({ k: 'withdrawn', n });
						};
						signal.addEventListener('abort', noteWithdrawal, { once: true });
						try {
							const result = await handler(params, signal);
							noteStep({ k: 'answered', n, result });
							return result;
						} catch (error) {
							noteStep({ k: 'answered', n, error: toStepError(error) });
							throw error;
						} finally {
							signal.removeEventListener('abort', noteWithdrawal);
						}
					}),
		onNotification: (method, handler) =>
			wire.onNotification(method, (params) => {
				for (const ended of readTurnEnds(method, params)) noteStep({ k: 'told', method, params: ended });
				handler(params);
			}),
	};
}

/** The ends of turns in a notification of the server: what a host does then comes after them in a replay, too. */
export function readTurnEnds(method: string, params: unknown): unknown[] {
	if (method !== methods.update) return [];
	const { threadId, events } = params as { readonly threadId: string; readonly events: readonly ThreadEvent[] };
	return events.flatMap((event) =>
		event.type === 'turn.end' ? [{ threadId, turnId: event.turnId, outcome: event.outcome }] : [],
	);
}

export function toStepError(error: unknown): StepError {
	return isWireError(error)
		? { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) }
		: { code: 0, message: String(error) };
}

/**
 * Joins the pieces of a text as a model streams it. A secret may be cut in two by pieces, and is only found in the whole
 * text. Pieces from before a stop are noted before it.
 */
class JoinedAnswers {
	readonly #open = new Map<number, { kind: string; text: string }>();
	readonly #onHeard: (answer: number, heard: unknown) => void;

	constructor(onHeard: (answer: number, heard: unknown) => void) {
		this.#onHeard = onHeard;
	}

	heard(answer: number, heard: unknown): void {
		const { part } = heard as { readonly part?: { readonly kind?: unknown; readonly text?: unknown } };
		const { kind, text } = part ?? {};
		if ((kind === 'textDelta' || kind === 'thinkingDelta') && typeof text === 'string') {
			const open = this.#open.get(answer);
			if (open?.kind === kind) open.text += text;
			else {
				this.#flushOne(answer);
				this.#open.set(answer, { kind, text });
			}
			return;
		}
		this.#flushOne(answer);
		this.#onHeard(answer, heard);
	}

	flush(): void {
		for (const answer of [...this.#open.keys()]) this.#flushOne(answer);
	}

	#flushOne(answer: number): void {
		const part = this.#open.get(answer);
		if (part === undefined) return;
		this.#open.delete(answer);
		this.#onHeard(answer, { part });
	}
}
