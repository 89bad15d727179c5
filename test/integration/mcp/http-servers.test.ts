/** MCP servers that already run, over Streamable HTTP: a public one as a process of its own, and sites that misbehave. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DeskQuestion } from '../../../src/protocol/approvals/approvals.ts';
import { httpSite, type HttpSite, type Received } from '../../support/http-site.ts';
import { bound, McpScene, type McpSceneOptions, publicServer } from '../../support/mcp-scene.ts';
import type { ServerResponse } from 'node:http';

describe('An MCP server over HTTP', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	let site: HttpSite | undefined;
	let child: ChildProcess | undefined;
	afterEach(async () => {
		await scene?.close();
		await site?.close();
		if (child !== undefined) {
			child.kill('SIGKILL');
			await once(child, 'close');
		}
		scene = site = child = undefined;
	});

	/** The server of the settings at this port; `path` of its address. */
	const opened = async (port: number, more: object = {}, options: McpSceneOptions = {}) =>
		(scene = await McpScene.open(
			{ web: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, ...more } },
			{ ...options, settings: { 'prowess.http.allowHosts': [`127.0.0.1:${port}`], ...options.settings } },
		));

	/** Answers as a server of the older revision; `call` answers a call. */
	const answering = (
		call: (request: Received, id: number, response: ServerResponse) => void,
		how?: 'accepts-probe' | 'holds-notes',
	) =>
		httpSite((request, response) => {
			const { id, method } =
				request.body === '' ? { id: 0, method: '' } : (JSON.parse(request.body) as { id: number; method: string });
			const say = (result: object) =>
				response
					.writeHead(200, { 'content-type': 'application/json' })
					.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
			switch (method) {
				case 'initialize':
					return say({
						protocolVersion: '2025-11-25',
						capabilities: { tools: {} },
						serverInfo: { name: 'site', version: '1' },
					});
				case 'tools/list':
					return say({ tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }] });
				case 'tools/call':
					return call(request, id, response);
				case 'notifications/initialized':
					// For `holds-notes` the body of the response never ends.
					return how === 'holds-notes' ? void response.writeHead(202).write(' ') : response.writeHead(202).end();
				case 'server/discover':
					if (how === 'accepts-probe') return response.writeHead(202).end();
					return response
						.writeHead(200, { 'content-type': 'application/json' })
						.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
				default:
					return response.writeHead(202).end();
			}
		});

	it('is used like one that is started: its address is agreed to first, and its session ends with the host', async () => {
		const probe = await httpSite();
		const { port } = probe;
		await probe.close();
		const { command, args } = publicServer('everything', ['streamableHttp']);
		child = spawn(command, [...args], {
			env: { PATH: process.env['PATH'], PORT: String(port) },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		await once(child.stderr as NonNullable<typeof child.stderr>, 'data');
		const { asked, call } = bound(await opened(port));
		assert.equal(await call('web', 'echo', { message: 'hello' }), 'Echo: hello');
		const start = asked.find(({ detail }) => detail.kind === 'consent');
		assert.equal(start?.act, 'connects');
	});

	it('on this machine or its network is refused unless the settings list it', async () => {
		site = await answering((_request, _id, response) => void response.end());
		const { failure } = bound(await opened(site.port, {}, { settings: { 'prowess.http.allowHosts': [] } }));
		assert.match(await failure('web', 'echo'), /^HOST_REFUSED: 127\.0\.0\.1:\d+ is at 127\.0\.0\.1/);
		assert.equal(site.received.length, 0);
	});

	it('that is asked without encryption, elsewhere than on this machine, is refused', async () => {
		scene = await McpScene.open({ web: { url: 'http://mcp.example.org/' } });
		assert.match(await scene.failure('web', 'echo'), /^HOST_REFUSED: mcp\.example\.org is asked without encryption/);
	});

	it('gets the headers of its entry with the secrets that they name, and no record holds those', async () => {
		site = await answering((request, id, response) => {
			const text = String(request.headers['authorization']);
			response
				.writeHead(200, { 'content-type': 'text/event-stream' })
				.end(
					`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n\n`,
				);
		});
		const { call, ledger } = bound(
			await opened(
				site.port,
				{ headers: { Authorization: 'Bearer ${secret:web}' } },
				{ secrets: { web: 'canary-0123456789-canary' } },
			),
		);
		assert.doesNotMatch(await call('web', 'echo'), /canary/);
		assert.equal(site.received.at(-1)?.headers['authorization'], 'Bearer canary-0123456789-canary');
		assert.doesNotMatch(await ledger(), /canary/);
	});

	it('asks in the thread of the request over whose stream it asks, while another thread uses it', async () => {
		const calls: { readonly id: number; readonly response: ServerResponse }[] = [];
		const say = ({ response }: (typeof calls)[number], message: object) =>
			response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
		const end = (call: (typeof calls)[number]) => {
			say(call, { id: call.id, result: { content: [{ type: 'text', text: 'over' }] } });
			call.response.end();
		};
		const [one, both] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		site = await answering((_request, id, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
			if (calls.push({ id, response }) === 1) one.resolve();
			else both.resolve();
		});
		const questions: string[] = [];
		const answered = Promise.withResolvers<void>();
		const answer = ({ threadId }: DeskQuestion) => {
			questions.push(threadId ?? '');
			answered.resolve();
			return Promise.resolve('yes');
		};
		const open = await opened(site.port, {}, { person: { answer } });
		await open.tools('web');
		const first = open.call('web', 'echo');
		await one.promise;
		const other = open.callElsewhere('web', 'echo');
		await both.promise;
		const [call, later] = calls;
		assert.ok(call && later);
		const requestedSchema = { type: 'object', properties: { fine: { type: 'boolean' } }, required: ['fine'] };
		say(call, { id: 'q1', method: 'elicitation/create', params: { message: 'Is it fine?', requestedSchema } });
		await answered.promise;
		for (const each of calls) end(each);
		assert.deepEqual([await first, await other, questions], ['over', 'over', [open.threadId]]);
	});

	it('that accepts a request and cannot answer it any more is ended at once, in words', async () => {
		site = await answering((_request, _id, response) => void response.writeHead(202).end());
		const { failure, base } = bound(await opened(site.port));
		const why = /it accepted a request with status 202, after which no answer can come/;
		assert.match(await failure('web', 'echo'), /^MCP_SERVER_FAILED: .* failed at echo: it accepted a request/);
		const [server] = (await base.mcp.list()).servers;
		assert.equal(server?.state, 'failed');
		assert.match(server.failure ?? '', why);
	});

	it('that accepts even the question by which revision it goes is asked by the older one', async () => {
		site = await answering(
			(_request, id, response) =>
				void response
					.writeHead(200, { 'content-type': 'application/json' })
					.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'older' }] } })),
			'accepts-probe',
		);
		const { call } = bound(await opened(site.port));
		assert.equal(await call('web', 'echo'), 'older');
	});

	it('that never takes a message which wants no answer does not start', async () => {
		site = await answering((_request, _id, response) => void response.end(), 'holds-notes');
		const { failure } = bound(await opened(site.port));
		assert.match(
			await failure('web', 'echo'),
			/^MCP_SERVER_FAILED: .*the acceptance of a message took longer than 5000 ms/,
		);
	});

	it('that lets nobody in, redirects, or answers what it was not asked fails in words', async () => {
		for (const [answer, expected] of [
			[
				(_r: Received, _i: number, response: ServerResponse) => response.writeHead(403).end(),
				/does not let you in \(status 403\)/,
			],
			[
				(_r: Received, _i: number, response: ServerResponse) =>
					response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
				/redirects to http:\/\/127\.0\.0\.1:1\/, which is not followed/,
			],
			[
				(_r: Received, _i: number, response: ServerResponse) =>
					response
						.writeHead(200, { 'content-type': 'application/json' })
						.end(JSON.stringify({ jsonrpc: '2.0', id: 4_711, result: { content: [] } })),
				/it answered a request that it was not sent \(4711\)/,
			],
		] as const) {
			site = await answering((request, id, response) => void answer(request, id, response));
			const { failure } = bound(await opened(site.port));
			assert.match(await failure('web', 'echo'), expected);
			await scene?.close();
			await site.close();
		}
		scene = site = undefined;
	});
});
