/** Traces as the extension tells its page of them, whole: turns that a spec sets. */
import { newId } from '../../../src/protocol/rpc/ids.ts';
import type { ShownTrace } from '../../../src/protocol/pages/trace-page.ts';
import { ProwessError } from '../../../src/protocol/errors/errors.ts';
import type { ReplayedTurn } from '../../../src/protocol/turn/replayed-turn.ts';
import type { TurnTrace } from '../../../src/protocol/thread/turn-trace.ts';

export class FakeTraces {
	shown: ShownTrace = { threadId: newId('thr'), turnId: null };
	/** Newest first. */
	turns: TurnTrace[] = [];
	/** End of a replay; `waits`: it goes on until it is stopped; undefined: nothing is recorded. */
	replayed: ReplayedTurn | 'waits' | undefined;
	/** True once a replay was stopped. */
	isReplayStopped = false;

	read({ turnId }: ShownTrace) {
		const trace = this.turns.find((turn) => turn.turnId === turnId) ?? this.turns[0] ?? null;
		return { turns: this.turns, trace };
	}

	async replay(signal: AbortSignal): Promise<ReplayedTurn> {
		if (this.replayed === undefined) throw new ProwessError('NOT_FOUND', 'there is no recording');
		if (this.replayed !== 'waits') return this.replayed;
		const stopped = Promise.withResolvers<never>();
		signal.addEventListener('abort', () => {
			this.isReplayStopped = true;
			stopped.reject(signal.reason);
		});
		return await stopped.promise;
	}
}

/** Second of the turn, as a time. */
export function second(seconds: number): string {
	return new Date(Date.UTC(2026, 10, 20, 12) + seconds * 1000).toISOString();
}

export function tracedTurn(given: Partial<TurnTrace> = {}): TurnTrace {
	const stage = (name: string, at: number, durationMs: number, outcome = 'ok', facts: Record<string, unknown> = {}) => {
		return { stage: name, startedAt: second(at), durationMs, outcome, facts };
	};
	return {
		turnId: newId('trn'),
		threadId: newId('thr'),
		tokens: { input: 0, output: 0 },
		modelId: 'test/scripted',
		status: 'done',
		startedAt: second(0),
		endedAt: second(4),
		fallbackAttempts: 0,
		stages: [
			stage('AuthResolve', 0, 5, 'ok', { model: 'test/scripted' }),
			stage('Execute', 0.1, 3_800, 'ok', {
				kind: 'done',
				requests: 2,
				inputTokens: 1_220,
				outputTokens: 15,
				cost: 0.25,
			}),
			stage('FailoverDecide', 3.9, 1, 'ok', { outcome: 'done' }),
		],
		items: [
			{ ...request(0.2, 1_000), inputTokens: 1_000, outputTokens: 10 },
			{ at: second(1.3), kind: 'tool', text: 'Read src/cart.ts', opId: newId('op'), status: 'done', durationMs: 12 },
			{ at: second(1.4), kind: 'guard', text: 'Read src/cart.ts', status: 'warn' },
			{ ...request(1.5, 900), purpose: 'summary' },
			{ at: second(2.5), kind: 'compaction', text: '12 older messages left', messages: 12 },
			{ at: second(2.6), kind: 'tool', text: 'Read b.ts', opId: newId('op'), status: 'failed', error: 'NOT_FOUND' },
			{ ...request(2.7, 1_000), inputTokens: 220, outputTokens: 5 },
		],
		...given,
	};
}

function request(at: number, durationMs: number): TurnTrace['items'][number] {
	return { at: second(at), kind: 'request', text: 'Request', model: 'test/scripted', status: 'ok', durationMs };
}
