import assert from 'node:assert/strict';
import type { OpName } from '../../../protocol/op-table/ops.ts';
import { loopLimits } from '../limits.ts';
import { LoopGuard } from './loop-guard.ts';
import { joinTexts, type Text } from '../../../protocol/text/text.ts';

interface Call {
	readonly op: OpName;
	readonly params: unknown;
	readonly title: Text;
}

const read = (path: string): Call => ({ op: 'fs.read', params: { path }, title: joinTexts(`Read ${path}`) });
const write = (path: string): Call => ({ op: 'fs.write', params: { path }, title: joinTexts(`Write ${path}`) });
const run = (line: string): Call => ({
	op: 'shell.run',
	params: { argv: line.split(' ') },
	title: joinTexts(`Run ${line}`),
});

/** Returns the guard's verdict on each call, when each call that is run has a result of its own, or `result`. */
function verdicts(guard: LoopGuard, calls: readonly Call[], result?: string): string {
	return calls
		.map((call, index) => {
			const { kind } = guard.check(call);
			if (kind === 'block') {
				guard.failed();
			} else {
				guard.settled(call, { callId: 'c', tool: 't', text: result ?? String(index), isError: false });
			}
			return { allow: 'ok', warn: 'warn', block: 'block' }[kind];
		})
		.join(' ');
}

const times = (count: number, ...calls: readonly Call[]) => Array.from({ length: count }, () => calls).flat();

describe('The guard of a loop', () => {
	it('does not run the same call a fifth time', () => {
		assert.equal(verdicts(new LoopGuard(50), times(7, read('a'))), 'ok ok warn warn block block block');
	});

	it('does not run the same call again after three equal results', () => {
		assert.equal(verdicts(new LoopGuard(50), times(5, read('a')), 'same'), 'ok ok warn block block');
	});

	it('does not run two or three calls in turns for ever', () => {
		assert.equal(verdicts(new LoopGuard(50), times(3, read('a'), read('b'))), 'ok ok ok ok warn block');
		assert.equal(
			verdicts(new LoopGuard(50), times(3, read('a'), read('b'), read('c'))),
			'ok ok ok ok ok ok warn warn block',
		);
	});

	it('lets a call ask how something stands three times as often', () => {
		for (const call of [
			read('src/status.ts'),
			run('cat docs/wait.md'),
			run('grep -rn status src'),
			run('grep status a'),
		]) {
			assert.equal(verdicts(new LoopGuard(50), times(12, call)), verdicts(new LoopGuard(50), times(12, read('a.txt'))));
		}
		const asked = verdicts(new LoopGuard(50), times(12, run('gh run status'))).split(' ');
		assert.deepEqual(asked.indexOf('warn'), 8);
		assert.deepEqual(asked.indexOf('block'), 11);
	});

	it('lets a test run after every edit', () => {
		const guard = new LoopGuard(50);
		const calls = Array.from({ length: 12 }, (_, n) => [write(`a${n}`), run('npm test')]).flat();
		assert.doesNotMatch(verdicts(guard, calls), /warn|block/);
	});

	it('takes the same edit over and over for no progress', () => {
		assert.match(verdicts(new LoopGuard(50), times(4, write('a'), run('npm test'))), /block/);
	});

	it('ends a loop of too many calls', () => {
		const guard = new LoopGuard(10);
		verdicts(
			guard,
			Array.from({ length: 30 }, (_, n) => read(String(n))),
		);
		assert.equal(guard.circle, undefined);
		assert.equal(verdicts(guard, [read('one more')]), 'block');
		assert.equal(guard.circle, 'calls');
	});

	it('ends a loop in which everything fails, and counts anew after a success', () => {
		const guard = new LoopGuard(50);
		const fail = (count: number) => {
			for (let n = 0; n < count; n += 1) {
				guard.settled(read(`f${n}`), { callId: 'c', tool: 't', text: `no ${n}`, isError: true });
			}
		};
		fail(loopLimits.failuresInRow - 1);
		guard.settled(read('a'), { callId: 'c', tool: 't', text: 'a', isError: false });
		fail(loopLimits.failuresInRow - 1);
		assert.equal(guard.circle, undefined);
		fail(1);
		assert.equal(guard.circle, 'failures');
	});

	it('tells a loop that repeats itself from one in which everything fails', () => {
		const circleOf = (failures: number) => {
			const guard = new LoopGuard(50);
			for (let n = 0; n < loopLimits.failuresInRow; n += 1) {
				if (n < failures) {
					guard.failed();
				} else {
					guard.blocked();
				}
			}
			return guard.circle;
		};
		assert.equal(circleOf(0), 'repeats');
		assert.equal(circleOf(loopLimits.sameResults), 'repeats');
		assert.equal(circleOf(loopLimits.failuresInRow - loopLimits.sameResults), 'failures');
	});

	it('ends a loop that changes nothing and is shown nothing new, round after round', () => {
		const guard = new LoopGuard(50);
		const round = (call: Call, text: string) => {
			guard.check(call);
			guard.settled(call, { callId: 'c', tool: 't', text, isError: false });
			guard.roundEnded();
		};
		const idle = (count: number) => {
			for (let n = 0; n < count; n += 1) {
				round(read(`x${Math.random()}`), 'No match.');
			}
		};
		idle(loopLimits.idleRounds);
		round(write('a'), 'Written.');
		idle(loopLimits.idleRounds - 1);
		assert.equal(guard.circle, undefined);
		round(run('gh run status'), 'No match.');
		idle(loopLimits.idleRounds - 1);
		assert.equal(guard.circle, undefined);
		idle(1);
		assert.equal(guard.circle, 'idle');
	});

	it('counts rounds that fail as failures, not as rounds without anything new', () => {
		const guard = new LoopGuard(50);
		for (let n = 0; n < loopLimits.failuresInRow - 1; n += 1) {
			guard.settled(read(`f${n}`), { callId: 'c', tool: 't', text: `no ${n}`, isError: true });
			guard.roundEnded();
		}
		assert.equal(guard.circle, undefined);
		guard.settled(read('last'), { callId: 'c', tool: 't', text: 'no', isError: true });
		assert.equal(guard.circle, 'failures');
	});
});
