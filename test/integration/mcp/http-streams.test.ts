/** Streams, sessions and the older transport of MCP servers that already run: what they send apart from answers, and how they break off. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { HttpSite } from '../../support/http-site.ts';
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

describe('An MCP server over HTTP, apart from its answers,', function () {
	this.timeout(60_000);
	let sites: McpSites;
	before(async () => {
		sites = await McpSites.open({ secrets: { web: 'token-1' }, person: { answer: () => Promise.resolve('yes') } });
	});
	afterEach(() => sites.closeSites());
	after(() => sites.scene.close());
	const serve = (ways: Readonly<Record<string, Way>>, more?: object) => sites.serve(ways, more);

	it('asks the user on the stream that it keeps open', async () => {
		const opened = Promise.withResolvers<ServerResponse>();
		const answered = Promise.withResolvers<void>();
		const { call } = await serve({
			GET: ({ response }) => {
				openEvents(response);
				opened.resolve(response);
			},
			'tools/call': async ({ response, id }) => {
				(await opened.promise).write(sseMessage(askForm('q1')));
				await answered.promise;
				response.writeHead(200, { 'content-type': 'application/json' }).end(rpcResult(id, saidText('answered')));
			},
			// An answer is no request: it has no method of the protocol.
			POST: ({ request, response }) => {
				if (request.body.includes('"fine":true')) answered.resolve();
				response.writeHead(202).end();
			},
		});
		assert.equal(await call(), 'answered');
	});

	it('has no such stream, whatever it says to the wish for one, and is used all the same', async () => {
		for (const [status, type] of [
			[200, 'text/html'],
			[400, 'text/plain'],
			[404, 'text/html'],
			[405, 'text/plain'],
			[500, 'text/plain'],
			[307, 'text/plain'],
		] as const) {
			const { at, call } = await serve({
				GET: ({ response }) => response.writeHead(status, { 'content-type': type, location: '/other' }).end('<p>no'),
			});
			assert.equal(await call(), 'over', String(status));
			assert.ok(!at.received.some(({ path }) => path === '/other'));
		}
	});

	it('may end the stream of a call after an event, and answers where that is resumed', async () => {
		const ways: Readonly<Record<string, Way>> = {
			'tools/call': ({ response }) => {
				openEvents(response);
				response.end('id: e1\nretry: 1\ndata: \n\n');
			},
			GET: ({ request, response }) => {
				const last = request.headers['last-event-id'];
				if (last === undefined) return response.writeHead(405).end();
				openEvents(response);
				// Polled twice before there is an answer.
				return last === 'e1'
					? response.end('id: e2\ndata: \n\n')
					: response.end(sseMessage(rpcResult(calledAs(at), saidText('later')), 'id: e3\n'));
			},
		};
		const { at, call } = await serve(ways, { headers: { Authorization: 'Bearer ${secret:web}' } });
		assert.equal(await call(), 'later');
		const resumed = at.received.filter(({ method, headers }) => method === 'GET' && headers['last-event-id']);
		assert.deepEqual(
			resumed.map(({ headers }) => [headers['last-event-id'], headers.authorization]),
			[
				['e1', 'Bearer token-1'],
				['e2', 'Bearer token-1'],
			],
		);
	});

	it('is given up after a few attempts to resume, in words', async () => {
		for (const status of [503, 404]) {
			const { at, failure } = await serve({
				'tools/call': ({ response }) => {
					openEvents(response);
					response.end('id: e1\nretry: 1\ndata: \n\n');
				},
				GET: ({ response }) => response.writeHead(status).end(),
			});
			assert.match(await failure(), /^MCP_SERVER_FAILED: .* failed at echo: /);
			const resumed = at.received.filter(({ headers }) => headers['last-event-id'] !== undefined);
			assert.equal(resumed.length, status === 404 ? 1 : 3);
		}
	});

	it('sends as much as it likes on a stream, but no event that is too large', async () => {
		const line = 'x'.repeat(1_048_576);
		const note = (data: string) =>
			sseMessage(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }));
		for (const [pieces, expected] of [
			[
				Array.from({ length: 40 }, () => `: ${line}\n\n`),
				/^MCP_SERVER_FAILED: .*more than 33554432 bytes without a message/,
			],
			[Array.from({ length: 10 }, () => note(line)), /^done$/],
			[['data: ', ...Array.from({ length: 10 }, () => line)], /^MCP_SERVER_FAILED: .*larger|more than 8388608 bytes/],
		] as const) {
			const { failure } = await serve({
				'tools/call': ({ response, id }) => {
					openEvents(response);
					for (const piece of pieces) response.write(piece);
					response.end(sseMessage(rpcResult(id, saidText('over'))));
				},
			});
			assert.match(await failure(), expected);
		}
	});

	it('that has forgotten the session gets a new one, once', async () => {
		const forgotten = new Set<string>();
		let sessions = 0;
		const withSession: Way = ({ response, id }) =>
			response
				.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${(sessions += 1)}` })
				.end(rpcResult(id, usualAnswers['initialize'] ?? {}));
		for (const [status, body] of [
			[404, 'Session not found'],
			[400, 'Bad Request: No valid session ID provided'],
		] as const) {
			sessions = 0;
			forgotten.clear();
			const { call, failure } = await serve({
				initialize: withSession,
				'tools/call': ({ request, response, id }) => {
					const session = String(request.headers['mcp-session-id']);
					if (forgotten.has(session)) return response.writeHead(status).end(body);
					return response.writeHead(200, { 'content-type': 'application/json' }).end(rpcResult(id, saidText(session)));
				},
			});
			assert.equal(await call(), 's1');
			forgotten.add('s1');
			assert.equal(await call(), 's2');
			for (const session of ['s2', 's3', 's4', 's5']) forgotten.add(session);
			assert.match(await failure(), /^MCP_SERVER_FAILED: .*no longer knows the session/);
			assert.equal(sessions, 3);
		}
	});

	/** A server of 2024-11-05: one stream, which names where it takes messages. */
	const olderWays = (endpoint = '/messages?session=1') => {
		let stream: ServerResponse | undefined;
		const ways: Record<string, Way> = {
			GET: ({ response }) => {
				stream = response;
				openEvents(response);
				response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
			},
		};
		for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) {
			ways[method] = ({ request, response, id }) => {
				if (request.path === '/mcp') return response.writeHead(405).end();
				response.writeHead(202).end('Accepted');
				return stream?.write(sseMessage(rpcResult(id, method === 'ping' ? {} : (usualAnswers[method] ?? {}))));
			};
		}
		ways['server/discover'] = ({ response }) => response.writeHead(404).end();
		return { ways, end: () => stream?.end() };
	};

	it('may speak the older transport, by its entry or because it takes no messages otherwise', async () => {
		for (const more of [{ type: 'sse' }, {}]) {
			const older = olderWays();
			const { at, call, failed } = await serve(older.ways, more);
			assert.equal(await call(), 'over');
			older.end();
			assert.match(await failed(), /it ended its stream/);
			assert.equal(at.received.filter(({ method }) => method === 'GET').length, 1);
		}
	});

	it('takes messages of the older transport at its own address only, and says what is wrong', async () => {
		const elsewhere = await serve(olderWays('http://127.0.0.2:1/messages').ways, { type: 'sse' });
		assert.match(await elsewhere.failure(), /^MCP_SERVER_FAILED: [^]*Endpoint origin does not match/);
		const closed = await serve({ GET: ({ response }) => response.writeHead(403).end() }, { type: 'sse' });
		assert.match(await closed.failure(), /does not let you in \(status 403\)/);
	});
});

/** Id of the last call that the site received. */
function calledAs({ received }: HttpSite): number {
	const body = received.findLast((each) => each.body.includes('tools/call'))?.body ?? '{}';
	return (JSON.parse(body) as { readonly id: number }).id;
}
