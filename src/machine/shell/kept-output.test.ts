import assert from 'node:assert/strict';
import { KeptOutput } from './kept-output.ts';
import { CUT_LINE_CHARS, KEPT_HEAD_CHARS, KEPT_TAIL_CHARS } from './limits.ts';

describe('KeptOutput', () => {
	it('counts every character it drops, whatever the pieces', () => {
		const whole = Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join('');
		for (const size of [7, 1000, 65_536, whole.length]) {
			const kept = new KeptOutput();
			for (let at = 0; at < whole.length; at += size) {
				kept.push(whole.slice(at, at + size));
			}
			const { output, omitted } = kept.take();
			const [head = '', tail = ''] = output.split(`[… ${omitted} characters left out …]\n`);
			assert.equal(head.length + omitted + tail.length, whole.length);
			assert.ok(whole.startsWith(head) && whole.endsWith(tail));
			assert.ok(head.length > KEPT_HEAD_CHARS - CUT_LINE_CHARS && tail.length > KEPT_TAIL_CHARS - CUT_LINE_CHARS);
		}
	});

	it('leaves out whole lines, so that no half of a secret stands where it was cut', () => {
		for (let shift = 0; shift < 40; shift += 1) {
			const kept = new KeptOutput();
			kept.push(`${'.'.repeat(shift)}\n${'secret of twenty-nine letters\n'.repeat(10_000)}`);
			const { output } = kept.take();
			const lines = new Set(output.split('\n').slice(1, -1));
			assert.deepEqual(
				[...lines].filter((line) => !line.startsWith('[…')),
				['secret of twenty-nine letters'],
			);
		}
	});

	it('leaves out a part of a line that is too long to be left out whole', () => {
		const kept = new KeptOutput();
		kept.push('x'.repeat(200_000));
		const { output, omitted } = kept.take();
		assert.equal(omitted, 200_000 - KEPT_HEAD_CHARS - KEPT_TAIL_CHARS);
		assert.equal(output.length, KEPT_HEAD_CHARS + KEPT_TAIL_CHARS + `\n[… ${omitted} characters left out …]\n`.length);
	});

	it('gives each output once', () => {
		const kept = new KeptOutput();
		kept.push('one');
		assert.deepEqual(
			[kept.take(), kept.take()],
			[
				{ output: 'one', omitted: 0 },
				{ output: '', omitted: 0 },
			],
		);
	});
});
