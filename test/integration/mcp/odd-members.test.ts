/** A real server whose lists and results are full of odd members: none of them costs the healthy ones. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpResult } from '../../../src/protocol/op-table/ops.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { bridgedSite } from '../../support/bridged-site.ts';
import { McpScene, ownServer } from '../../support/mcp-scene.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

const program = join(import.meta.dirname, '../../fixtures/mcp/odd-server.mjs');
const oddServer = (revision: string, read: readonly string[] = []) => {
	const { args, ...entry } = ownServer(program);
	const own = entry['needs'] as { readonly read: readonly string[] };
	return { ...entry, args: [...args, revision], needs: { read: [...own.read, ...read] } };
};

/** Sentences on the lists of the server, in their order. */
const TOOL_ODDITIES = [
	'Its list tools/list goes round in circles; it was read once.',
	'Tools left out, because their names cannot be used or are taken: "a text", "17", "5", "a b", "new line", +8',
	'Tools offered with any object as input, because their input schema cannot be used: "boolean-schema", "text-schema", "list-schema", "array-input", "huge-schema", +1',
	'Tools shown without the details that cannot be read: "odd-fields"',
];
const OFFER_ODDITIES = [
	'Its list resources/list has a cursor that is not text; the rest is left out.',
	'Its answer to resources/templates/list holds no list.',
	'Its list prompts/list has more than 50 pages; the rest is left out.',
	'Resources left out, because their addresses cannot be used: "x", "7", "a\\u{200b}b", "x:yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…", +2',
	'Prompts left out, because their names cannot be used or are taken: "5", "a b", "healthy", +1',
	'Prompts shown without arguments that cannot be read: "odd", "worse"',
];
const ANY_INPUT = '{"type":"object"}';

