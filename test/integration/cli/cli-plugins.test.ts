/** A plugin in the real command line: its command, its hook and its server, each from the plugin's own folder. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

/** Answers the older handshake, and has one tool. */
const SERVER = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const note = readFileSync(new URL('note.txt', import.meta.url), 'utf8').trim();
const results = {
	initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: note, version: '1' } },
	'tools/list': { tools: [{ name: 'note', description: note, inputSchema: { type: 'object' } }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined) return;
	const result = results[method];
	const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
	console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

describe('A plugin on the command line', function () {
	this.timeout(commandLimitMs);

	it('has its command followed, its hook asked and its server started, each after a yes', async () => {
		const user = new User();
		const hook = { type: 'command', command: 'sh "$CLAUDE_PLUGIN_ROOT/guard.sh"' };
		user.writes(
			'ours/.claude-plugin/plugin.json',
			JSON.stringify({
				name: 'com.example.kit',
				hooks: { PreToolUse: [{ matcher: 'Write', hooks: [hook] }] },
				mcpServers: { notes: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/servers/notes.mjs'] } },
			}),
		);
		user.writes('ours/commands/go.md', 'Read ${CLAUDE_PLUGIN_ROOT}/note.txt and greet $ARGUMENTS.\n');
		user.writes('ours/guard.sh', 'echo "the kit keeps $(cat "$CLAUDE_PLUGIN_ROOT/note.txt")" >&2; exit 2\n');
		user.writes('ours/note.txt', 'larks\n');
		user.writes('ours/servers/notes.mjs', SERVER);
		user.writes('ours/servers/note.txt', 'Says a note\n');
		const installed = await user.runs(['marketplace', 'install', 'com.example.kit', '--from', 'ours']);
		assert.equal(installed.code, 0, installed.stderr);
		await user.runs(['marketplace', 'enable', 'com.example.kit']);

		const tried = await user.runs(['mcp', 'test', 'com.example.kit.notes', '--yes', '--trust']);
		assert.match(tried.stdout, /com\.example\.kit\.notes works: 1 tool[^]*note {2}Says a note/, tried.stderr);

		const file = join(user.home, 'capabilities/plugins/com.example.kit/prowess-plugin/hooks.json');
		const allowed = await user.runs(['hooks', 'allow', file, '--trust']);
		assert.match(allowed.stderr, /Allowed to run:\n.*hooks\.json {2}allowed/);

		const server = await startModelServer([
			{
				toolCalls: [{ name: 'capability_start', input: { name: 'com.example.kit:go', params: { arguments: 'Ada' } } }],
			},
			{ toolCalls: [{ name: 'fs_write', input: { path: 'x.txt', content: 'x' } }] },
			{ text: 'Done.' },
		]);
		try {
			await user.prompts(server.baseUrl, 'Go on.', ['--json', '--approve', 'full']).ended;
			const said = server.requests.map(({ text }) => text);
			assert.match(said[0] ?? '', /com\.example\.kit:go/);
			assert.match(said[1] ?? '', /Read \S+snapshots\S+capability\/note\.txt and greet Ada\./);
			assert.match(said[2] ?? '', /a hook refuses fs\.write: the kit keeps larks/);
		} finally {
			await server.close();
		}
	});

	it('keeps data of its hooks, servers and skills in one folder, until a person says otherwise', async () => {
		const user = new User();
		const data = join(user.home, 'plugin-data/kit');
		const hook = { type: 'command', command: 'echo hook >> "$CLAUDE_PLUGIN_DATA/log"' };
		const server =
			"require('fs').appendFileSync(process.env.PLUGIN_DATA + '/log', 'server ' + process.argv[1] + '\\n');";
		user.writes(
			'ours/.claude-plugin/plugin.json',
			JSON.stringify({
				name: 'kit',
				hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] },
				mcpServers: { notes: { command: 'node', args: ['-e', server, '${PLUGIN_DATA}/x'] } },
			}),
		);
		user.writes('ours/commands/go.md', 'Append to ${CLAUDE_PLUGIN_DATA}/log.\n');
		const install = () => user.runs(['marketplace', 'install', 'kit', '--from', 'ours']);
		assert.equal((await install()).code, 0);
		await user.runs(['marketplace', 'enable', 'kit']);
		// The server ends before the handshake.
		await user.runs(['mcp', 'test', 'kit.notes', '--yes', '--trust']);
		const file = join(user.home, 'capabilities/plugins/kit/prowess-plugin/hooks.json');
		await user.runs(['hooks', 'allow', file, '--trust']);
		const command = `sh -c 'echo skill >> "${data}/log"'`;
		const model = await startModelServer([
			{ toolCalls: [{ name: 'capability_start', input: { name: 'kit:go' } }] },
			{ toolCalls: [{ name: 'shell_run', input: { command } }] },
			{ text: 'Done.' },
		]);
		try {
			await user.prompts(model.baseUrl, 'Go on.', ['--json', '--approve', 'full']).ended;
			assert.match(model.requests[1]?.text ?? '', new RegExp(`Append to ${data}/log\\.`));
		} finally {
			await model.close();
		}
		const lines = readFileSync(join(data, 'log'), 'utf8').split('\n');
		assert.deepEqual([...new Set(lines)], [`server ${data}/x`, 'hook', 'skill', '']);
		assert.equal(statSync(data).mode & 0o777, 0o700);

		const removed = await user.runs(['marketplace', 'remove', 'kit']);
		assert.match(removed.stdout, /Removed kit\. Its data stays in .*plugin-data\/kit/);
		await install();
		const cleared = await user.runs(['marketplace', 'remove', 'kit', '--data', 'remove']);
		assert.match(cleared.stdout, /Removed kit, with its data/);
		assert.equal(existsSync(data), false);
	});
});
