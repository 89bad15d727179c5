import assert from 'node:assert/strict';
import { KeptOutput } from './kept-output.ts';
import { KEPT_HEAD_CHARS, KEPT_TAIL_CHARS } from './limits.ts';

describe('KeptOutput', () => {
	it('counts every character it drops, whatever the pieces', () => {
		const whole = Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join('');
		for (const size of [7, 1000, 65_536, whole.length]) {
			const kept = new KeptOutput();
			for (let at = 0; at < whole.length; at += size) {
				kept.push(whole.slice(at, at + size));
			}
			const { output, omitted } = kept.take();
			assert.equal(omitted, whole.length - KEPT_HEAD_CHARS - KEPT_TAIL_CHARS);
			assert.ok(output.startsWith(whole.slice(0, KEPT_HEAD_CHARS)) && output.endsWith(whole.slice(-KEPT_TAIL_CHARS)));
		}
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