for (const [revision, wire] of [
	['older', 'a process'],
	['newest', 'a process'],
	['older', 'json'],
	['newest', 'events'],
	['older', 'sse'],
] as const) {
	describe(`An MCP server with odd members, in the ${revision} revision, over ${wire}`, function () {
		this.timeout(60_000);
		let scene: McpScene;
		let site: Awaited<ReturnType<typeof bridgedSite>> | undefined;
		const call = (tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<OpResult<'mcp.call'>> =>
			scene.perform('mcp.call', { server: 'odd', tool, arguments: { ...args } });
		let listed: OpResult<'mcp.tools'>;
		before(async () => {
			site = wire === 'a process' ? undefined : await bridgedSite([program, revision], wire);
			scene = await McpScene.open(
				{ odd: site?.entry ?? oddServer(revision) },
				site && { settings: { 'prowess.http.allowHosts': [site.host] } },
			);
			listed = await scene.perform('mcp.tools', { server: 'odd' });
		});
		after(async () => {
			await scene?.close();
			await site?.close();
		});

		it('lists its healthy tools, those of odd input with any object, and names the others in a line each', () => {
			const { tools = [], notes = [] } = listed.servers[0] ?? {};
			assert.deepEqual(notes, TOOL_ODDITIES);
			const plain = tools.filter(({ inputSchema }) => inputSchema === ANY_INPUT).map(({ name }) => name);
			assert.deepEqual(
				plain,
				'no-schema boolean-schema text-schema list-schema array-input huge-schema deep-schema'.split(' '),
			);
			assert.deepEqual(
				tools.map(({ name }) => name).filter((name) => !plain.includes(name)),
				'healthy looping-refs unknown-draft odd-fields odd-output bad-output-schema with/slash on-the-second-page'.split(
					' ',
				),
			);
			assert.match(tools.find(({ name }) => name === 'looping-refs')?.inputSchema ?? '', /"\$ref":"#\/\$defs\/a"/);
		});

		for (const [tool, text, leftOut] of [
			['healthy', 'healthy: hi', []],
			['with/slash', 'with/slash: hi', []],
			['on-the-second-page', 'on-the-second-page: hi', []],
			['deep-schema', 'deep-schema: hi', []],
			['no-schema', '', []],
			['boolean-schema', '', []],
			['text-schema', 'only a text', []],
			['list-schema', 'one part', []],
			['bad-output-schema', '', []],
			['odd-output', 'the answer\n{"answer":"no number"}', []],
			[
				'odd-fields',
				'plain\n42\n{"a":1}\na file\n{"b":64}\nResource: a:f linked\nthe end',
				[
					'a part that is no object is left out',
					'a part that is no object is left out',
					'a part of the unknown kind "" is left out',
					'a part of the unknown kind "video" is left out',
					'a text without words is left out',
					'a picture is left out: its data cannot be read',
					'a picture (image/png) is left out: its data cannot be read',
					'a picture (image/png) is left out: its data cannot be read',
					'a picture (image/svg+xml) is left out: it is no whole PNG, JPEG, GIF or WebP picture, and no WAV, MP3, Ogg or FLAC sound',
					'a sound (audio/wav) is left out: it is no whole PNG, JPEG, GIF or WebP picture, and no WAV, MP3, Ogg or FLAC sound',
					'a file without content is left out',
					'a file that is no text is left out',
					'a file (application/zip, 3 bytes) that is no text is left out',
				],
			],
		] as const) {
			it(`has its tool ${tool} called, and its result read part by part`, async () => {
				const result = await call(tool, { text: 'hi' });
				assert.deepEqual([result.text, result.leftOut, result.media], [text, leftOut, undefined]);
			});
		}

		it('answers with nothing, with a text or with a flag that is a text, and nobody waits for ever', async () => {
			if (revision === 'older') {
				assert.equal((await call('array-input')).text, '');
				assert.equal((await call('looping-refs')).text, 'a text as the result');
			}
			assert.equal((await call('unknown-draft')).isError, true);
		});

		for (const [what, text] of [
			['same', '{"city":"Rome","days":[{"sun":true,"degrees":21}]}'],
			['pretty', /^\{\n {2}"days": [^]*"city": "Rome"\n\}$/],
			['fenced', /^```json\n\{"city"[^\n]*\n```$/],
			['wrapped', 'Rome'],
			['items', '{"a":1}\n{"a":2}'],
			['blocks', 'x'],
			['bytes', '{"shot":"[above]","width":1}'],
			['only', '{"city":"Rome","days":[{"sun":true,"degrees":21}]}'],
			['list', '[1,2]'],
			['old', '{"city":"Rome","days":[{"sun":true,"degrees":21}]}'],
			['other', 'It is warm.\n{"city":"Rome","days":[{"sun":true,"degrees":21}]}'],
		] as const) {
			it(`says a structured result once (${what})`, async () => {
				const said = (await call('healthy', { text: what })).text;
				if (typeof text === 'string') assert.equal(said, text);
				else assert.match(said, text);
			});
		}

		it('gives its pictures and sounds by what their bytes are, and the ledger their size and hash', async () => {
			const { text, media = [], leftOut } = await call('healthy', { text: 'media' });
			assert.deepEqual(
				[text, leftOut, media.map(({ type, bytes, name }) => [type, bytes, name])],
				[
					'seen',
					[],
					[
						['image/png', 68, 'picture 1'],
						['audio/wav', 46, 'sound 2'],
						['image/png', 68, 'shot://1'],
					],
				],
			);
			const ledger = await scene.ledger();
			for (const { sha256, data } of media) {
				assert.ok(ledger.includes(sha256), 'the ledger has the hash');
				assert.ok(!ledger.includes(data), 'and not the bytes');
			}
		});

		it('gives no more of them, and no larger ones, than a request to a model has room for', async () => {
			const many = await call('healthy', { text: 'many' });
			assert.deepEqual([many.media?.length, many.leftOut.length], [10, 1]);
			assert.match(many.leftOut[0] ?? '', /^5 more pictures and sounds are left out: a result may have 10/);
			const { media, leftOut } = await call('healthy', { text: 'large' });
			assert.equal(media, undefined);
			assert.match(
				leftOut[0] ?? '',
				/^a picture \(image\/png\) is left out: it has \d+ bytes, and 5242880 are allowed$/,
			);
		});

		it('offers its healthy resources and prompts, and names the others', async () => {
			const { resources, notes } = await scene.perform('mcp.resources', { server: 'odd' });
			assert.deepEqual(notes, OFFER_ODDITIES);
			assert.deepEqual(
				resources.map(({ uri }) => uri),
				['docs://healthy', 'docs://odd', 'docs://unnamed', 'docs://picture'],
			);
			const read = (uri: string) => scene.perform('mcp.read', { server: 'odd', uri });
			assert.equal((await read('docs://healthy')).text, 'healthy');
			assert.deepEqual((await read('docs://odd')).leftOut, [
				'a file without content is left out',
				'a file that is no text is left out',
			]);
			assert.equal((await read('docs://picture')).media?.[0]?.name, 'docs://picture');
			const take = (name: string, args = {}) => scene.perform('mcp.prompt', { server: 'odd', name, arguments: args });
			assert.equal((await take('healthy')).text, 'well');
			const odd = await take('odd', { good: '1' });
			assert.deepEqual([odd.text, odd.media?.length], ['from a list\nplain', 1]);
			assert.equal((await take('worse')).text, 'only words');
		});

		it('has what is odd in its row and once in its log, without the words of a schema', async () => {
			await scene.perform('mcp.tools', { server: 'odd' });
			const [row] = (await scene.base.mcp.list()).servers;
			assert.deepEqual(row?.oddities.map(inEnglish), [...TOOL_ODDITIES, ...OFFER_ODDITIES]);
			const log = scene.base.mcp.log('odd');
			for (const oddity of [...TOOL_ODDITIES, ...OFFER_ODDITIES]) {
				assert.equal(log.split(oddity).length, 2, oddity);
			}
			assert.doesNotMatch(log + (await scene.ledger()), /invalid_type|"code":|expected/);
		});
	});
}

describe('A listed resource of an MCP server that does not run yet', function () {
	this.timeout(60_000);

	it('is read without a question, and one that it does not list only after one', async () => {
		const scene = await McpScene.open({ odd: oddServer('older') });
		try {
			await scene.base.mcp.allow('odd', 'always', new AbortController().signal);
			assert.equal((await scene.perform('mcp.read', { server: 'odd', uri: 'docs://healthy' })).text, 'healthy');
			assert.deepEqual(scene.asked, []);
			await scene.base.mcp.stop('odd');
			const first = await scene.outcome('mcp.read', { server: 'odd', uri: 'docs://secret' });
			assert.match(
				first.status === 'done' ? 'done' : first.error.message,
				/does not list docs:\/\/secret\. Read it once more/,
			);
			assert.deepEqual(scene.asked, []);
			await scene.perform('mcp.read', { server: 'odd', uri: 'docs://secret' });
			assert.deepEqual(
				scene.asked.map(({ op }) => op),
				['mcp.read'],
			);
		} finally {
			await scene.close();
		}
	});

	it('is not read against a rule that denies it, listed or not', async () => {
		const scene = await McpScene.open(
			{ odd: oddServer('older') },
			{ settings: { 'prowess.approvals.deny': ['mcp.read odd/docs:*', 'mcp.prompt odd/hea*'] } },
		);
		try {
			await scene.perform('mcp.resources', { server: 'odd' });
			for (const outcome of [
				await scene.outcome('mcp.read', { server: 'odd', uri: 'docs://healthy' }),
				await scene.outcome('mcp.prompt', { server: 'odd', name: 'healthy' }),
			]) {
				assert.equal(outcome.status === 'done' ? 'done' : outcome.error.code, 'DENIED_BY_RULE');
			}
		} finally {
			await scene.close();
		}
	});
});

describe('The lists of an MCP server', function () {
	this.timeout(60_000);
	let scene: McpScene;
	before(async () => {
		const deny = ['mcp.tools hidden', 'mcp.resources hidden/*'];
		const servers = { odd: oddServer('older'), hidden: oddServer('older') };
		scene = await McpScene.open(servers, { settings: { 'prowess.approvals.deny': deny } });
		await scene.base.mcp.allow('hidden', 'always', new AbortController().signal);
	});
	after(async () => await scene?.close());

	it('are not read against a rule with its name, which starts nothing', async () => {
		for (const op of ['mcp.tools', 'mcp.resources'] as const) {
			const outcome = await scene.outcome(op, { server: 'hidden' });
			assert.equal(outcome.status === 'done' ? 'done' : outcome.error.code, 'DENIED_BY_RULE');
		}
		const { servers, problems } = await scene.perform('mcp.tools', {});
		assert.deepEqual([servers.map(({ name }) => name), problems], [['odd'], ['Rules of the user leave out: hidden.']]);
		const { servers: known } = await scene.base.mcp.list();
		assert.equal(known.find(({ name }) => name === 'hidden')?.state, 'stopped');
	});

	it('are judged by the same rules where a rule is only tested', async () => {
		const test = async (question: string) =>
			JSON.stringify(await scene.base.policy.explain(question, new AbortController().signal));
		assert.match(await test('mcp.tools {"server":"hidden"}'), /mcp\.tools hidden/);
		assert.match(await test('mcp.resources {"server":"hidden"}'), /mcp\.resources hidden/);
		assert.doesNotMatch(await test('mcp.tools {"server":"odd"}'), /hidden/);
	});
});

describe('A call of an MCP server that could not write', function () {
	this.timeout(60_000);
	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	it('names the folder that it lacks, and apart from it one that nobody is offered to allow', async () => {
		const seen = tempDir('seen');
		const folder = join(seen, 'kept');
		const keys = join(seen, 'own/.ssh');
		mkdirSync(folder);
		mkdirSync(keys, { recursive: true });
		const scene = await McpScene.open({ odd: oddServer('older', [folder, keys]) });
		try {
			const write = (path: string, args = {}) =>
				scene.outcome('mcp.call', { server: 'odd', tool: 'healthy', arguments: { write: path, ...args } });
			const lacksOf = async (path: string, args = {}) => {
				const outcome = await write(path, args);
				const { lacks, keptFrom } =
					outcome.status === 'done' ? (outcome.result as OpResult<'mcp.call'>) : outcome.error.facts;
				return keptFrom === undefined ? lacks : { keptFrom };
			};
			const workspace = scene.host.ports.workspace.folders[0]?.path ?? '';
			assert.equal(await lacksOf(join(workspace, 'a.txt')), '.');
			assert.equal(await lacksOf(join(workspace, 'a.txt'), { throws: true }), '.');
			assert.equal(await lacksOf(join(folder, 'new.json')), folder);
			assert.equal(await lacksOf(join(folder, 'new.json'), { throws: true }), folder);
			assert.deepEqual(await lacksOf(join(keys, 'config')), { keptFrom: keys });
			assert.deepEqual(await lacksOf(join(keys, 'config'), { throws: true }), { keptFrom: keys });
			// The sandbox shows neither.
			assert.equal(await lacksOf(join(seen, 'own/new.json')), undefined);
			assert.equal(await lacksOf(join(scene.host.ports.places.home, 'settings.json')), undefined);
			assert.deepEqual(scene.base.mcp.lacks('odd'), ['.', folder]);
		} finally {
			await scene.close();
		}
	});
});
