import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { FollowedRun } from '../../machine/shell/followed-run.ts';
import { FOLLOWED_CHARS, LEAD_CHARS } from '../../machine/shell/limits.ts';
import { MAX_HELD_CHARS } from '../../trust/record/redaction/limits.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { runRegister } from './run-register.ts';
import { privateKey as key, privateKeyBody as body } from '../../../test/support/private-key.ts';

describe('The output of a command as the user follows it', () => {
	/** Returns the text that somebody reads who begins to follow after this was written. */
	function readLate(...written: readonly string[]): string {
		const run = new FollowedRun(newId('thr'), false);
		for (const text of written) run.push(text);
		let shown = '';
		const missing = () => Promise.reject(new Error('not in this spec'));
		const commands = {
			readWords: () => 'npm test',
			stopByUser: missing,
			continueInBackground: () => {},
			follow: (_op: unknown, _thread: unknown, follower: Parameters<FollowedRun['follow']>[0]) => run.follow(follower),
		};
		const runs = runRegister({ commands, redactor: new Redactor(), ledger: { append: missing } });
		runs.follow(newId('op'), null, { write: (text) => void (shown += text), end: () => {} }).dispose();
		return shown;
	}

	const lines = (chars: number) => 'an ordinary line\n'.repeat(Math.ceil(chars / 17));

	it('shows no secret from its middle, wherever the part that is kept begins', () => {
		for (const before of [0, 5, 300, 900, key.length - 5]) {
			const shown = readLate(lines(3 * (LEAD_CHARS + FOLLOWED_CHARS)), key, lines(FOLLOWED_CHARS - before));
			assert.ok(!shown.includes(body), `${before} characters of the key are within what is kept`);
			assert.ok(shown.length >= FOLLOWED_CHARS - key.length, `${shown.length} characters are shown`);
		}
	});

	it('is whole where little was written', () => {
		assert.equal(readLate('one\n', 'two\n'), 'one\ntwo\n');
	});

	it('keeps more before it than redaction may hold back', () => {
		assert.ok(LEAD_CHARS > 2 * MAX_HELD_CHARS);
	});
});
