/** Recorded turns, run again: `prowess run --record`, `prowess replay`, `prowess report`. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

describe('A replay', function () {
	this.timeout(commandLimitMs * 3);
	let user: User;
	let model: ModelServer;

	beforeEach(() => {
		user = new User();
		user.sets();
	});
	afterEach(async () => await model.close());

	it('is the same as its recording, twice', async () => {
		user.writes('a.txt', 'one\n');
		model = await startModelServer([
			{ text: 'I read it.', toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ toolCalls: [{ name: 'fs_write', input: { path: 'b.txt', content: 'two\n' } }] },
			{ text: 'Done.' },
		]);
		const recorded = await user.prompts(model.baseUrl, 'Copy it', ['--record', '--approve', 'auto']).ended;
		console.log(recorded);
		console.log(readdirSync(join(user.home, 'cassettes')));
		const list = await user.runs(['replay']);
		console.log(list.stdout, list.stderr);
		const thread = /thr_[0-9a-f-]+/.exec(list.stdout)?.[0] ?? '';
		const replayed = await user.runs(['replay', thread]);
		console.log(replayed.stdout, replayed.stderr);
		assert.equal(replayed.code, 0);
	});
});
