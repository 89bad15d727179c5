/**
 * Tests that a person's changes to files a thread wrote reach its model: the real CLI, its server and a model over
 * HTTP.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

describe('A thread whose files were changed after it wrote them', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	afterEach(async () => {
		await server.close();
	});

	it('tells its model what was taken back, changed by hand and removed, each once, and nothing of the rest', async () => {
		const user = new User();
		user.writes('undone.txt', 'one\n');
		user.writes('same.txt', 'one\n');
		const write = (path: string) => ({ name: 'fs_write', input: { path, content: 'two\n' } });
		const paths = ['undone.txt', 'same.txt', 'edited.txt', 'removed.txt'];
		const read = (path: string) => ({ name: 'fs_read', input: { path } });
		server = await startModelServer([
			{ toolCalls: ['undone.txt', 'same.txt'].map(read) },
			{ toolCalls: paths.map(write) },
			{ text: 'Written.' },
			{ text: 'I see.' },
			{ text: 'Nothing new.' },
			{ text: 'Again.' },
			{ toolCalls: [write('undone.txt'), read('undone.txt')] },
			{ toolCalls: [write('undone.txt')] },
			{ text: 'Written again.' },
			{ text: 'Undone again.' },
		]);
		const first = await user.prompts(server.baseUrl, 'write', ['--json', '--approve', 'edit']).ended;
		assert.equal(first.code, 0, first.stderr);
		const [begun] = eventsOf(first);
		const thread = begun?.type === 'thread.changed' ? begun.info.id : '';
		const undone = await user.runs(['change', 'undo', thread, 'undone.txt']);
		assert.equal(undone.code, 0, undone.stderr);
		user.writes('edited.txt', 'by hand\n');
		rmSync(join(user.workspace, 'removed.txt'));
		const goOn = async (...words: string[]) => {
			const { code, stderr } = await user.prompts(server.baseUrl, 'go on', ['--thread', thread, ...words]).ended;
			assert.equal(code, 0, stderr);
			const messages = server.requests.at(-1)?.body['messages'] as { readonly content: string }[];
			return messages.at(-1)?.content ?? '';
		};
		const told = await goOn();
		assert.match(
			told,
			/^go on\n\n<environment changed>\nholds: [^\n]+\npermissions: [^\n]+\n<\/environment>\n\n<changed-files since="you wrote them">\n/,
		);
		assert.match(told, /- undone\.txt \(\w{12}\): Your change was taken back/);
		assert.match(told, /- edited\.txt \(\w{12}\): It was changed since you wrote it/);
		assert.match(told, /- removed\.txt \(\w{12}\): Your change was taken back/);
		assert.doesNotMatch(told.slice(told.indexOf('<changed-files')), /same\.txt|by hand/);
		assert.equal(await goOn(), 'go on');
		user.writes('edited.txt', 'by hand again\n');
		assert.match(await goOn(), /^go on\n\n<changed-files [^>]*>\n- edited\.txt \(\w{12}\): .*\n<\/changed-files>$/);
		await goOn('--approve', 'edit');
		assert.equal((await user.runs(['change', 'undo', thread, 'undone.txt'])).code, 0);
		assert.match(await goOn(), /- undone\.txt \(\w{12}\): Your change was taken back/);
	});
});
