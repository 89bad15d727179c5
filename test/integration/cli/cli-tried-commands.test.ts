/** A command that is tried first from a real terminal, by the real command line. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { hasTerminals, Terminal } from './terminal.ts';

(hasTerminals ? describe : describe.skip)('prowess run, asked about a command', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	afterEach(() => server?.close());

	it('tries it on a copy, shows what it changes there, keeps that at a word, and takes it back like an edit', async () => {
		const user = new User();
		user.writes('a.txt', 'one\n');
		user.sets({ 'prowess.approvals.level': 'manual' });
		const argv = ['sh', '-c', 'sed -i s/one/ONE/ a.txt; echo new > b.txt; echo said'];
		server = await startModelServer([{ toolCalls: [{ name: 'shell_run', input: { argv } }] }, { text: 'Done.' }]);
		const words = ['run', 'go', '--trust', '--provider', 'openai-compatible', '--base-url', server.baseUrl];
		const terminal = new Terminal(user, [...words, '--model', 'scripted']);
		const asked = (times: number) =>
			waitFor(`question ${times}`, () => terminal.shown.split('Allow? ').length > times, commandLimitMs);
		const text = (name: string) => {
			const path = join(user.workspace, name);
			return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
		};
		await asked(1);
		assert.match(terminal.shown, /^ {2}f {2}try it first, on a copy of the workspace and without the network$/m);
		terminal.types('f\n');
		await asked(2);
		assert.match(terminal.shown, /said\n.*Tried on a copy: it ended with exit code 0\.\n.*~ a\.txt\n.*\+ b\.txt\n/);
		assert.deepEqual([text('a.txt'), text('b.txt')], ['one\n', undefined]);
		terminal.types('k\n');
		assert.equal(await terminal.ended, 0, terminal.shown);
		assert.deepEqual([text('a.txt'), text('b.txt')], ['ONE\n', 'new\n']);
		const read = JSON.stringify(server.requests.at(-1)?.body);
		assert.match(read, /it ran on a copy of the workspace, without network; the user kept what it changed there/);
		const [thread = ''] = (await user.runs(['thread', 'list'])).stdout.split(' ');
		assert.equal((await user.runs(['change', 'undo', thread])).code, 0);
		assert.deepEqual([text('a.txt'), text('b.txt')], ['one\n', undefined]);
	});
});
