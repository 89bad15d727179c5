/** A model without tools of its own does the work of a turn: the real CLI, its server, and an endpoint over HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

describe('a model that takes no tools', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	afterEach(async () => {
		await server.close();
	});

	const call = (name: string, input: unknown) => `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

	it('reads and changes files by calls in its text, each through the gate, and the user is told why', async () => {
		const user = new User();
		user.writes('a.txt', 'one\n');
		user.writes('b.txt', 'two\n');
		const edit = { path: 'a.txt', edits: [{ find: 'one', replace: 'three' }] };
		server = await startModelServer([
			{ error: 400, message: 'registry.ollama.ai/library/tiny does not support tools' },
			{
				text: 'I look.\n<parallel>\n<skill>fs_read(path="a.txt")</skill>\n<skill>fs_read(path="b.txt")</skill>\n</parallel>',
			},
			{ text: `\`\`\`json\n${JSON.stringify({ name: 'fs_edit', arguments: edit })}\n\`\`\`` },
			{ text: call('fs_write', { path: '.git/hooks/x', content: 'no' }) },
			{ text: 'Now it says three.' },
		]);
		const result = await user.prompts(server.baseUrl, 'change it', ['--json', '--approve', 'edit']).ended;
		assert.equal(result.code, 0, result.stderr);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'three\n');
		const items = eventsOf(result).flatMap((event) => (event.type === 'item.start' ? [event.item] : []));
		assert.deepEqual(
			items.flatMap((item) => (item.kind === 'tool' ? [item.title] : [])),
			['Read a.txt', 'Read b.txt', 'Edit a.txt', 'Write .git/hooks/x'],
		);
		assert.match(
			items.find(({ kind }) => kind === 'notice')?.kind === 'notice' ? JSON.stringify(items) : '',
			/does not accept tools the usual way/,
		);
		const shown = eventsOf(result)
			.map((event) => (event.type === 'item.delta' ? event.text : ''))
			.join('');
		assert.doesNotMatch(shown, /<skill>|tool_call|```/);
		const said = JSON.stringify(server.requests.map(({ body }) => body['messages']));
		assert.match(
			said,
			/<tool_response name=\\"fs_read\\">\\n1\\tone\\n<\/tool_response>\\n<tool_response name=\\"fs_read\\">\\n1\\ttwo/,
		);
		assert.match(said, /<tool_response name=\\"fs_write\\" error=\\"true\\">/);
		assert.equal(server.requests.filter(({ body }) => 'tools' in body).length, 1);
	});
});
