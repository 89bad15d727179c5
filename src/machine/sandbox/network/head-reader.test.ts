import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { HeadReader } from './head-reader.ts';

describe('The beginning of what a client says', () => {
	const closing: (() => void)[] = [];
	afterEach(() => {
		for (const close of closing.splice(0)) close();
	});

	/** Both ends of a connection. */
	async function pair(): Promise<{ readonly client: Socket; readonly served: Socket }> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const accepted = once(server, 'connection') as Promise<[Socket]>;
		const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
		const [served] = await accepted;
		closing.push(() => {
			client.destroy();
			served.destroy();
			server.close();
		});
		return { client, served };
	}

	it('is found when it comes byte by byte, and what follows is left for the next reader', async () => {
		const { client, served } = await pair();
		client.setNoDelay(true);
		for (const byte of 'one\r\n\r\ntwo') client.write(byte);
		client.end();
		const reader = new HeadReader(served, 100);
		assert.equal((await reader.takeThrough('\r\n\r\n')).toString(), 'one\r\n\r\n');
		reader.giveBack();
		const rest: Buffer[] = [];
		for await (const piece of served) rest.push(piece as Buffer);
		assert.equal(Buffer.concat(rest).toString(), 'two');
	});

	it('may not be longer than the most, and must come before the end', async () => {
		const long = await pair();
		long.client.write('x'.repeat(200));
		await assert.rejects(new HeadReader(long.served, 100).takeThrough('\n'), /more than 100 bytes/);
		const short = await pair();
		short.client.end('x');
		await assert.rejects(new HeadReader(short.served, 100).take(2), /went before/);
		const gone = await pair();
		const waiting = new HeadReader(gone.served, 100).take(1);
		gone.served.destroy();
		await assert.rejects(waiting, /went before/);
	});
});
