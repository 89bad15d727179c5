/** MCP servers that break rules as programs do: each costs itself, with a clear error, and nothing of it is left. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostileServer, McpScene, type McpSceneOptions } from '../../support/mcp-scene.ts';
import { processTree } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('A hostile MCP server that is a program', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});
	const opened = async (how: string, options?: McpSceneOptions, more?: Readonly<Record<string, unknown>>) =>
		(scene = await McpScene.open({ evil: hostileServer(how, undefined, more) }, options));

	it('that prints a banner is put up with, and one that prints on and on is ended', async () => {
		const { call } = bound(await opened('banner'));
		assert.equal(await call('evil', 'echo', { text: 'x' }), 'echo: x\\u{200b}');
		await scene?.close();
		const { failure } = bound(await opened('garbage'));
		assert.match(await failure('evil', 'echo'), /^MCP_SERVER_FAILED: .*lines that are no messages/);
	});

	it('that dies is reported with what it said, waits before it is started again, and starts at once when the user stops it', async () => {
		const { failure, base, tools } = bound(await opened('dies'));
		assert.match(
			await failure('evil', 'echo'),
			/^MCP_SERVER_FAILED: the MCP server evil failed at echo: it ended with exit code 3/,
		);
		assert.match(base.mcp.log('evil'), /out of paper/);
		assert.match(await failure('evil', 'echo'), /It can be started again in 1 s/);
		await base.mcp.stop('evil');
		assert.deepEqual(await tools('evil'), ['echo']);
	});

	it('that is killed in the middle of a call ends it in words; the call is not repeated, and the next one starts it anew', async () => {
		const { failure, base, tools } = bound(await opened('waits'));
		const calling = failure('evil', 'echo');
		const heard = () => scene?.heard.filter((words) => words === '1 waiting\n').length;
		await waitFor('the progress of the call', () => heard() === 1);
		const running = processTree(process.pid).findLast(({ commandLine }) =>
			/hostile-server\.mjs waits/.test(commandLine),
		);
		assert.ok(running);
		process.kill(running.pid, 'SIGKILL');
		// A sandbox reports the signal of its program as an exit code.
		const ended = /it was ended by SIGKILL|it ended with exit code 137/;
		const failed = await calling;
		assert.match(failed, /^MCP_SERVER_FAILED: the MCP server evil failed at echo: /);
		assert.match(failed, ended);
		assert.match(base.mcp.log('evil'), ended);
		await base.mcp.stop('evil');
		assert.deepEqual(await tools('evil'), ['echo']);
		assert.equal(heard(), 1);
	});

	it('that says something for its log has it there', async () => {
		const { failure, base } = bound(await opened('breaks-off'));
		assert.match(await failure('evil', 'echo'), /^MCP_SERVER_FAILED: /);
		assert.match(base.mcp.log('evil'), /\] info: soon\n/);
	});

	it('that ends at a request before the older handshake is started once more for that', async () => {
		const { call, base } = bound(await opened('strict'));
		assert.match(await call('evil', 'echo', { text: 'x' }), /^echo: x/);
		assert.match(
			base.mcp.log('evil'),
			/ended: it ended with exit code 5; it is started once more for the older handshake/,
		);
	});

	it('gets none of our variables, and changes nothing of the workspace that it was not let', async () => {
		process.env['CANARY_OF_HOST'] = 'canary';
		const { call } = bound(await opened('environment'));
		assert.doesNotMatch(await call('evil', 'echo'), /canary/);
		delete process.env['CANARY_OF_HOST'];
		await scene?.close();
		const { perform, host } = bound(await opened('writes'));
		const path = join(host.workspace, 'made.txt');
		const { isError } = await perform('mcp.call', { server: 'evil', tool: 'echo', arguments: { text: path } });
		assert.equal(isError, true);
		assert.equal(existsSync(path), false);
	});

	it('that does not end by itself is killed when the host closes', async () => {
		const { tools } = bound(await opened('stubborn'));
		assert.deepEqual(await tools('evil'), ['echo']);
	});
});

/** Returns the scene's methods bound to it, so that each can be called by itself. */
function bound(scene: McpScene) {
	return {
		host: scene.host,
		base: scene.base,
		call: scene.call.bind(scene),
		failure: scene.failure.bind(scene),
		tools: scene.tools.bind(scene),
		perform: scene.perform.bind(scene),
	};
}
