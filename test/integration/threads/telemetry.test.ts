/** Tests what a real collector on this machine is told of turns, with the host and the server composed in this process. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { traceRequests } from '../../../src/protocol/thread/turn-trace.ts';
import type { TurnId } from '../../../src/protocol/rpc/ids.ts';
import { parseTraceparent } from '../../../src/features/telemetry/trace-context.ts';
import { text } from '../../../src/protocol/text/text.ts';
import { McpSites } from '../../support/mcp-sites.ts';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import type { Script } from '../../support/model-server.ts';
import { TurnScene } from '../../support/turn-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

interface ToldSpan {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly kind: number;
	readonly startTimeUnixNano: string;
	readonly endTimeUnixNano: string;
	readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
	readonly status?: { readonly code: number; readonly message: string };
}

describe('A turn that is told to a collector', () => {
	let scene: TurnScene;
	let collector: HttpSite;
	/** Says to each request what the collector answers. */
	let answer: (path: string) => { readonly status: number; readonly retryAfter?: string };
	let askedAtMs: number[];
	beforeEach(async () => {
		answer = () => ({ status: 200 });
		askedAtMs = [];
		collector = await httpSite(({ path }, response) => {
			askedAtMs.push(performance.now());
			const { status, retryAfter } = answer(path);
			response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
			response.end('{}');
		});
	});
	afterEach(async () => {
		await scene.close();
		await collector.close();
	});

	const open = (script: Script, setting: object = {}, more: object = {}) => {
		const telemetry = { endpoint: `http://127.0.0.1:${collector.port}`, headers: {}, content: false, ...setting };
		return TurnScene.open({
			script,
			files: { 'a.txt': 'one\n' },
			...more,
			settings: { 'prowess.telemetry': telemetry, ...(more as { settings?: object }).settings },
		});
	};
	const bodies = (path: string) =>
		collector.received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as object);
	const spans = () =>
		(bodies('/v1/traces') as { resourceSpans: { scopeSpans: { spans: ToldSpan[] }[] }[] }[]).flatMap(
			({ resourceSpans }) => resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
		);
	const metrics = () =>
		(
			bodies('/v1/metrics') as {
				resourceMetrics: { scopeMetrics: { metrics: { name: string; sum?: object; histogram?: object }[] }[] }[];
			}[]
		).flatMap((each) => each.resourceMetrics.flatMap((of) => of.scopeMetrics.flatMap((scope) => scope.metrics)));
	const attributesOf = ({ attributes }: ToldSpan) =>
		Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
	const read = (path: string) => ({ toolCalls: [{ name: 'fs_read', input: { path } }] });

	it('costs no request at all while no collector is named', async () => {
		scene = await open([read('a.txt'), { text: 'Read.' }], { endpoint: '' });
		await scene.sends(await scene.begin(), 'Read a.txt, please, and think about it');
		await scene.ended();
		await scene.close();
		assert.deepEqual(collector.received, []);
	});

	it('is told as its trace shows it, with a failed call, the tokens and no word of what was said', async () => {
		scene = await open([
			{
				toolCalls: [
					{ name: 'fs_read', input: { path: 'a.txt' } },
					{ name: 'fs_read', input: { path: 'gone.txt' }, callId: 'call_2' },
				],
				usage: { input: 100, output: 10 },
			},
			{ text: 'Both were looked at.', usage: { input: 120, output: 5 } },
		]);
		const threadId = await scene.begin();
		await scene.sends(threadId, 'Look at both files and compare them');
		await scene.ended();
		await waitFor('the spans', () => metrics().length > 0);
		const [turn, ...parts] = spans();
		assert.ok(turn !== undefined);
		assert.deepEqual(
			[turn.name, ...parts.map(({ name }) => name)],
			[
				'invoke_agent Prowess',
				'chat test/scripted',
				'execute_tool fs_read',
				'execute_tool fs_read',
				'chat test/scripted',
			],
		);
		assert.ok(parts.every((part) => part.traceId === turn.traceId && part.parentSpanId === turn.spanId));
		assert.ok(spans().every((span) => BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano)));
		const told = attributesOf(turn);
		assert.deepEqual(
			[told['gen_ai.conversation.id'], told['gen_ai.usage.input_tokens'], told['prowess.turn.outcome']],
			[threadId, '220', 'done'],
		);
		assert.deepEqual(
			parts.map(({ status }) => status?.message),
			[undefined, undefined, 'NOT_FOUND', undefined],
		);
		const chat = attributesOf(parts[0] ?? turn);
		assert.deepEqual([chat['gen_ai.provider.name'], chat['gen_ai.request.model']], ['test', 'scripted']);
		assert.deepEqual(
			metrics()
				.map(({ name }) => name)
				.toSorted(),
			[
				'gen_ai.client.operation.duration',
				'gen_ai.client.token.usage',
				'gen_ai.execute_tool.duration',
				'gen_ai.invoke_agent.duration',
			],
		);
		const all = collector.received.map(({ body }) => body).join('');
		for (const said of ['compare them', 'looked at', 'gone.txt', 'one\\n']) assert.ok(!all.includes(said), said);
	});

	it('is told with its contents where the user wants that, and never with a secret, in any encoding', async () => {
		const canary = 'cnry+7Qm2vX9/pLk4"Rt8Wz';
		const forms = [
			canary,
			Buffer.from(canary).toString('base64'),
			Buffer.from(canary).toString('base64url'),
			Buffer.from(canary).toString('hex'),
			encodeURIComponent(canary),
			JSON.stringify(canary).slice(1, -1),
		];
		const files = { 'a.txt': `${forms.join('\n')}\n` };
		scene = await open([read('a.txt'), { text: `It says ${canary}.` }], { content: true }, { files });
		scene.base.addSecret(canary);
		await scene.sends(await scene.begin(), 'Tell me what a.txt says about the weather');
		await scene.ended();
		await waitFor('the spans', () => spans().length > 0);
		const [turn] = spans();
		const tool = spans().find(({ name }) => name === 'execute_tool fs_read');
		assert.ok(turn !== undefined && tool !== undefined);
		assert.match(String(attributesOf(turn)['gen_ai.input.messages']), /what a\.txt says about the weather/);
		assert.match(String(attributesOf(turn)['gen_ai.output.messages']), /It says <redacted/);
		assert.equal(attributesOf(tool)['gen_ai.tool.call.arguments'], '{"path":"a.txt"}');
		const all = collector.received.map(({ body }) => body).join('');
		for (const form of forms) assert.ok(!all.includes(form), form);
		assert.ok(!all.includes('7Qm2vX9'));
	});

	it('holds the turns of its sub-agents, each below the call that started it, without a word of their tasks', async () => {
		scene = await open(
			[
				{
					toolCalls: [
						{ name: 'agent_spawn', input: { task: 'Read a.txt and report', name: 'Read the report of Jane' } },
					],
				},
				read('a.txt'),
				{ text: 'One line.' },
				{ text: 'It has one line.' },
			],
			{},
			{ approvalMode: 'full' },
		);
		await scene.sends(await scene.begin(), 'Have somebody look at a.txt and report how long it is');
		await waitFor('both turns', () => spans().filter(({ name }) => name.startsWith('invoke_agent')).length === 2);
		const [child] = spans().filter(({ name }) => name === 'invoke_agent sub-agent');
		const [root] = spans().filter(({ name }) => name === 'invoke_agent Prowess');
		const spawn = spans().find(({ name }) => name === 'execute_tool agent_spawn');
		assert.ok(child !== undefined && root !== undefined && spawn !== undefined);
		assert.equal(child.parentSpanId, spawn.spanId);
		assert.equal(spawn.parentSpanId, root.spanId);
		assert.deepEqual(new Set(spans().map(({ traceId }) => traceId)).size, 1);
		assert.doesNotMatch(collector.received.map(({ body }) => body).join(''), /Jane|and report/);
		// The tree of spans is that of the traces: the same requests and calls, in the same order, below each turn.
		for (const span of [child, root]) {
			const turnId = String(attributesOf(span)['prowess.turn.id']) as TurnId;
			const server = await scene.host.ports.server();
			const { items } = await server.call(traceRequests.show, { turnId }, new AbortController().signal);
			const shown = items.flatMap(({ kind, model, tool, opId }) =>
				kind === 'request' ? [`chat ${model}`] : kind === 'tool' ? [`execute_tool ${tool} ${opId}`] : [],
			);
			const below = spans().filter(({ parentSpanId }) => parentSpanId === span.spanId);
			assert.deepEqual(
				below.map((each) => [each.name, attributesOf(each)['gen_ai.tool.call.id']].filter(Boolean).join(' ')),
				shown,
			);
		}
	});

	it('ends as early where the collector never answers as where none is named, and the host ends in time', async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
		const { port } = silent.address() as { port: number };
		const sockets = new Set<{ destroy(): void }>();
		silent.on('connection', (socket) => sockets.add(socket));
		scene = await open([{ text: 'Done.' }], { endpoint: `http://127.0.0.1:${port}` });
		await scene.sends(await scene.begin(), 'Think about nothing in particular for a while');
		assert.equal(await scene.ended(), 'done');
		await waitFor('the request', () => sockets.size === 1);
		await scene.close();
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => silent.close(resolve));
	});

	it('is sent again to a collector that was away, and the log says so once', async () => {
		answer = () => ({ status: 503 });
		scene = await open([{ text: 'Done.' }]);
		await scene.sends(await scene.begin(), 'Think about nothing in particular for a while');
		await scene.ended();
		await waitFor('a refused request', () => collector.received.length > 0);
		answer = () => ({ status: 200 });
		await waitFor('the metrics', () => metrics().length > 0);
		const said = scene.host.log.filter((line) => /telemetry/.test(line));
		assert.deepEqual(said, [
			'warn telemetry could not be sent; it is sent again where that helps',
			'info the collector takes telemetry',
		]);
	});

	it('waits as long as a busy collector says, while turns end as they do, and is then told in order', async () => {
		const taken: string[] = [];
		// A date has whole seconds, so it leaves at least two of them.
		answer = () => ({ status: 429, retryAfter: new Date(Date.now() + 3_000).toUTCString() });
		scene = await open([{ text: 'One.' }, { text: 'Two.' }]);
		const threadId = await scene.begin();
		await scene.sends(threadId, 'Think about nothing in particular for a while');
		assert.equal(await scene.ended(), 'done');
		await waitFor('a request that is turned away', () => askedAtMs.length === 1);
		await scene.sends(threadId, 'Think about nothing once more');
		assert.equal(await scene.ended(2), 'done');
		assert.equal(scene.host.log.filter((line) => /telemetry/.test(line)).length, 1);
		const turnedAway = askedAtMs.length;
		answer = (path) => (taken.push(path), { status: 200 });
		await waitFor('both turns', () => taken.length === 4);
		assert.deepEqual(taken, ['/v1/traces', '/v1/metrics', '/v1/traces', '/v1/metrics']);
		for (let index = 1; index <= turnedAway; index += 1) {
			const pauseMs = (askedAtMs[index] ?? 0) - (askedAtMs[index - 1] ?? 0);
			assert.ok(pauseMs > 1_900, `asked again after ${pauseMs} ms`);
		}
	});

	it('counts what a collector refuses for good, and says so with the next turn', async () => {
		answer = (path) => ({ status: path === '/v1/traces' ? 400 : 200 });
		scene = await open([{ text: 'One.' }, { text: 'Two.' }]);
		const threadId = await scene.begin();
		await scene.sends(threadId, 'Think about nothing in particular for a while');
		await waitFor('the first turn', () => bodies('/v1/metrics').length === 1);
		assert.ok(metrics().every(({ name }) => name !== 'prowess.telemetry.dropped'));
		await scene.sends(threadId, 'Think about nothing once more');
		await waitFor('the second turn', () => bodies('/v1/metrics').length === 2);
		const [dropped] = metrics().filter(({ name }) => name === 'prowess.telemetry.dropped');
		assert.match(JSON.stringify(dropped?.sum), /"as(Int|Double)":"?1\b/);
	});

	it('leaves nothing out of the machine where the organisation does not allow the host, and the log says why', async () => {
		const refusal = text('{organisation} does not allow this host.', { organisation: 'Example' });
		const organisation = { checkExport: () => {}, refusalOfHost: () => refusal };
		scene = await open([{ text: 'Done.' }]);
		Object.assign(scene.host.ports.settings, { organisation });
		await scene.sends(await scene.begin(), 'Think about nothing in particular for a while');
		await scene.ended();
		await waitFor('the refusal', () => scene.host.log.some((line) => /telemetry could not be sent/.test(line)));
		assert.deepEqual(collector.received, []);
	});
});

describe('A call of an MCP tool', function () {
	this.timeout(60_000);
	let sites: McpSites;
	const open = async (endpoint: string) => {
		sites = await McpSites.open({ settings: { 'prowess.telemetry': { endpoint, headers: {}, content: false } } });
		const { at, call } = await sites.serve({});
		await call();
		const called = at.received.find(({ body }) => body.includes('"tools/call"'));
		return (JSON.parse(called?.body ?? '{}') as { params: { _meta?: Readonly<Record<string, unknown>> } }).params._meta;
	};
	afterEach(async () => {
		await sites.closeSites();
		await sites.scene.close();
	});

	it('carries no trace while no collector is named', async () => {
		assert.equal((await open(''))?.['traceparent'], undefined);
	});

	it('carries the span that it hangs below, beside the token of its progress', async () => {
		const about = await open('http://127.0.0.1:9');
		assert.notEqual(parseTraceparent(String(about?.['traceparent'])), undefined);
		assert.notEqual(about?.['progressToken'], undefined);
	});
});
