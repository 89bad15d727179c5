/** `prowess web` with a certificate: who may reach it from another machine, and what that gets. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { fileURLToPath } from 'node:url';
import jsqr from 'jsqr';
import { WebSocket } from 'ws';
import { webLimits } from '../../../src/host/doors/limits.ts';
import { openListeningDoor } from '../../../src/host/doors/listening.ts';
import { readCertificate, readEncryption } from '../../../src/host/doors/web/certificate.ts';
import { formatPairingCode } from '../../../src/host/doors/web/pairing-code.ts';
import { isLoopbackAddress } from '../../../src/machine/http/server-here.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { WebScene } from '../../support/web-scene.ts';

const pem = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
const ours = pem('self-signed');

/** Address of this machine that other machines use; where it has none, the second of loopback, which is judged like one. */
const far = Object.values(networkInterfaces())
	.flatMap((found) => found ?? [])
	.find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe('prowess web with a certificate', function () {
	this.timeout(30_000);
	let scene: WebScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});

	interface Answer {
		readonly status: number;
		readonly cookie: string;
		readonly body: string;
	}
	async function asks(
		path: string,
		headers: Readonly<Record<string, string>>,
		{ body, host = '127.0.0.1' }: { readonly body?: string; readonly host?: string } = {},
	): Promise<Answer> {
		const method = body === undefined ? 'GET' : 'POST';
		const to = { host, port: scene?.port, path, method, headers, rejectUnauthorized: false, agent: false } as const;
		return await new Promise((resolve, reject) => {
			const sent = request(to, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
				response.on('end', () =>
					resolve({ status: response.statusCode ?? 0, cookie: response.headers['set-cookie']?.[0] ?? '', body: text }),
				);
			});
			sent.once('error', reject);
			sent.end(body);
		});
	}
	async function socket(headers: Readonly<Record<string, string>>, key: string): Promise<string> {
		const page = new WebSocket(`wss://127.0.0.1:${scene?.port}/socket`, { headers, rejectUnauthorized: false });
		try {
			return await new Promise((resolve) => {
				page.on('error', () => {});
				page.once('open', () => page.send(JSON.stringify({ key })));
				page.once('message', () => resolve('welcome'));
				page.once('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
				page.once('close', (code) => resolve(String(code)));
			});
		} finally {
			page.terminate();
		}
	}

	it('listens for other machines with one alone, whatever the address is called', async () => {
		for (const address of ['0.0.0.0', '::', '192.168.1.20', 'localhost', '', '127.0.0.1.nip.io', '::ffff:10.0.0.1']) {
			const wish = { port: 0, address, connections: 1, requestMs: 1_000 };
			await assert.rejects(openListeningDoor(wish, assert.fail), {
				code: 'INVALID_STATE',
				message: /there is no certificate/,
			});
		}
		assert.deepEqual(
			['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '10.0.0.1', ''].map(isLoopbackAddress),
			[true, true, true, false, false, false, false, false],
		);
	});

	it('is not needed for any address of loopback, which is the one that it names', async () => {
		const wish = { port: 0, address: '127.0.0.2', connections: 1, requestMs: 1_000 };
		const door = await openListeningDoor(wish, (_request, response) => response.end('here'));
		try {
			assert.deepEqual(door.origins, [`http://127.0.0.2:${door.port}`]);
			assert.equal(await (await fetch(door.origins[0] ?? '')).text(), 'here');
		} finally {
			door.close();
		}
	});

	it('is not served where the pair is no use, with the file and the reason', () => {
		const folder = tempDir('pairs');
		const write = (name: string, text: string) => {
			writeFileSync(join(folder, name), text);
			return join(folder, name);
		};
		const pipe = join(folder, 'pipe.pem');
		execFileSync('mkfifo', [pipe]);
		const nameless = write('none.pem', readFileSync(pem('private-ca'), 'utf8'));
		for (const [cert, key, why] of [
			[join(folder, 'missing.pem'), ours, /missing\.pem cannot be used: ENOENT/],
			[ours, join(folder, 'missing.pem'), /missing\.pem cannot be used: ENOENT/],
			[folder, ours, /cannot be used: /],
			['/dev/zero', ours, /cannot be used: /],
			[ours, pipe, /cannot be used: /],
			[write('text.pem', 'hello'), ours, /text\.pem cannot be used: /],
			[ours, write('empty.pem', ''), /empty\.pem cannot be used: /],
			[write('long.pem', 'x'.repeat(webLimits.certificateBytes + 1)), ours, /long\.pem cannot be used: /],
			[ours, pem('for-localhost'), /not the key of the certificate/],
			[pem('expired'), pem('expired'), /it expired on Jan {2}1 00:00:00 2021/],
			[nameless, ours, /not the key of the certificate/],
		] as const) {
			assert.throws(() => readCertificate(cert, key), { code: 'INVALID_STATE', message: why });
		}
		assert.throws(() => readCertificate(ours, ours, 0), { message: /it counts from .* on/ });
		assert.deepEqual(readCertificate(ours, ours).names, ['localhost']);
	});

	it('is served where it has patterns alone, and a name that no address can have, to the address that the user names', async () => {
		const pair = { cert: pem('patterns'), key: pem('patterns') };
		assert.throws(() => readEncryption(pair, [], assert.fail), {
			code: 'INVALID_STATE',
			message: /patterns\.pem cannot be used: .*name the address with --origin/,
		});
		const origins = ['https://machine.example.org'];
		const { certificate } = readEncryption(pair, origins, assert.fail);
		assert.ok(certificate);
		scene = await WebScene.open({ certificate, origins });
		assert.deepEqual(scene.origins, []);
		const statuses = await Promise.all(
			['machine.example.org', 'other.example.org', `machine.example.org:${scene.port}`].map((host) =>
				asks('/', { host }),
			),
		);
		assert.deepEqual(
			statuses.map(({ status }) => status),
			[200, 403, 403],
		);
	});

	it('serves the hosts that it names, over HTTPS alone, and no other name, origin or scheme', async () => {
		scene = await WebScene.open({ certificate: readCertificate(ours, ours), address: '0.0.0.0' });
		const { port } = scene;
		const host = `localhost:${port}`;
		assert.deepEqual(scene.origins, [`https://${host}`]);
		const code = await scene.code();
		const body = JSON.stringify({ code, name: 'phone' });
		const json = { host, 'content-type': 'application/json' };
		const statuses = await Promise.all([
			asks('/', { host }),
			asks('/', { host: `other.test:${port}` }),
			asks('/', { host: `${far ?? '10.0.0.1'}:${port}` }),
			asks('/', { host: 'localhost' }),
			asks('/pair', { ...json, origin: `http://${host}` }, { body }),
			asks('/pair', { ...json, origin: `https://other.test:${port}` }, { body }),
			asks('/pair', json, { body }),
		]);
		assert.deepEqual(
			statuses.map(({ status }) => status),
			[200, 403, 403, 403, 403, 403, 403],
		);
		await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
		assert.equal(await socket({ host, origin: `https://${host}` }, 'none'), '401');
		const paired = await asks('/pair', { ...json, origin: `https://${host}` }, { body });
		assert.equal(paired.status, 200);
		assert.match(paired.cookie, /; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000; Secure$/);
		const { key } = JSON.parse(paired.body) as { readonly key: string };
		const cookie = paired.cookie.split(';')[0] ?? '';
		assert.deepEqual(
			[
				await socket({ host, cookie, origin: `https://${host}` }, key),
				await socket({ host, cookie, origin: `http://${host}` }, key),
				await socket({ host: `other.test:${port}`, cookie, origin: `https://${host}` }, key),
				await socket({ host, cookie, origin: `https://${host}` }, 'guessed'),
			],
			['welcome', '403', '403', '4401'],
		);
	});

	it('is renewed for the next connection, without a start, and stays while the new one is no use', async () => {
		const folder = tempDir('renewed');
		const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
		const writes = (certOf: string, keyOf: string, keyMode = 0o600) => {
			writeFileSync(cert, readFileSync(pem(certOf)));
			writeFileSync(key, readFileSync(pem(keyOf)));
			chmodSync(key, keyMode);
		};
		writes('self-signed', 'self-signed');
		const warned: string[] = [];
		const { certificate } = readEncryption({ cert, key }, [], (message) => warned.push(message));
		assert.ok(certificate);
		scene = await WebScene.open({ certificate });
		const { port } = scene;
		const served = async () => {
			const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false });
			try {
				return await new Promise<string>((resolve, reject) => {
					socket.once('secureConnect', () => resolve(socket.getPeerCertificate().fingerprint256));
					socket.once('error', reject);
				});
			} finally {
				socket.destroy();
			}
		};
		const serves = async (name: string) => {
			const { fingerprint256 } = new X509Certificate(readFileSync(pem(name)));
			await waitFor(`the certificate ${name}`, async () => (await served()) === fingerprint256);
		};
		await serves('self-signed');
		writes('for-localhost', 'self-signed');
		await waitFor('a warning', async () => {
			await served();
			return warned[0];
		});
		writes('expired', 'expired');
		await waitFor('another warning', async () => {
			await served();
			return warned[1];
		});
		assert.match(warned[0] ?? '', /key\.pem cannot be used: it is not the key of the certificate/);
		assert.match(warned[1] ?? '', /cert\.pem cannot be used: it expired on/);
		await serves('self-signed');
		writes('for-localhost', 'for-localhost');
		await serves('for-localhost');
		assert.equal((await asks('/', { host: `localhost:${port}` })).status, 200);
		assert.equal(warned.length, 2);
		writes('self-signed', 'self-signed', 0o640);
		await serves('self-signed');
		assert.match(warned[2] ?? '', /^Warning: other accounts of this machine can read .*key\.pem\. Make it yours alone/);
		writes('for-localhost', 'for-localhost');
		await serves('for-localhost');
		assert.equal(warned.length, 3);
	});

	it('takes no older protocol than TLS 1.2, and leaves places for others beside one machine that takes what it can', async () => {
		scene = await WebScene.open({ certificate: readCertificate(ours, ours), address: '0.0.0.0' });
		const { port } = scene;
		const old = connectSecurely({
			port,
			host: '127.0.0.1',
			maxVersion: 'TLSv1.1',
			minVersion: 'TLSv1',
			rejectUnauthorized: false,
		});
		const refused = await new Promise<string>((resolve) => {
			old.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
			old.once('secureConnect', () => resolve(old.getProtocol() ?? ''));
		});
		old.destroy();
		assert.match(refused, /ERR_SSL/);
		assert.notEqual(far, undefined, 'this machine has no address but loopback');
		const held: Socket[] = Array.from({ length: 60 }, () => connect(port, far ?? '').on('error', () => {}));
		await waitFor(
			'the end of those that are too many',
			() => held.filter(({ closed }) => closed).length >= held.length - webLimits.connectionsOfMachine,
		);
		assert.equal((await asks('/', { host: `localhost:${port}` })).status, 200);
		for (const each of held) each.destroy();
	});

	it('counts each connection to its several addresses, also where both come from one port of one machine', async () => {
		const wish = { port: 0, address: '0.0.0.0', connections: 1, requestMs: 10_000 };
		const door = await openListeningDoor({ ...wish, certificate: readCertificate(ours, ours) }, assert.fail);
		const reach = async (host: string, localPort?: number) => {
			const socket = connect({ host, port: door.port, localAddress: '127.0.0.1', localPort }).on('error', () => {});
			await once(socket, 'connect');
			return socket;
		};
		try {
			const first = await reach('127.0.0.1');
			const ended = once(first, 'close');
			const other = await reach('127.0.0.2', first.localPort);
			await ended;
			assert.equal(other.destroyed, false);
			other.destroy();
		} finally {
			door.close();
		}
	});

	it('shows the address with its code as a picture that a phone reads', () => {
		const address = 'https://machine.example.ts.net:8377/#K3NF-7QXA';
		const rows = formatPairingCode(address);
		const [width, height] = [rows[0]?.length ?? 0, rows.length * 2];
		const scale = 4;
		const pixels = new Uint8ClampedArray(width * height * scale * scale * 4).fill(255);
		for (let y = 0; y < height * scale; y += 1) {
			for (let x = 0; x < width * scale; x += 1) {
				const block = rows[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? ' ';
				const isUpper = Math.floor(y / scale) % 2 === 0;
				const isDark = block === '█' || block === (isUpper ? '▀' : '▄');
				if (isDark) pixels.fill(0, (y * width * scale + x) * 4, (y * width * scale + x) * 4 + 3);
			}
		}
		assert.equal(jsqr.default(pixels, width * scale, height * scale)?.data, address);
		assert.ok(width <= 50 && rows.length <= 25, `${width} × ${rows.length} characters`);
	});
});
