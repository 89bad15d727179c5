import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnTrace } from '../../protocol/thread/turn-trace.ts';
import { computeBar, createTimeline, usedIn } from './timeline.ts';

const AT = '2026-11-20T12:00:0';

function trace(given: Partial<TurnTrace>): TurnTrace {
	return {
		turnId: 'trn_1',
		threadId: 'thr_1',
		modelId: 'test/m',
		status: 'done',
		startedAt: `${AT}0.000Z`,
		endedAt: `${AT}4.000Z`,
		fallbackAttempts: 0,
		stages: [],
		items: [],
		...given,
	} as TurnTrace;
}

const stage = (name: string, second: number, durationMs: number, facts: Record<string, unknown> = {}) => ({
	stage: name,
	startedAt: `${AT}${second}.000Z`,
	durationMs,
	outcome: 'ok',
	facts,
});
const request = (second: number, given: object = {}) => ({
	kind: 'request' as const,
	at: `${AT}${second}.000Z`,
	text: 'Request',
	...given,
});

describe('The timeline of a trace', () => {
	it('has what happened below the stage that did the work', () => {
		const { rows, spanMs } = createTimeline(
			trace({
				stages: [stage('AuthResolve', 0, 5), stage('Execute', 1, 2_000), stage('FailoverDecide', 3, 1)],
				items: [request(2)],
			}),
		);
		assert.deepEqual(
			rows.map((row) => (row.kind === 'stage' ? row.stage.stage : row.item.kind)),
			['AuthResolve', 'Execute', 'request', 'FailoverDecide'],
		);
		assert.deepEqual(
			rows.map(({ startMs, durationMs }) => [startMs, durationMs]),
			[
				[0, 5],
				[1_000, 2_000],
				[2_000, undefined],
				[3_000, 1],
			],
		);
		assert.equal(spanMs, 4_000);
	});

	it('of a killed turn has what happened at its end, and of one without anything nothing', () => {
		const killed = createTimeline(trace({ endedAt: null, stages: [stage('AuthResolve', 0, 5)], items: [request(2)] }));
		assert.deepEqual([killed.rows.length, killed.spanMs], [2, 2_000]);
		assert.deepEqual(createTimeline(trace({ endedAt: null })), { rows: [], spanMs: 1 });
	});

	it('draws each bar within its width, also where a clock went back', () => {
		for (const [startMs, durationMs] of [
			[0, undefined],
			[9_999, 9_999],
			[4_000, 0],
			[1_000, 1],
		] as const) {
			const { x, width } = computeBar({ startMs, durationMs }, 4_000, 100);
			assert.ok(x >= 0 && width >= 1 && x + width <= 100.001, `${startMs} ${x} ${width}`);
		}
		assert.equal(
			createTimeline(trace({ startedAt: `${AT}3.000Z`, stages: [stage('Execute', 1, 1)] })).rows[0]?.startMs,
			0,
		);
	});

	it('says what the turn used as its stage does, and for a killed turn by its requests', () => {
		const items = [
			request(1, { inputTokens: 5, outputTokens: 1 }),
			request(2, { inputTokens: 7, cost: 0.5 }),
			request(3),
		];
		assert.deepEqual(usedIn({ stages: [], items }), { inputTokens: 12, outputTokens: 1, cost: 0.5 });
		const facts = { inputTokens: 20, outputTokens: 2, cachedInputTokens: 0 };
		assert.deepEqual(usedIn({ stages: [stage('Execute', 1, 1, facts)], items }), facts);
		assert.deepEqual(usedIn({ stages: [], items: [] }), {});
	});
});
