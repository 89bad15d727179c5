/**
 * Checks the number of connections that the answers of an endpoint take in each dialect, and the failures on a
 * connection that was kept, over real HTTP.
 */
import assert from 'node:assert/strict';
import http, { Agent, createServer, globalAgent, request as forwarded } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import { streamLimits } from '../../src/server/models/limits.ts';
import type { ModelPart } from '../../src/server/models/model-port.ts';
import { postJson } from '../../src/server/models/providers/post-json.ts';
import type { Endpoint } from '../../src/server/models/providers/vendor.ts';
import { Refusals } from '../../src/server/models/streams/refusals.ts';
import { waitFor } from '../support/wait-for.ts';
import { ask, never, partsOf, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { dialects } from './written-streams.ts';

const ANSWERS = 5;
/** Their answers finish when the stream does. */
const ENDS_WITH_ITS_STREAM = ['google'];

/** The end of an answer may come after all that it says. */
function free({ baseUrl }: RawEndpoint): Promise<unknown> {
	const isFree = () =>
		Object.keys(globalAgent.freeSockets).some((place) => place.startsWith(`${new URL(baseUrl).host}:`));
	return waitFor('the connection is free', isFree);
}

for (const [name, dialect] of Object.entries(dialects)) {
	describe(`connections in the dialect of ${name}`, function () {
		this.timeout(30_000);
		let endpoint: RawEndpoint;
		beforeEach(async () => {
			endpoint = await startRawEndpoint();
		});
		afterEach(() => endpoint.close());

		const whole = dialect.stream({ text: 'Hello', end: 'stop' });

		async function read(): Promise<string> {
			const parts = [];
			for await (const part of dialect.open(endpoint).stream(ask('x'), never())) {
				parts.push(part);
			}
			return textOf(parts);
		}

		async function readAll(): Promise<number> {
			for (let answer = 0; answer < ANSWERS; answer += 1) {
				assert.equal(await read(), 'Hello');
				await free(endpoint);
			}
			return endpoint.connections.length;
		}

		async function closed(): Promise<void> {
			const [connection] = endpoint.connections;
			assert.ok(connection !== undefined);
			if (!connection.closed) await new Promise((resolve) => connection.once('close', resolve));
		}

		it('takes one for answers one after the other', async () => {
			endpoint.answers = [{ chunks: [whole] }];
			assert.equal(await readAll(), 1);
		});

		it('takes one when answers are packed', async () => {
			endpoint.answers = [{ headers: { 'content-encoding': 'gzip' }, chunks: [gzipSync(whole)] }];
			assert.equal(await readAll(), 1);
		});

		if (!ENDS_WITH_ITS_STREAM.includes(name)) {
			it('closes one whose answer has finished and does not end', async () => {
				endpoint.answers = [{ chunks: [whole], stays: true }];
				assert.equal(await read(), 'Hello');
				await closed();
			});

			it('closes one whose answer has finished and goes on', async () => {
				endpoint.answers = [
					{ chunks: [whole, ...Array.from({ length: 100 }, () => `: ${'x'.repeat(8_000)}\n`)], stays: true },
				];
				assert.equal(await read(), 'Hello');
				await closed();
			});
		}

		it('closes one whose reader stops in the middle', async () => {
			endpoint.answers = [{ chunks: [dialect.stream({ text: 'Hello', end: 'missing' })], stays: true }];
			for await (const part of dialect.open(endpoint).stream(ask('x'), never())) {
				if (part.kind === 'textDelta') break;
			}
			await closed();
		});
	});
}

describe('a connection that was kept', function () {
	this.timeout(30_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	const written = Object.entries(dialects).find(([name]) => name === 'openai-compatible')?.[1];
	assert.ok(written !== undefined);
	const dialect = written;
	const whole = { chunks: [dialect.stream({ text: 'Hello', end: 'stop' })] };
	const half = dialect.stream({ text: 'Half a', end: 'missing' });
	const read = (signal?: AbortSignal) => partsOf(dialect.open(endpoint), ask('x'), signal);
	const code = async (reading: Promise<unknown>) => {
		const error: unknown = await reading.then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		return isProwessError(error) ? error.code : error;
	};

	/** Reads one answer over one connection, and waits until that connection is free. */
	async function readFirst(signal?: AbortSignal): Promise<void> {
		endpoint.answers = [whole];
		assert.equal(textOf(await read(signal)), 'Hello');
		await free(endpoint);
	}

	it('is bound to the signal of no request', async () => {
		endpoint.answers = [whole];
		const request = new AbortController();
		const asked: Endpoint = {
			kind: 'openai-compatible',
			providerId: 'acme',
			modelId: 'm',
			baseUrl: endpoint.baseUrl,
			key: null,
			limits: streamLimits,
			imageData: () => undefined,
			refusals: new Refusals(),
		};
		const body = await postJson(asked, '/chat/completions', '{}', request.signal);
		await body.forEach(() => {});
		await free(endpoint);
		request.abort(new Error('the turn is over'));
		await turnOfTheLoop();
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(endpoint.connections.length, 1);
	});

	it('is not broken by the signal of a request that has finished', async () => {
		const first = new AbortController();
		await readFirst(first.signal);
		first.abort(new Error('the turn is over'));
		await turnOfTheLoop();
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(endpoint.connections.length, 1);
	});

	it('is not broken by the end of a turn whose answer is still being read out', async () => {
		const turn = new AbortController();
		for (let n = 0; n < ANSWERS; n += 1) {
			endpoint.answers = [whole];
			assert.equal(textOf(await read(turn.signal)), 'Hello');
		}
		turn.abort(new Error('the turn is over'));
		assert.equal(textOf(await read()), 'Hello');
		await free(endpoint);
	});

	it('carries the next answer whole when the request before it is aborted meanwhile', async () => {
		const first = new AbortController();
		await readFirst(first.signal);
		endpoint.answers = [{ chunks: [half], stays: true }];
		const stop = new AbortController();
		const parts: ModelPart[] = [];
		await assert.rejects(async () => {
			for await (const part of dialect.open(endpoint).stream(ask('x'), stop.signal)) {
				parts.push(part);
				first.abort(new Error('the first one'));
				await turnOfTheLoop();
				assert.equal(endpoint.connections[0]?.destroyed, false);
				stop.abort(new Error('the second one'));
			}
		}, /the second one/);
		assert.equal(textOf(parts), 'Half a');
		assert.equal(endpoint.connections.length, 1);
	});

	it('is closed by the abort of the request that runs on it, and the next one is whole', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [half], stays: true }, whole];
		const stop = new AbortController();
		await assert.rejects(async () => {
			for await (const part of dialect.open(endpoint).stream(ask('x'), stop.signal)) {
				if (part.kind === 'textDelta') stop.abort(new Error('stopped'));
			}
		}, /stopped/);
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(endpoint.connections.length, 2);
	});

	it('is given up at once by a request that is aborted before an answer', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [], stays: true }, whole];
		const stop = new AbortController();
		const reading = read(stop.signal);
		await waitFor('the second request', () => endpoint.requests.length === 2);
		stop.abort(new Error('stopped'));
		await assert.rejects(reading, /stopped/);
		assert.equal(textOf(await read()), 'Hello');
	});

	it('costs one more try when the endpoint closes it under the next request', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [], breaks: 'unanswered' }, whole];
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(endpoint.requests.length, 3);
		assert.equal(endpoint.connections.length, 2);
	});

	it('costs no third try', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [], breaks: 'unanswered' }];
		assert.equal(await code(read()), 'PROVIDER_UNREACHABLE');
		assert.equal(endpoint.requests.length, 3);
	});

	it('gives no second try to one that is new', async () => {
		endpoint.answers = [{ chunks: [], breaks: 'unanswered' }, whole];
		assert.equal(await code(read()), 'PROVIDER_UNREACHABLE');
		assert.equal(endpoint.requests.length, 1);
	});

	it('gives no second try once a byte of the answer has come', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [], breaks: 'head' }, whole];
		assert.equal(await code(read()), 'PROVIDER_UNREACHABLE');
		assert.equal(endpoint.requests.length, 2);
	});

	it('gives no second try to an answer that is cut in the middle', async () => {
		await readFirst();
		endpoint.answers = [{ chunks: [half], breaks: 'body' }, whole];
		assert.equal(await code(read()), 'STREAM_CUT');
		assert.equal(endpoint.requests.length, 2);
		assert.equal(textOf(await read()), 'Hello');
	});

	it('follows no redirect', async () => {
		await readFirst();
		endpoint.answers = [{ status: 307, headers: { location: `${endpoint.baseUrl}/elsewhere` }, chunks: [] }, whole];
		await assert.rejects(read(), /redirects are not followed/);
		assert.equal(endpoint.requests.length, 2);
		assert.equal(textOf(await read()), 'Hello');
	});

	it('stays after a refusal', async () => {
		await readFirst();
		endpoint.answers = [
			{ status: 429, headers: { 'content-type': 'application/json' }, chunks: ['{"error":"slow down"}'] },
			whole,
		];
		assert.equal(await code(read()), 'PROVIDER_RATE_LIMITED');
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(endpoint.connections.length, 1);
	});

	it('leads through the proxy of the environment', async () => {
		const asked: string[] = [];
		let connections = 0;
		const proxy = createServer((incoming, outgoing) => {
			asked.push(incoming.url ?? '');
			const { method, headers } = incoming;
			const onward = forwarded(incoming.url ?? '', { method, headers, agent: directly }, (answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] });
				answer.pipe(outgoing);
			});
			incoming.pipe(onward);
		}).on('connection', () => (connections += 1));
		const directly = new Agent({ keepAlive: true });
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		const { port } = proxy.address() as AddressInfo;
		const usual = http.globalAgent;
		// Node's types do not know it yet.
		const throughProxy = { keepAlive: true, proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${port}` } };
		const proxied = new Agent(throughProxy);
		http.globalAgent = proxied;
		try {
			endpoint.answers = [whole];
			for (let n = 0; n < ANSWERS; n += 1) {
				assert.equal(textOf(await read()), 'Hello');
				await waitFor('the connection is free', () => Object.keys(proxied.freeSockets).length === 1);
			}
			assert.deepEqual(
				asked,
				Array.from({ length: ANSWERS }, () => `${endpoint.baseUrl}/chat/completions`),
			);
			assert.equal(connections, 1);
		} finally {
			http.globalAgent = usual;
			proxied.destroy();
			directly.destroy();
			proxy.closeAllConnections();
			await new Promise((resolve) => proxy.close(resolve));
		}
	});
});
