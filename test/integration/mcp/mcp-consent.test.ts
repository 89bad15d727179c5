/** Tests the consent that an MCP server needs before it starts, and the record kept of it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { httpSite } from '../../support/http-site.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { hostileServer, McpScene, startsIn } from '../../support/mcp-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('The consent to an MCP server', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	let folder: string;
	let state: string;
	beforeEach(() => {
		folder = tempDir('starts');
		state = join(folder, 'starts');
		writeFileSync(state, '');
	});
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});
	const counted = (how = 'good') => hostileServer(how, state, { needs: { write: [folder] } });

	it('that is refused starts nothing, and is asked again with the next call', async () => {
		scene = await McpScene.open({ s: counted() }, { answers: () => ({ kind: 'deny', reason: 'not that one' }) });
		assert.match(await scene.failure('s', 'echo'), /^DENIED_BY_USER/);
		assert.match(await scene.failure('s', 'echo'), /^DENIED_BY_USER/);
		assert.equal(startsIn(state), 0);
		assert.equal(scene.asked.length, 2);
	});

	it('cannot be given where nobody is asked, at whatever level', async () => {
		for (const approvalMode of ['auto', 'full', 'never'] as const) {
			scene = await McpScene.open({ s: counted() }, { approvalMode });
			const outcome = await scene.outcome('mcp.tools', { server: 's' });
			assert.equal(outcome.status === 'done' ? 'done' : outcome.error.code, 'DENIED_BY_RULE');
			await scene.close();
		}
		scene = undefined;
		assert.equal(startsIn(state), 0);
	});

	it('names the program, the file that names it, what it gets and what keeps it in', async () => {
		const env = { TOKEN: '${secret:github}', MODE: 'fast' };
		scene = await McpScene.open(
			{},
			{
				secrets: { github: 'canary-0123456789-canary' },
				// Written for another server of that name, perhaps.
				settings: { 'prowess.approvals.allow': ['mcp.call s/echo', 'mcp.call other/*'] },
				files: { '.mcp.json': JSON.stringify({ mcpServers: { s: { ...hostileServer('environment'), env } } }) },
			},
		);
		await scene.tools('s');
		const said = await scene.call('s', 'echo');
		assert.doesNotMatch(said, /canary/);
		assert.match(said, /"MODE":"fast"/);
		const [asked] = scene.asked;
		assert.equal(asked?.title, 'Start the MCP server s');
		assert.ok(asked?.detail.kind === 'consent');
		const { may, enforced, maker } = asked.detail;
		const words = may.map(({ meaning }) => inEnglish(meaning));
		assert.match(words[0] ?? '', /^run this program: .*hostile-server\.mjs environment\b/);
		assert.deepEqual(words.slice(1, 3), ['receive your secret "github"', 'receive these variables: TOKEN, MODE']);
		assert.match(words[3] ?? '', /^read .*fixtures\/mcp beyond the workspace$/);
		assert.deepEqual(words.slice(4), [
			'have its tools called without a question, because your rule "mcp.call s/echo" allows it',
		]);
		assert.match(enforced.map(inEnglish).join(), /^Sandboxed as commands are/);
		assert.match(maker.map(inEnglish).join(), /^The project names it, in .*\.mcp\.json\./);
	});

	it('is not all that it takes: secrets that its entry asks for and that are not stored are named', async () => {
		const env = { TOKEN: '${input:token}', KEY: '${secret:github}' };
		scene = await McpScene.open(
			{ s: { ...hostileServer('good'), env } },
			{ secrets: { github: 'canary-0123456789-canary' } },
		);
		const [server] = (await scene.base.mcp.list()).servers;
		assert.deepEqual(server?.missing, ['mcp.s.token']);
	});

	it('shows and keeps no key that stands in a command line', async () => {
		const key = `ghp_${'a1B2c3D4'.repeat(4)}abcd`;
		const server = hostileServer('good');
		scene = await McpScene.open({ s: { ...server, args: [...server.args, '', '--token', key] } });
		await scene.call('s', 'echo');
		assert.equal(scene.asked.length, 2);
		const home = readdirSync(scene.host.home).filter((name) => name.endsWith('.json'));
		const kept = home.map((name) => readFileSync(join(scene?.host.home ?? '', name), 'utf8'));
		assert.match(kept.join(), /hostile-server/);
		assert.doesNotMatch(JSON.stringify([scene.asked, kept, await scene.ledger()]), /ghp_/);
	});

	it('says that nothing keeps it in where its entry says so', async () => {
		scene = await McpScene.open({ s: { ...counted(), sandbox: false } });
		await scene.tools('s');
		const [asked] = scene.asked;
		assert.ok(asked?.detail.kind === 'consent');
		assert.match(
			asked.detail.notEnforced.map(inEnglish).join(),
			/^it runs as you: it can read and change all that you can/,
		);
		assert.deepEqual(asked.detail.enforced, []);
	});

	it('for always is asked once, by whichever host, and is among what can be revoked', async () => {
		scene = await McpScene.open({ s: counted() });
		await scene.call('s', 'echo');
		const { home, workspace } = scene.host;
		await scene.close();
		scene = await McpScene.open({ s: counted() }, { home, workspace });
		await scene.call('s', 'echo');
		assert.deepEqual(
			scene.asked.map(({ op }) => op),
			['mcp.call'],
		);
		const { approvals } = await scene.base.approvals.list(new AbortController().signal);
		const kept = approvals.find((each) => each.in.kind === 'mcp');
		assert.match(kept === undefined ? '' : inEnglish(kept.what), /^Start the MCP server s: /);
		await scene.base.approvals.revoke(kept?.id ?? '', new AbortController().signal);
		await scene.tools('s');
		assert.equal(scene.asked.at(-1)?.title, 'Start the MCP server s');
		assert.match(await scene.ledger(), /mcp\.allow/);
	});

	it('for once ends with the server', async () => {
		scene = await McpScene.open({ s: counted() }, { answers: () => ({ kind: 'once' }) });
		await scene.tools('s');
		await scene.tools('s');
		assert.equal(scene.asked.length, 1);
		await scene.base.mcp.stop('s');
		await scene.tools('s');
		assert.equal(scene.asked.length, 2);
	});

	it('is asked anew when the entry changes, or a file of the project that the server runs', async () => {
		const script = 'tools/server.mjs';
		const { command, args, needs } = hostileServer('good');
		const { host } = (scene = await McpScene.open(
			{},
			{
				files: {
					[script]: `process.argv.splice(2, 9, 'good'); await import(${JSON.stringify(args[0])});`,
					'.mcp.json': JSON.stringify({ mcpServers: { s: { command, args: [script], needs } } }),
				},
			},
		));
		assert.deepEqual(await scene.tools('s'), ['echo']);
		host.write(script, `process.argv.splice(2, 9, 'banner'); await import(${JSON.stringify(args[0])});`);
		assert.deepEqual(await scene.tools('s'), ['echo']);
		assert.equal(scene.asked.length, 2);
		host.write('.mcp.json', JSON.stringify({ mcpServers: { s: { command, args: [script, '--more'], needs } } }));
		assert.deepEqual(await scene.tools('s'), ['echo']);
		assert.equal(scene.asked.length, 3);
	});

	it('is not asked for servers that nobody names: without a name only those are started that were agreed to', async () => {
		scene = await McpScene.open({ s: counted(), other: counted('banner') });
		const { servers } = await scene.perform('mcp.tools', {});
		assert.deepEqual(
			servers.map(({ name, state: how }) => [name, how]),
			[
				['s', 'notAllowed'],
				['other', 'notAllowed'],
			],
		);
		assert.equal(scene.asked.length, 0);
		await scene.tools('s');
		assert.deepEqual(
			(await scene.perform('mcp.tools', { query: 'echo' })).servers.map(({ name, tools }) => [name, tools.length]),
			[
				['s', 1],
				['other', 0],
			],
		);
	});
});

describe('A call of an MCP tool', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});

	it('is asked about by server and tool with its arguments, and recorded without secrets', async () => {
		scene = await McpScene.open({ s: hostileServer('good') }, { secrets: { github: 'canary-0123456789-canary' } });
		await scene.base.noticeSecrets();
		await scene.tools('s');
		await scene.call('s', 'echo', { text: 'canary-0123456789-canary' });
		const asked = scene.asked.at(-1);
		assert.equal(asked?.title, 'Call s/echo');
		assert.equal(asked?.pattern, 'mcp.call s/echo');
		assert.ok(asked?.detail.kind === 'text');
		assert.match(asked.detail.text, /^s\/echo\nServer: /);
		const ledger = await scene.ledger();
		assert.match(ledger, /Call s\/echo/);
		assert.doesNotMatch(ledger, /canary/);
	});

	it('that a rule allows is not asked about, and one that a rule denies does not start its server', async () => {
		scene = await McpScene.open(
			{ s: hostileServer('good'), t: hostileServer('good') },
			{ settings: { 'prowess.approvals.allow': ['mcp.call s/*'], 'prowess.approvals.deny': ['mcp.call t'] } },
		);
		assert.match(await scene.call('s', 'echo', { text: 'x' }), /^echo: x/);
		assert.deepEqual(
			scene.asked.map(({ op }) => op),
			['mcp.tools'],
		);
		assert.match(await scene.failure('t', 'echo'), /^DENIED_BY_RULE/);
		assert.equal((await scene.base.mcp.list()).servers[1]?.state, 'notAllowed');
	});

	it('shows the progress of its tool while it runs', async () => {
		scene = await McpScene.open({ s: hostileServer('progresses') });
		assert.equal(await scene.call('s', 'echo'), 'whole');
	});

	it('lets its server reach the hosts of its entry, and asks about each other one for as long as it runs', async function () {
		if (bubblewrap === undefined) this.skip();
		const site = await httpSite();
		const host = `127.0.0.1:${site.port}`;
		const text = `http://${host}/`;
		const settings = { 'prowess.http.allowHosts': [host] };
		const connecting = () => scene?.asked.filter(({ op }) => op === 'net.connect').length;
		try {
			const entry = hostileServer('connects', undefined, { needs: { network: [host] } });
			scene = await McpScene.open({ s: entry });
			assert.equal(await scene.call('s', 'echo', { text }), 'hello');
			assert.equal(connecting(), 0);
			await scene.close();
			for (const kind of ['deny', 'once'] as const) {
				const answers = ({ op }: Approval) => ({ kind: op === 'net.connect' ? kind : 'always' }) as const;
				scene = await McpScene.open({ s: hostileServer('connects') }, { settings, answers });
				assert.equal((await scene.call('s', 'echo', { text })) === 'hello', kind === 'once');
				assert.equal(connecting(), 1);
				await scene.base.mcp.stop('s');
				assert.match(await scene.ledger(), /net\.connect/);
				await scene.close();
			}
			assert.equal(site.received.length, 2);
			scene = undefined;
		} finally {
			await site.close();
		}
	});

	it('of a workspace that is not trusted is refused, and no file of it is read', async () => {
		scene = await McpScene.open(
			{},
			{ isTrusted: false, files: { '.mcp.json': JSON.stringify({ mcpServers: { s: hostileServer('good') } }) } },
		);
		assert.match(await scene.failure('s', 'echo'), /^WORKSPACE_UNTRUSTED/);
		assert.deepEqual(await scene.base.mcp.list(), { servers: [], problems: [] });
	});
});
