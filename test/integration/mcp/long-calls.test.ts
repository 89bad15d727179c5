/** Calls of MCP tools that take long: their progress, tasks of the server, and their end. */
import assert from 'node:assert/strict';
import type { OpResult } from '../../../src/protocol/op-table/ops.ts';
import {
	askForm,
	McpSites,
	openEvents,
	rpcResult,
	saidText,
	sseMessage,
	usualAnswers,
	type Way,
} from '../../support/mcp-sites.ts';

/** State of a task, as a server says it. */
const task = (status: string, statusMessage?: string) => ({
	taskId: 't1',
	status,
	statusMessage,
	createdAt: '2026-01-01T00:00:00Z',
	lastUpdatedAt: '2026-01-01T00:00:00Z',
	ttl: 60_000,
	pollInterval: 1,
});

const LONGER_THAN_THE_LIMIT_MS = 1_500;

describe('A long call of an MCP tool', function () {
	this.timeout(60_000);
	let sites: McpSites;
	before(async () => {
		sites = await McpSites.open({ person: { answer: () => Promise.resolve('yes') } });
	});
	afterEach(() => sites.closeSites());
	after(() => sites.scene.close());

	const said =
		(result: object): Way =>
		({ response, id }) =>
			response.writeHead(200, { 'content-type': 'application/json' }).end(rpcResult(id, result));
	/** A server whose tool runs as a task with these states. */
	const serveTask = (states: readonly object[], ways: Readonly<Record<string, Way>> = {}) => {
		const left = [...states];
		return sites.serve({
			initialize: said({
				...usualAnswers['initialize'],
				capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
			}),
			'tools/list': said({
				tools: [{ name: 'echo', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
			}),
			'tools/call': said({ task: task('working') }),
			'tasks/get': (asked) => said(left.length > 1 ? (left.shift() ?? {}) : (left[0] ?? {}))(asked),
			'tasks/result': said(saidText('the result')),
			'tasks/cancel': said(task('cancelled')),
			...ways,
		});
	};
	const asked = (bodies: readonly { readonly body: string }[], method: string) =>
		bodies.filter(({ body }) => body.includes(`"${method}"`)).map(({ body }) => JSON.parse(body) as { params: object });

	it("runs as a task where the server wants that: its states are told, and its result is the call's", async () => {
		const { at, call } = await serveTask([task('working', 'reading'), task('working', 'a\u202eb'), task('completed')]);
		const before = sites.scene.heard.length;
		assert.equal(await call(), 'the result');
		assert.deepEqual(sites.scene.heard.slice(before), [
			'working\n',
			'working reading\n',
			'working a\\u{202e}b\n',
			'completed\n',
		]);
		assert.deepEqual(
			asked(at.received, 'tools/call').map(({ params }) => Object.keys(params)),
			[['name', 'arguments', 'task', '_meta']],
		);
	});

	it('runs as a task that asks the user: the question comes with the wish for the result', async () => {
		const answered = Promise.withResolvers<void>();
		const { call } = await serveTask([task('input_required', 'which one?')], {
			'tasks/result': async ({ response, id }) => {
				openEvents(response);
				response.write(sseMessage(askForm('q1')));
				await answered.promise;
				response.end(sseMessage(rpcResult(id, saidText('as answered'))));
			},
			POST: ({ request, response }) => {
				if (request.body.includes('"fine":true')) answered.resolve();
				response.writeHead(202).end();
			},
		});
		assert.equal(await call(), 'as answered');
	});

	it('of a server that makes no task of it, fails the task, or cancels it, ends as the server says', async () => {
		const plain = await serveTask([], { 'tools/call': said(saidText('at once')) });
		assert.equal(await plain.call(), 'at once');
		const failing = await serveTask([task('failed', 'no disk')], {
			'tasks/result': said({ ...saidText('no disk'), isError: true }),
		});
		const { isError } = (await sites.scene.perform('mcp.call', {
			server: failing.server,
			tool: 'echo',
		})) as OpResult<'mcp.call'>;
		assert.equal(isError, true);
		const gone = await serveTask([task('cancelled', 'too old')]);
		assert.match(await gone.failure(), /^MCP_SERVER_FAILED: .*the server cancelled the task\. too old/);
		const odd = await serveTask([{ taskId: 7 }]);
		assert.match(await odd.failure(), /^MCP_SERVER_FAILED: .* failed at echo: /);
	});

	it('that is stopped cancels its task, or is taken back from a server without tasks', async () => {
		const first = Promise.withResolvers<void>();
		const ways: Readonly<Record<string, Way>> = {
			'tasks/get': (one) => {
				first.resolve();
				return said(task('working'))(one);
			},
		};
		const open = Promise.withResolvers<void>();
		for (const [{ at, server }, reached, method] of [
			[await serveTask([], ways), first.promise, 'tasks/cancel'],
			[await sites.serve({ 'tools/call': () => open.resolve() }), open.promise, 'notifications/cancelled'],
		] as const) {
			const stop = new AbortController();
			const calling = sites.scene.outcome('mcp.call', { server, tool: 'echo' }, stop.signal);
			await reached;
			stop.abort(new Error('stopped'));
			await calling.catch(() => undefined);
			while (asked(at.received, method).length === 0) await new Promise((resolve) => setImmediate(resolve));
		}
	});

	it('goes on past its limit as long as the server reports progress', async () => {
		const { server } = await sites.serve({
			'tools/call': ({ request, response, id }) => {
				const { params } = JSON.parse(request.body) as { params: { _meta: { progressToken: number } } };
				const { progressToken } = params._meta;
				openEvents(response);
				let progress = 0;
				const reporting = setInterval(() => {
					progress += 1;
					const report = { progressToken, progress, total: 6, message: 'larks' };
					response.write(
						sseMessage(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: report })),
					);
					if (progress < 6) return;
					clearInterval(reporting);
					response.end(sseMessage(rpcResult(id, saidText('late'))));
				}, LONGER_THAN_THE_LIMIT_MS / 6);
			},
		});
		const { scene } = sites;
		await scene.tools(server);
		const before = scene.heard.length;
		scene.host.change({ 'prowess.agent.toolTimeoutSeconds': 1 });
		assert.equal(await scene.call(server, 'echo'), 'late');
		const lines = Array.from({ length: 6 }, (_, n) => `${n + 1}/6 larks\n`);
		assert.deepEqual(scene.heard.slice(before), lines);
	});
});
