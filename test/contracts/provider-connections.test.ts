/** How many connections the answers of an endpoint take, in each dialect, over real HTTP. */
import assert from 'node:assert/strict';
import { globalAgent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { waitFor } from '../support/wait-for.ts';
import { ask, never, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { dialects } from './written-streams.ts';

const ANSWERS = 5;
/** Their answers finish when the stream does. */
const ENDS_WITH_ITS_STREAM = ['google'];

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

		/** The end of an answer may come after all that it says. */
		const isFree = () =>
			Object.entries(globalAgent.freeSockets).some(([place]) => place.startsWith(`${new URL(endpoint.baseUrl).host}:`));

		async function readAll(): Promise<number> {
			for (let answer = 0; answer < ANSWERS; answer += 1) {
				assert.equal(await read(), 'Hello');
				await waitFor('the connection is free', isFree);
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
