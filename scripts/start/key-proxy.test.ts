import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { type KeyProxy, keptKey, startKeyProxy } from './key-proxy.ts';

const token = 'the-token';

describe('The proxy in front of the VS Code server', () => {
	let server: Server;
	let proxy: KeyProxy;
	let key: Buffer;

	beforeEach(async () => {
		server = createServer((incoming, outgoing) => {
			incoming
				.setEncoding('utf8')
				.on('data', (text: string) => outgoing.write(`${incoming.method} ${incoming.url} ${text}`));
			incoming.on('end', () => outgoing.end(`host ${incoming.headers.host}`));
		});
		server.on('upgrade', (_incoming, socket) => {
			socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
			socket.on('data', (text: Buffer) => socket.end(`echo ${text.toString()}`));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as { port: number };
		key = keptKey(join(tempDir('key'), 'browser-key'));
		proxy = await startKeyProxy({ origin: `http://127.0.0.1:${port}`, token }, key, 0);
	});
	afterEach(() => {
		proxy.close();
		server.close();
		server.closeAllConnections();
	});

	it('hands the key to the window that has the token, at any path that ends so', async () => {
		const { status, body } = await send('POST', '/stable/mint-key', `a=1; vscode-tkn=${token}`);
		assert.deepEqual([status, body], [200, key]);
	});

	it('hands it to nobody else', async () => {
		const { status, body } = await send('POST', '/mint-key', 'vscode-tkn=another');
		assert.deepEqual([status, body.length], [403, 0]);
	});

	it('passes everything else on with the host that the browser sees', async () => {
		const { status, body } = await send('POST', '/file?x=1', '', 'hello');
		assert.deepEqual([status, body.toString()], [200, `POST /file?x=1 hellohost ${new URL(proxy.origin).host}`]);
	});

	it('passes a WebSocket on', async () => {
		const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
		socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
		let received = '';
		socket.setEncoding('utf8').on('data', (text: string) => {
			received += text;
			if (text.includes('101')) socket.write('ping');
		});
		await once(socket, 'close');
		assert.match(received, /echo ping$/);
	});

	it('keeps its key for the next start, for its owner only', () => {
		const file = join(tempDir('key'), 'browser-key');
		const first = keptKey(file);
		assert.deepEqual(keptKey(file), first);
		assert.equal(readFileSync(file).length, 32);
		if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
	});

	async function send(
		method: string,
		path: string,
		cookie: string,
		text = '',
	): Promise<{ status: number; body: Buffer }> {
		const sent = request(proxy.origin + path, { method, headers: { cookie }, agent: false });
		sent.end(text);
		const [answer] = (await once(sent, 'response')) as [IncomingMessage];
		const parts: Buffer[] = [];
		for await (const part of answer) parts.push(part as Buffer);
		return { status: answer.statusCode ?? 0, body: Buffer.concat(parts) };
	}
});
