import assert from 'node:assert/strict';
import type { OpName } from '../../../protocol/op-table/ops.ts';
import { loopLimits } from '../limits.ts';
import { LoopGuard, type SettledFacts } from './loop-guard.ts';
import { readAskedRepeats } from './progress.ts';

interface Call {
	readonly op: OpName;
	readonly params: unknown;
}

const read = (path: string): Call => ({ op: 'fs.read', params: { path } });
const write = (path: string): Call => ({ op: 'fs.write', params: { path } });
const run = (line: string): Call => ({ op: 'shell.run', params: { argv: line.split(' ') } });
const output: Call = { op: 'shell.output', params: { id: 'cmd_1' } };

type Ran = Partial<SettledFacts> & { readonly isError?: boolean };

/** Gives the guard the result of a call that ran. */
function settle(guard: LoopGuard, call: Call, text: string, { isError = false, ...facts }: Ran = {}): void {
	guard.settled(call, { text, isError }, { isDenied: false, tookMs: 0, goesOn: false, ...facts });
}

/** Returns the guard's verdict on each call: `ok`, `block`, or the seconds that it waits. `result` gives each its text. */
function verdicts(
	guard: LoopGuard,
	calls: readonly Call[],
	result: (index: number) => string = () => 'same',
	ran: Ran = {},
): string {
	return calls
		.map((call, index) => {
			const verdict = guard.check(call);
			if (verdict.kind !== 'block') settle(guard, call, result(index), ran);
			guard.roundEnded();
			return verdict.kind === 'pace' ? String(verdict.waitMs / 1000) : verdict.kind === 'allow' ? 'ok' : 'block';
		})
		.join(' ');
}

const times = (count: number, ...calls: readonly Call[]) => Array.from({ length: count }, () => calls).flat();

