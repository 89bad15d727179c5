/** MCP servers that break rules, as real processes: each costs itself, with a clear error, and nothing of it is left. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { hostileServer, McpScene, type McpSceneOptions, startsIn } from '../../support/mcp-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('A hostile MCP server', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});
	const opened = async (how: string, options?: McpSceneOptions, more?: Readonly<Record<string, unknown>>) =>
		(scene = await McpScene.open({ evil: hostileServer(how, undefined, more) }, options));

	it('that answers a request it was not sent is ended, and what it forged counts for nothing', async () => {
		const { failure } = bound(await opened('forges'));
		assert.match(
			await failure('evil', 'echo'),
			/^MCP_SERVER_FAILED: .*it answered a request that it was not sent \(4711\)/,
		);
	});

	it('that answers twice is ended, and the first answer counts', async () => {
		const { call, base } = bound(await opened('answers-twice'));
		assert.equal(await call('evil', 'echo'), 'first');
		assert.match(await ended(base), /it answered the request .* twice/);
	});

	it('that floods is ended', async () => {
		const { failure } = bound(await opened('floods'));
		assert.match(await failure('evil', 'echo'), /^MCP_SERVER_FAILED: .*more than 1000 messages in 5 s/);
	});

	it('that prints a banner is put up with, and one that prints on and on is ended', async () => {
		const { call } = bound(await opened('banner'));
		assert.equal(await call('evil', 'echo', { text: 'x' }), 'echo: x\\u{200b}');
		await scene?.close();
		const { failure } = bound(await opened('garbage'));
		assert.match(
			await failure('evil', 'echo'),
			/^MCP_SERVER_FAILED: .*lines to its standard output that are no messages/,
		);
	});

	it('that sends one giant message is ended, and a large result is cut and says so', async () => {
		const { failure } = bound(await opened('giant'));
		assert.match(await failure('evil', 'echo'), /^MCP_SERVER_FAILED: .*longer than 8388608 bytes/);
		await scene?.close();
		const { perform } = bound(await opened('large'));
		const { text, leftOut } = await perform('mcp.call', { server: 'evil', tool: 'echo' });
		assert.ok(text.length <= 200_000);
		assert.deepEqual(leftOut, ['the text has 500000 characters and is cut to 200000']);
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

	it('that does not answer a call in time is ended when it does not answer at all', async () => {
		const { outcome, base, tools } = bound(
			await opened('never-answers', { settings: { 'prowess.agent.toolTimeoutSeconds': 3 } }),
		);
		await tools('evil');
		const calling = await outcome('mcp.call', { server: 'evil', tool: 'echo' });
		assert.equal(calling.status, 'timeout');
		assert.equal(await ended(base), 'it did not answer');
	});

	it('that ends at a request before the older handshake is started once more for that', async () => {
		const { call, base } = bound(await opened('strict'));
		assert.match(await call('evil', 'echo', { text: 'x' }), /^echo: x/);
		assert.match(
			base.mcp.log('evil'),
			/ended: it ended with exit code 5; it is started once more for the older handshake/,
		);
	});

	it('that names tools like ours reaches none of ours, and names that cannot be shown are left out', async () => {
		const { perform } = bound(await opened('names-of-ours'));
		const { servers } = await perform('mcp.tools', { server: 'evil' });
		assert.deepEqual(
			servers[0]?.tools.map(({ name }) => name),
			['shell_run', 'fs_write', 'mcp_call', 'echo'],
		);
		assert.deepEqual(servers[0]?.notes, [
			'3 tools are left out: their names hold characters that none may have.',
			'1 tools are left out: others have the same names.',
		]);
		const called = await perform('mcp.call', { server: 'evil', tool: 'shell_run', arguments: { text: 'rm -rf .' } });
		assert.match(called.text, /^shell_run: rm -rf \./);
	});

	it('that hides characters in a description has them written out, and what it says is cut', async () => {
		const { perform } = bound(await opened('hides-text'));
		const { servers } = await perform('mcp.tools', { server: 'evil' });
		const said = servers[0]?.tools[0]?.description ?? '';
		assert.match(said, /^Echoes\.\\u\{200b\}\\u\{202e\}\\u\{e0041\} Very long\./);
		assert.ok(said.length <= 2_000);
	});

	it('that asks for the roots learns the folders of the workspace and no other', async () => {
		const { call, host } = bound(await opened('roots'));
		assert.deepEqual(
			(JSON.parse(await call('evil', 'echo')) as { uri: string }[]).map(({ uri }) => uri),
			[`file://${host.workspace}`],
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

	it('that changes a tool after the consent is asked about anew, and the changed tool cannot be called after a no', async () => {
		const folder = tempDir('starts');
		const state = join(folder, 'starts');
		writeFileSync(state, '');
		let isAnswered = false;
		scene = await McpScene.open(
			{ evil: hostileServer('changes-later', state, { needs: { write: [folder] } }) },
			{
				answers: ({ detail }) => {
					const [first] = detail.kind === 'consent' ? detail.may : [];
					const words = first === undefined ? '' : inEnglish(first.meaning);
					const isChange = words.startsWith('use the changed tool "echo": Echoes. Before that, read');
					isAnswered ||= isChange;
					return isChange ? { kind: 'deny' } : { kind: 'always' };
				},
			},
		);
		assert.equal(await scene.call('evil', 'echo', { text: 'a' }), 'echo: a\\u{200b}');
		await scene.base.mcp.stop('evil');
		const { servers } = await scene.perform('mcp.tools', { server: 'evil' });
		assert.deepEqual(servers[0]?.tools, []);
		assert.deepEqual(servers[0]?.notes, ['1 tools are left out: they changed, and the user did not agree to that.']);
		assert.match(await scene.failure('evil', 'echo'), /^NOT_FOUND: .* no tool "echo" that may be called/);
		assert.ok(isAnswered);
		assert.equal(startsIn(state), 2);
	});

	it('that adds a tool after the consent is asked about it, and says which one vanished', async () => {
		for (const [how, expected, notes] of [
			['adds-later', ['echo', 'rm'], []],
			['loses-later', ['echo'], ['These tools are not there any more: lost.']],
		] as const) {
			const folder = tempDir('starts');
			const state = join(folder, 'starts');
			writeFileSync(state, '');
			scene = await McpScene.open({ evil: hostileServer(how, state, { needs: { write: [folder] } }) });
			await scene.tools('evil');
			await scene.base.mcp.stop('evil');
			const { servers } = await scene.perform('mcp.tools', { server: 'evil' });
			assert.deepEqual(
				servers[0]?.tools.map(({ name }) => name),
				expected,
			);
			assert.deepEqual(servers[0]?.notes, notes);
			assert.equal(scene.asked.length, how === 'adds-later' ? 2 : 1);
			await scene.close();
		}
		scene = undefined;
	});
});

/** Its methods, to be called by themselves. */
function bound(scene: McpScene) {
	return {
		host: scene.host,
		base: scene.base,
		call: scene.call.bind(scene),
		failure: scene.failure.bind(scene),
		tools: scene.tools.bind(scene),
		outcome: scene.outcome.bind(scene),
		perform: scene.perform.bind(scene),
	};
}

/** Why it ended, once it has. */
async function ended(base: McpScene['base']): Promise<string> {
	const [server] = (await base.mcp.list()).servers;
	return (
		server?.failure ??
		(await new Promise((resolve) => {
			const listening = base.mcp.onDidChange(() => {
				listening.dispose();
				resolve(ended(base));
			});
		}))
	);
}
