/**
 * MCP servers that break rules, as real processes: each costs itself, with a clear error, and nothing that it made up counts. A
 * column is one transport and one revision of the protocol; each line of the table is a fault.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it as tried } from 'mocha';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { hostileServer, hostileSite, McpScene, type McpSceneOptions } from '../../support/mcp-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

interface Column {
	readonly transport: 'stdio' | 'HTTP';
	readonly revision: 'older' | 'newest';
}

export const columns: readonly Column[] = [
	{ transport: 'stdio', revision: 'older' },
	{ transport: 'stdio', revision: 'newest' },
	{ transport: 'HTTP', revision: 'older' },
	{ transport: 'HTTP', revision: 'newest' },
];

/** Describes a column; `isTried` chooses faults by their numbers. */
export function describeColumn({ transport, revision }: Column, isTried: (fault: number) => boolean): void {
	let fault = 0;
	const it = (title: string, spec: () => Promise<void>) => void (isTried(fault++) && tried(title, spec));
	describe(`A hostile MCP server over ${transport}, in the ${revision} revision`, function () {
		this.timeout(60_000);
		let scene: McpScene | undefined;
		let site: Awaited<ReturnType<typeof hostileSite>> | undefined;
		const close = async () => {
			await scene?.close();
			await site?.close();
			scene = site = undefined;
		};
		afterEach(close);

		/** The server `evil`, and nothing of the one before. */
		const open = async (how: string, options: McpSceneOptions = {}): Promise<McpScene> => {
			await close();
			if (transport === 'HTTP') {
				site = await hostileSite(how, revision);
				const settings = { ...options.settings, 'prowess.http.allowHosts': [site.host] };
				return (scene = await McpScene.open({ evil: site.entry }, { ...options, settings }));
			}
			const folder = tempDir('starts');
			const state = join(folder, 'starts');
			writeFileSync(state, '');
			const entry = hostileServer(how, state, { needs: { write: [folder] } }, revision);
			return (scene = await McpScene.open({ evil: entry }, options));
		};

		/** Asserts that the server's call fails and that the server is ended with a reason like `why`. */
		const isEnded = async (how: string, why: RegExp): Promise<void> => {
			const evil = await open(how);
			assert.match(await evil.failure('evil', 'echo'), /^MCP_SERVER_FAILED: /);
			assert.match(await ended(evil.base), why);
		};
		it('that answers a request it was not sent is ended', () =>
			isEnded('forges', /it answered a request that it was not sent \(4711\)/));
		it('that floods is ended', () => isEnded('floods', /more than 1000 messages in 5 s/));
		it('that prints on and on is ended', () => isEnded('garbage', /more than 20 .* no messages/));
		it('that breaks off its answer is ended', () =>
			isEnded('breaks-off', /it ended a stream without the answer|it ended with exit code 4/));
		it('that sends one giant message is ended', () => isEnded('giant', /(longer|more) than 8388608 bytes/));

		it('that dies in a call is reported at once', async () => {
			const died = /^MCP_SERVER_FAILED: .*it ended with exit code 3|^REQUEST_FAILED: the request to .* failed: /;
			assert.match(await (await open('dies')).failure('evil', 'echo'), died);
		});

		it('that answers twice is ended, and the first answer counts', async () => {
			const evil = await open('answers-twice');
			assert.equal(await evil.call('evil', 'echo'), 'first');
			assert.match(await ended(evil.base), /it answered the request .* twice/);
		});

		it('that returns a large result has it cut, and the cut is named', async () => {
			const { text, leftOut } = await (await open('large')).perform('mcp.call', { server: 'evil', tool: 'echo' });
			assert.ok(text.length <= 200_000);
			assert.deepEqual(leftOut, ['the text has 500000 characters and is cut to 200000']);
		});

		it('that does not answer a call in time is ended when it does not answer at all', async () => {
			const evil = await open('never-answers');
			await evil.tools('evil');
			// Not before: a machine that is busy takes longer to start it.
			evil.host.change({ 'prowess.agent.toolTimeoutSeconds': 2 });
			assert.equal((await evil.outcome('mcp.call', { server: 'evil', tool: 'echo' })).status, 'timeout');
			assert.equal(await ended(evil.base), 'it did not answer');
		});

		it('that names tools like ours reaches none of ours, and names that cannot be shown are left out', async () => {
			const evil = await open('names-of-ours');
			const { servers } = await evil.perform('mcp.tools', { server: 'evil' });
			assert.deepEqual(
				servers[0]?.tools.map(({ name }) => name),
				['shell_run', 'fs_write', 'mcp_call', 'echo'],
			);
			assert.deepEqual(servers[0]?.notes, [
				`Tools left out, because their names cannot be used or are taken: "__proto__", "a b", "${'x'.repeat(59)}…", "echo"`,
			]);
			const called = { server: 'evil', tool: 'shell_run', arguments: { text: 'rm -rf .' } };
			assert.match((await evil.perform('mcp.call', called)).text, /^shell_run: rm -rf \./);
		});

		it('that hides characters in a description has them written out, and what it says is cut', async () => {
			const { servers } = await (await open('hides-text')).perform('mcp.tools', { server: 'evil' });
			const said = servers[0]?.tools[0]?.description ?? '';
			assert.match(said, /^Echoes\.\\u\{200b\}\\u\{202e\}\\u\{e0041\} Very long\./);
			assert.ok(said.length <= 2_000);
		});

		it('that asks for the roots learns the folders of the workspace and no other', async () => {
			const evil = await open('roots');
			const roots = JSON.parse(await evil.call('evil', 'echo')) as { uri: string }[];
			assert.deepEqual(
				roots.map(({ uri }) => uri),
				[`file://${evil.host.workspace}`],
			);
		});

		it('that changes a tool after the consent is asked about anew, and after a no it cannot be called', async () => {
			let changes = 0;
			const evil = await open('changes-later', {
				answers: ({ detail }) => {
					const [first] = detail.kind === 'consent' ? detail.may : [];
					const words = first === undefined ? '' : inEnglish(first.meaning);
					const isChange = words.startsWith('use the changed tool "echo": Echoes. Before that, read');
					changes += isChange ? 1 : 0;
					return isChange ? { kind: 'deny' } : { kind: 'always' };
				},
			});
			assert.equal(await evil.call('evil', 'echo', { text: 'a' }), 'echo: a\\u{200b}');
			await evil.base.mcp.stop('evil');
			const { servers } = await evil.perform('mcp.tools', { server: 'evil' });
			assert.deepEqual(servers[0]?.tools, []);
			assert.deepEqual(servers[0]?.notes, ['1 tools are left out: they changed, and the user did not agree to that.']);
			assert.match(await evil.failure('evil', 'echo'), /^NOT_FOUND: .* no tool "echo" that may be called/);
			assert.ok(changes > 0);
		});

		/** At its second start it lists these tools, with these notes, after so many questions in all. */
		const listsLater = async (how: string, tools: string[], notes: string[], questions: number): Promise<void> => {
			const evil = await open(how);
			await evil.tools('evil');
			await evil.base.mcp.stop('evil');
			const [server] = (await evil.perform('mcp.tools', { server: 'evil' })).servers;
			assert.deepEqual([server?.tools.map(({ name }) => name), server?.notes], [tools, notes]);
			assert.equal(evil.asked.length, questions);
		};
		it('that adds a tool after the consent is asked about it', () => listsLater('adds-later', ['echo', 'rm'], [], 2));
		it('that loses a tool has it named', () =>
			listsLater('loses-later', ['echo'], ['These tools are not there any more: lost.'], 1));
	});
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
