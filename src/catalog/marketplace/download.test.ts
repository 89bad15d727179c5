import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { httpSite, rawSite } from '../../../test/support/http-site.ts';
import { indexFolder, marketplaceScene, never } from '../../../test/support/marketplace-scene.ts';

const install = { capability: { name: 'greet' }, scope: 'global' } as const;

/** An index at an address, whose archive is answered as the test says. */
async function site(archive: (response: ServerResponse, bytes: Buffer, port: number) => void) {
	const folder = await indexFolder([{}]);
	const bytes = readFileSync(join(folder, 'skill-greet-1.0.0.zip'));
	const server = await httpSite(({ path }, response) => {
		if (path === '/index.json') {
			response.end(readFileSync(join(folder, 'index.json')));
		} else {
			archive(response, bytes, server.port);
		}
	});
	return server;
}

function redirect(response: ServerResponse, to: string): void {
	response.writeHead(302, { location: to }).end();
}

describe('a download', () => {
	const attacks: readonly (readonly [
		string,
		RegExp,
		(response: ServerResponse, bytes: Buffer, port: number) => void,
	])[] = [
		['of no bytes', /has 0 bytes, the index says/, (response) => response.end()],
		['that is shorter than it should be', /the index says/, (response, bytes) => response.end(bytes.subarray(0, 100))],
		[
			'that is longer than it should be',
			/the index says/,
			(response, bytes) => response.end(Buffer.concat([bytes, bytes])),
		],
		[
			'that is broken off',
			/failed|aborted/,
			(response, bytes) => {
				response.writeHead(200, { 'content-length': bytes.length });
				response.write(bytes.subarray(0, 100), () => response.destroy());
			},
		],
		['that is a web page', /looks like a web page/, (response) => response.end('<html>Sign in first</html>')],
		['that is an error with status 200', /looks like JSON/, (response) => response.end('{"error":"not found"}')],
		['with another status', /answers with status 503/, (response) => response.writeHead(503).end('later')],
		[
			'with other bytes',
			/its sha256 is/,
			(response, bytes) => {
				const other = Buffer.from(bytes);
				other.writeUInt8(other.readUInt8(60) ^ 1, 60);
				response.end(other);
			},
		],
		[
			'that says it is too large',
			/the limit is 20971520/,
			(response) => response.writeHead(200, { 'content-length': 30_000_000 }).flushHeaders(),
		],
		['that redirects without end', /more than 5 redirects/, (response) => redirect(response, '/again.zip')],
		[
			'that redirects to this machine',
			/on this machine or its network/,
			(response, _bytes, port) => redirect(response, `https://inner.test:${port}/x.zip`),
		],
		[
			'that redirects to a file',
			/only http and https are followed/,
			(response) => redirect(response, 'file:///etc/passwd'),
		],
		[
			'that redirects to plain http elsewhere',
			/only https is accepted/,
			(response, _bytes, port) => redirect(response, `http://inner.test:${port}/x.zip`),
		],
		[
			'that says it is packed and is not',
			/failed|incorrect header/i,
			(response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
		],
	];
	for (const [what, about, answer] of attacks) {
		it(`${what} is refused, and nothing of it is left`, async () => {
			const { port, close } = await site(answer);
			const { marketplace, home, ledger } = marketplaceScene([`http://market.test:${port}/`]);
			try {
				await assert.rejects(marketplace.install(install, never), { code: 'DOWNLOAD_FAILED', message: about });
			} finally {
				await close();
			}
			assert.equal(existsSync(join(home, 'capabilities/skill/greet')), false);
			assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
			assert.deepEqual(
				ledger.rows.map(({ op, kind, status }) => `${op} ${kind} ${status ?? ''}`),
				[
					'marketplace.read intent ',
					'marketplace.read outcome done',
					'marketplace.install intent ',
					'marketplace.install outcome failed',
				],
			);
		});
	}

	it('that trickles ends with its time', async () => {
		const folder = await indexFolder([{}]);
		const index = readFileSync(join(folder, 'index.json'));
		const timers = new Set<NodeJS.Timeout>();
		const trickle = (socket: Socket) => {
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
			const timer = setInterval(() => socket.write('x'), 20);
			timers.add(timer);
			socket.once('close', () => clearInterval(timer));
		};
		const { port, close } = await rawSite((socket) =>
			socket.once('data', (data) => {
				if (data.toString('latin1').startsWith('GET /index.json')) {
					socket.end(
						`HTTP/1.1 200 OK\r\nContent-Length: ${index.length}\r\nConnection: close\r\n\r\n${index.toString('utf8')}`,
					);
				} else {
					trickle(socket);
				}
			}),
		);
		const { marketplace } = marketplaceScene([`http://market.test:${port}/`], { downloadTimeoutMs: 2_000 });
		try {
			await assert.rejects(marketplace.install(install, never), {
				code: 'DOWNLOAD_FAILED',
				message: /longer than 2000 ms/,
			});
		} finally {
			await close();
		}
		assert.ok(timers.size > 0);
	});

	it('is stopped by the signal', async () => {
		const stop = new AbortController();
		const { port, close } = await site((response) => {
			response.writeHead(200, { 'content-length': 1000 }).flushHeaders();
			stop.abort(new Error('the user stopped it'));
		});
		const { marketplace } = marketplaceScene([`http://market.test:${port}/`]);
		try {
			await assert.rejects(marketplace.install(install, stop.signal), { message: 'the user stopped it' });
		} finally {
			await close();
		}
	});

	it('that redirects to another host is taken, because the hash names its bytes', async () => {
		const { port, received, close } = await site((response, bytes, own) =>
			received.some(({ path }) => path === '/moved.zip')
				? response.end(bytes)
				: redirect(response, `http://mirror.test:${own}/moved.zip`),
		);
		const { marketplace } = marketplaceScene([`http://market.test:${port}`], {
			allowedHosts: () => ['market.test', 'mirror.test'],
		});
		try {
			assert.equal((await marketplace.install(install, never)).version, '1.0.0');
		} finally {
			await close();
		}
	});
});

describe('an index at an address', () => {
	const problemOf = async (location: string) => {
		const { marketplace } = marketplaceScene([location], { allowedHosts: () => ['market.test', 'other.test'] });
		return (await marketplace.search({}, never)).indexes[0]?.problems[0] ?? '';
	};

	for (const [what, location, about] of [
		['over plain http, unless the host is listed', 'http://public.test/index.json', /only https is accepted/],
		['on this machine, unless the host is listed', 'https://inner.test/index.json', /on this machine or its network/],
		['with a password in it', 'https://me:secret@market.test/index.json', /user name or password/],
	] as const) {
		it(`is not read ${what}`, async () => {
			assert.match(await problemOf(location), about);
		});
	}

	it('may not send us to another host', async () => {
		const { port, close } = await httpSite((_request, response) =>
			redirect(response, `http://other.test:1/index.json`),
		);
		try {
			assert.match(
				await problemOf(`http://market.test:${port}/index.json`),
				/redirects to other\.test:1, another host/,
			);
		} finally {
			await close();
		}
	});

	it('is read no further than its limit', async () => {
		const { port, close } = await httpSite((_request, response) => response.end(Buffer.alloc(6 * 1_048_576, ' ')));
		try {
			assert.match(await problemOf(`http://market.test:${port}/index.json`), /the limit is 5242880 bytes/);
		} finally {
			await close();
		}
	});

	it('is asked for once in a while, not at each search', async () => {
		const { port, received, close } = await site((response, bytes) => response.end(bytes));
		const { marketplace } = marketplaceScene([`http://market.test:${port}/`]);
		try {
			await marketplace.search({}, never);
			await marketplace.search({ text: 'greet' }, never);
			assert.equal(received.length, 1);
			await marketplace.search({ refresh: true }, never);
			assert.equal(received.length, 2);
		} finally {
			await close();
		}
	});
});