describe('The guard of a loop', () => {
	it('does not run again what changes nothing by itself, after three equal results', () => {
		const guard = new LoopGuard(50);
		assert.equal(verdicts(guard, times(4, read('a'))), 'ok ok ok block');
		assert.equal(guard.circle, undefined);
	});

	it('ends the loop after two more tries', () => {
		const guard = new LoopGuard(50);
		verdicts(guard, times(5, read('a')));
		assert.equal(guard.circle, undefined);
		verdicts(guard, times(1, read('a')));
		assert.equal(guard.circle, 'repeats');
	});

	it('counts the tries anew when something new was shown between them', () => {
		const guard = new LoopGuard(50);
		verdicts(guard, times(5, read('a')));
		verdicts(guard, [read('b')], () => 'something else');
		verdicts(guard, times(2, read('a')));
		assert.equal(guard.circle, undefined);
	});

	it('does not run again what was denied, or could not be started', () => {
		for (const ran of [{ isDenied: true }, { isError: true }]) {
			assert.equal(verdicts(new LoopGuard(50), times(4, run('make')), undefined, ran), 'ok ok ok block');
		}
	});

	it('does not run two or three calls in turns that show nothing new', () => {
		const byPath = (length: number) => (index: number) => `text ${index % length}`;
		assert.equal(verdicts(new LoopGuard(50), times(3, read('a'), read('b')), byPath(2)), 'ok ok ok ok ok block');
		assert.equal(
			verdicts(new LoopGuard(50), times(3, read('a'), read('b'), read('c')), byPath(3)),
			'ok ok ok ok ok ok ok ok block',
		);
	});

	it('lets every call repeat whose result is new each time', () => {
		for (const call of [read('build.log'), run('cat build.log'), output, run('gh run view 123')]) {
			assert.doesNotMatch(verdicts(new LoopGuard(50), times(40, call), String), /block|\d/);
		}
	});

	it('waits longer each time that a look at something living shows nothing new, and then ends the loop', () => {
		const polls = [
			...['kubectl get pods', 'docker ps', 'gh run view 123', 'curl -s localhost:3000/health', 'cat build.log'].map(
				run,
			),
			output,
			{ op: 'http.get', params: { url: 'https://a.test/health' } } as const,
			{ op: 'capability.status', params: { id: 'cap_1' } } as const,
		];
		for (const poll of polls) {
			const guard = new LoopGuard(50);
			assert.equal(verdicts(guard, times(8, poll)), 'ok ok 1 2 4 8 16 30');
			assert.equal(verdicts(guard, times(5, poll)), '30 30 30 30 30');
			assert.equal(guard.circle, undefined);
			assert.equal(verdicts(guard, [poll]), 'block');
			assert.equal(guard.circle, 'unchanged');
		}
	});

	it('begins the waits anew after a new result, and counts the time that the call itself took', () => {
		const guard = new LoopGuard(50);
		const results = ['1 of 3 ready', '1 of 3 ready', '1 of 3 ready', '2 of 3 ready', '2 of 3 ready', '2 of 3 ready'];
		assert.equal(
			verdicts(guard, times(6, run('kubectl get pods')), (n) => results[n] ?? ''),
			'ok ok 1 2 ok 1',
		);
		assert.equal(verdicts(new LoopGuard(50), times(4, run('sleep 5')), undefined, { tookMs: 5_000 }), 'ok ok ok ok');
	});

	it('takes passing times, ages and process ids alone for nothing new, and never for a reason to block', () => {
		const stamped = (n: number) =>
			`web-1 Running ${n + 1}m Up ${n + 2} minutes (${n}.${n} s) pid ${4000 + n} 12:00:0${n}`;
		assert.equal(verdicts(new LoopGuard(50), times(4, run('docker ps')), stamped), 'ok ok 1 2');
		assert.equal(verdicts(new LoopGuard(50), times(6, read('log')), stamped), 'ok ok 1 2 4 8');
	});

	it('lets a file be read again after a wait, and while something runs in the background', () => {
		const guard = new LoopGuard(50);
		const sleepAndRead = [run('sleep 2'), read('out.txt')];
		assert.doesNotMatch(verdicts(guard, times(5, ...sleepAndRead), undefined, { tookMs: 2_000 }), /block/);
		const background = new LoopGuard(50);
		verdicts(background, [run('make')], undefined, { goesOn: true });
		assert.equal(verdicts(background, times(5, read('out.txt'))), 'ok ok 1 2 4');
	});

	it('heeds a number in the prompt', () => {
		for (const prompt of ['Run the flaky test ten times', 'Führe den Test zehnmal aus', 'run it 10x', '10 mal bitte']) {
			const guard = new LoopGuard(50, readAskedRepeats(prompt));
			assert.equal(
				verdicts(guard, times(10, run('npm test'))),
				times(10, read(''))
					.map(() => 'ok')
					.join(' '),
				prompt,
			);
			assert.equal(guard.circle, undefined);
		}
		assert.equal(readAskedRepeats('Fix line 10 of matrix.ts, then run twice as fast').times, 2);
		assert.equal(readAskedRepeats('Add 3 tests').times, 1);
	});

	it('heeds that the user wants something waited for', () => {
		for (const prompt of ['Wait until the build is green', 'Warte, bis der Build fertig ist', 'Watch the log']) {
			const guard = new LoopGuard(50, readAskedRepeats(prompt));
			assert.doesNotMatch(verdicts(guard, times(30, run('gh run view 1'))), /block/, prompt);
			assert.equal(verdicts(new LoopGuard(50, readAskedRepeats(prompt)), times(4, read('log'))), 'ok ok 1 2', prompt);
		}
	});

	it('lets a test run after every edit', () => {
		const guard = new LoopGuard(50);
		const calls = Array.from({ length: 12 }, (_, n) => [write(`a${n}`), run('npm test')]).flat();
		assert.doesNotMatch(verdicts(guard, calls), /block|\d/);
	});

	it('takes the same edit over and over for no progress', () => {
		assert.match(verdicts(new LoopGuard(50), times(4, write('a'), read('a'))), /block/);
	});

	it('ends a loop of too many calls', () => {
		const guard = new LoopGuard(10);
		verdicts(
			guard,
			Array.from({ length: 30 }, (_, n) => read(String(n))),
			String,
		);
		assert.equal(guard.circle, undefined);
		assert.equal(verdicts(guard, [read('one more')]), 'block');
		assert.equal(guard.circle, 'calls');
	});

	it('ends a loop in which everything fails, and counts anew after a success', () => {
		const guard = new LoopGuard(50);
		const fail = (count: number) => {
			for (let n = 0; n < count; n += 1) {
				settle(guard, read(`f${n}`), `no ${n}`, { isError: true });
			}
		};
		fail(loopLimits.failuresInRow - 1);
		settle(guard, read('a'), 'a');
		fail(loopLimits.failuresInRow - 1);
		assert.equal(guard.circle, undefined);
		fail(1);
		assert.equal(guard.circle, 'failures');
	});

	it('ends a loop that changes nothing and is shown nothing new, round after round', () => {
		const guard = new LoopGuard(50);
		const round = (call: Call, text: string) => {
			guard.check(call);
			settle(guard, call, text);
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
			settle(guard, read(`f${n}`), `no ${n}`, { isError: true });
			guard.roundEnded();
		}
		assert.equal(guard.circle, undefined);
		settle(guard, read('last'), 'no', { isError: true });
		assert.equal(guard.circle, 'failures');
	});
});
