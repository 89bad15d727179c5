import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { Emitter } from '../../base/emitter.ts';
import { httpSite, rawSite, type Received } from '../../../test/support/http-site.ts';
import { serverElsewhere } from '../../../test/support/server-elsewhere.ts';
import { testHost } from '../../../test/support/host-ports.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { parseAllowRules } from '../../trust/gate/policy/rules/allow-rule.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { RESPONSE_BYTES } from '../../machine/http/limits.ts';
import type { HostAddress } from '../../machine/http/resolve-host.ts';

const canary = 'canary-0123456789-canary';
const capability = {
	kind: 'execution',
	threadId: null,
	executionId: 'e1',
	capability: 'skill/test',
	permissions: new Set<never>(),
	level: 'SAFE',
} as const;

describe('requests to other machines', () => {
	let disk: WorkspaceOnDisk | undefined;
	const closing: (() => Promise<void>)[] = [];

	afterEach(async () => {
		await Promise.all(closing.splice(0).map((close) => close()));
		await disk?.close();
		disk = undefined;
	});

	/** Every name leads to this machine; `listed` are those that may. */
	async function start(
		listed: readonly string[],
		resolve: (hostname: string) => readonly HostAddress[] = () => [{ address: '127.0.0.1', family: 4 }],
	) {
		const asked: string[] = [];
		const ended = new Emitter<{ readonly executionId: string }>();
		const secrets = testHost({
			secrets: {
				github: canary,
				pair: 'first-part:second-part:third',
				login: '{"idToken":"token-of-nobody","pass":"a: \\"word\\"","age":3600,"short":"x"}',
			},
		}).ports.secrets;
		disk = await workspaceOnDisk(
			{},
			{
				http: {
					allowedHosts: () => listed,
					resolve: async (hostname) => {
						asked.push(hostname);
						return resolve(hostname);
					},
				},
				secrets: new SecretVault(secrets, () => {}),
				onDidEndExecution: ended.event,
			},
		);
		const { perform } = disk;
		return {
			asked,
			end: (executionId: string) => ended.fire({ executionId }),
			get: (url: string, as?: Partial<OpContext>) => perform('http.get', { url, raw: true }, as),
			read: (url: string, as?: Partial<OpContext>) => perform('http.get', { url, raw: false }, as),
			request: (
				params: Partial<Parameters<typeof perform<'http.request'>>[1]> & { url: string },
				as?: Partial<OpContext>,
			) => perform('http.request', { method: 'GET', headers: {}, moreAuth: [], ...params }, as),
			prepare: (url: string) => disk?.ops['http.get'].prepare({ url, raw: true }, disk.context()),
			perform,
		};
	}

	async function site(answer?: (request: Received, response: ServerResponse) => void) {
		const made = await httpSite(answer);
		closing.push(made.close);
		return made;
	}

	async function elsewhere() {
		const made = await serverElsewhere();
		closing.push(made.close);
		return made;
	}

	async function raw(answer: Parameters<typeof rawSite>[0]) {
		const made = await rawSite(answer);
		closing.push(made.close);
		return made;
	}

	describe('the address', () => {
		for (const url of [
			'ftp://example.org/',
			'file:///etc/passwd',
			'javascript:alert(1)',
			'//example.org/',
			'http:example.org',
			'http://',
			'http://user@example.org/',
			'http://user:pass@example.org/',
			'http://example.org\\@evil.org/',
			'http://evil\u0000.example.org/',
			'http://evil%00.example.org/',
			'http://example。org/',
			'http://ⓔxample.org/',
			'http://bücher.example/',
			'http://example.org\u200b/',
			'http://exam ple.org/',
			'http://example.org/a b',
			'http://example.org/\r\nX: y',
			'http://example.org./',
			'http://example..org/',
			'http://0177.0.0.1/',
			'http://0x7f.0.0.1/',
			'http://0x7f000001/',
			'http://2130706433/',
			'http://127.1/',
			'http://127.0.0.1.',
			'http://[::FFFF:127.0.0.1]/',
			'http://[0:0::1]/',
			'http://example.org:99999/',
			`http://${'a'.repeat(64)}.org/`,
		]) {
			it(`is refused as ${JSON.stringify(url)} before anything is asked`, async () => {
				const { prepare, asked } = await start([]);
				await assert.rejects(async () => await prepare(url), { code: 'INVALID_PARAMS' });
				assert.deepEqual(asked, []);
			});
		}

		for (const host of [
			'0.0.0.0',
			'10.1.2.3',
			'100.64.0.1',
			'172.16.0.1',
			'192.168.1.1',
			'169.254.169.254',
			'192.0.0.192',
			'168.63.129.16',
			'198.18.0.1',
			'224.0.0.1',
			'255.255.255.255',
			'[::]',
			'[fe80::1]',
			'[fc00::1]',
			'[fd00:ec2::254]',
			'[ff02::1]',
			'[::ffff:7f00:1]',
			'[::ffff:5db8:d822]',
			'[64:ff9b::7f00:1]',
			'[2002:7f00:1::]',
			'[2001::1]',
		]) {
			it(`${host} is on this machine or its network, so it is refused`, async () => {
				const { get } = await start([]);
				await assert.rejects(get(`http://${host}/`), { code: 'HOST_REFUSED' });
			});
		}

		for (const host of ['127.0.0.1', '127.8.8.8', '[::1]', 'localhost', 'app.localhost']) {
			it(`${host} is refused to a capability, and asked about by its port where the agent means it`, async () => {
				const { get, prepare } = await start([]);
				await assert.rejects(get(`http://${host}:8/`, { caller: capability }), { code: 'HOST_REFUSED' });
				const prepared = await prepare(`http://${host}/`);
				assert.deepEqual(prepared?.targets, [{ kind: 'host', host: `${host}:80`, isHere: true }]);
			});
		}

		it('on this machine answers the agent once it is asked about, and only there', async () => {
			const [server, other] = [await elsewhere(), await elsewhere()];
			const { get, prepare } = await start([]);
			const prepared = await prepare(`http://localhost:${server.port}/`);
			assert.deepEqual(prepared?.targets, [{ kind: 'host', host: `localhost:${server.port}`, isHere: true }]);
			assert.equal((await get(`http://localhost:${server.port}/a`)).body, 'hello /a');
			const away = (to: string) =>
				get(`http://127.0.0.1:${server.port}/away?to=${encodeURIComponent(to)}`, { isAllowed: () => true });
			await assert.rejects(away(`http://127.0.0.1:${other.port}/`), { code: 'HOST_REFUSED' });
			assert.equal((await away('/b')).body, 'hello /b');
			const unasked = `http://127.0.0.1:${server.port}/away?to=http%3A%2F%2Flocalhost%3A${other.port}%2F`;
			assert.equal((await get(unasked, { isAllowed: () => false })).leadsTo, `http://localhost:${other.port}/`);
		});

		it('that only seems to be on this machine is refused', async () => {
			const server = await elsewhere();
			const { get } = await start([], (name) =>
				name === 'app.localhost'
					? [
							{ address: '127.0.0.1', family: 4 },
							{ address: '93.184.216.34', family: 4 },
						]
					: [{ address: '127.0.0.1', family: 4 }],
			);
			await assert.rejects(get(`http://app.localhost:${server.port}/`), { code: 'HOST_REFUSED' });
			await assert.rejects(get(`http://rebind.test:${server.port}/`), { code: 'HOST_REFUSED' });
		});

		it('that listens in Prowess itself, or in what it runs in, is refused without a question', async () => {
			const own = await site();
			const { prepare } = await start([]);
			await assert.rejects(async () => await prepare(`http://localhost:${own.port}/`), {
				code: 'HOST_REFUSED',
				message: `localhost:${own.port} is a port of Prowess itself, or of the editor that it runs in`,
			});
		});

		it('is looked up after the question, not before', async () => {
			const { prepare, asked } = await start([]);
			const prepared = await prepare('http://site.test/?data=x');
			assert.deepEqual(prepared?.targets, [{ kind: 'host', host: 'site.test' }]);
			assert.deepEqual(asked, []);
		});

		it('is refused when one of its addresses leads inside, and nothing is connected', async () => {
			const inner = await raw((socket) => socket.end());
			const { get } = await start([], () => [
				{ address: '93.184.216.34', family: 4 },
				{ address: '127.0.0.1', family: 4 },
			]);
			await assert.rejects(get(`http://rebind.test:${inner.port}/`), { code: 'HOST_REFUSED' });
			assert.equal(inner.connections(), 0);
		});

		it('is asked for once in each step, and just that is connected to', async () => {
			let times = 0;
			const web = await site();
			const { get, asked } = await start([`site.test:${web.port}`], () => {
				times += 1;
				return [{ address: times === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
			});
			assert.equal((await get(`http://site.test:${web.port}/`)).body, 'hello');
			assert.deepEqual(asked, ['site.test']);
		});

		it('with a zone or a name that nobody knows is refused', async () => {
			const zone = await start([], () => [{ address: 'fe80::1%eth0', family: 6 }]);
			await assert.rejects(zone.get('http://a.test/'), { code: 'HOST_REFUSED' });
			await disk?.close();
			const none = await start([], () => {
				throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
			});
			await assert.rejects(none.get('http://a.test/'), {
				code: 'REQUEST_FAILED',
				message: 'the host a.test cannot be found (ENOTFOUND)',
			});
		});

		it('inside is open to a host that the user listed, on that port only', async () => {
			const [web, other] = [await site(), await site()];
			const { get } = await start([`127.0.0.1:${web.port}`]);
			assert.equal((await get(`http://127.0.0.1:${web.port}/`)).status, 200);
			await assert.rejects(get(`http://127.0.0.1:${other.port}/`), { code: 'HOST_REFUSED' });
			assert.equal(other.received.length, 0);
		});
	});

	describe('a redirect', () => {
		for (const inner of [
			'http://127.0.0.1:PORT/',
			'http://0x7f.1:PORT/',
			'http://[::ffff:127.0.0.1]:PORT/',
			'//evil.test:PORT/',
		]) {
			it(`to ${inner} is refused`, async () => {
				const secret = await site();
				const web = await site((_request, response) => {
					response.writeHead(302, { location: inner.replace('PORT', String(secret.port)) }).end();
				});
				const { get } = await start([`site.test:${web.port}`]);
				await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'HOST_REFUSED' });
				assert.equal(secret.received.length, 0);
			});
		}

		for (const location of ['file:///etc/passwd', 'http://u:p@site.test/', 'gopher://x/']) {
			it(`to ${location} is refused`, async () => {
				const web = await site((_request, response) => response.writeHead(302, { location }).end());
				const { get } = await start([`site.test:${web.port}`]);
				await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'INVALID_PARAMS' });
			});
		}

		it('to a host that is not allowed is told, not followed', async () => {
			const other = await site();
			const web = await site((_request, response) => {
				response.writeHead(302, { location: `http://other.test:${other.port}/?stolen` }).end();
			});
			const { get } = await start([`site.test:${web.port}`, `other.test:${other.port}`]);
			const judged: unknown[] = [];
			const isAllowed = (target: unknown) => {
				judged.push(target);
				return false;
			};
			const answer = await get(`http://site.test:${web.port}/`, { isAllowed });
			assert.equal(answer.leadsTo, `http://other.test:${other.port}/?stolen`);
			assert.deepEqual(judged, [{ kind: 'host', host: `other.test:${other.port}` }]);
			assert.equal(other.received.length, 0);
			assert.equal(parseAllowRules([`http.get other.test:${other.port}`]).length, 1);
		});

		it('ends after five', async () => {
			const web = await site(({ path }, response) => {
				response.writeHead(302, { location: `/${Number(path.slice(1)) + 1}` }).end();
			});
			const { get } = await start([`site.test:${web.port}`]);
			await assert.rejects(get(`http://site.test:${web.port}/0`), { code: 'REQUEST_FAILED' });
			assert.equal(web.received.length, 6);
		});

		it('to another origin takes along neither secret nor body nor cookies', async () => {
			const other = await site();
			const web = await site((_request, response) => {
				response.writeHead(302, { location: `http://other.test:${other.port}/`, 'set-cookie': 'sid=1' }).end();
			});
			const { request } = await start([`site.test:${web.port}`, `other.test:${other.port}`]);
			await request({
				url: `http://site.test:${web.port}/`,
				method: 'POST',
				body: 'private',
				headers: { 'X-Trace': 'private', Accept: 'text/plain' },
				auth: { secret: 'github', scheme: 'bearer' },
			});
			assert.equal(web.received[0]?.headers.authorization, `Bearer ${canary}`);
			const [got] = other.received;
			assert.deepEqual([got?.method, got?.body, got?.headers.accept], ['GET', '', 'text/plain']);
			for (const name of ['authorization', 'cookie', 'x-trace', 'content-type']) {
				assert.equal(got?.headers[name], undefined, name);
			}
		});

		it('with 307 or 308 has no other origin change something, even if it may be asked', async () => {
			for (const [status, method] of [307, 308].flatMap((code) =>
				(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((each) => [code, each] as const),
			)) {
				const other = await site();
				const leadsTo = `http://other.test:${other.port}/taken`;
				const web = await site((_request, response) => response.writeHead(status, { location: leadsTo }).end());
				const { request } = await start([`site.test:${web.port}`, `other.test:${other.port}`]);
				const answer = await request({
					url: `http://site.test:${web.port}/`,
					method,
					body: 'private',
					headers: { 'X-Trace': 'private' },
					auth: { secret: 'github', scheme: 'bearer' },
				});
				assert.deepEqual([answer.status, answer.leadsTo], [status, leadsTo]);
				assert.equal(other.received.length, 0);
			}
		});

		it('that keeps its method keeps body and secret within its origin', async () => {
			const web = await site(({ path }, response) => {
				if (path === '/old') {
					response.writeHead(307, { location: '/new' }).end();
				} else {
					response.end('ok');
				}
			});
			const { request } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}/old`;
			await request({ url, method: 'PUT', body: 'x', auth: { secret: 'github', scheme: 'basic', user: 'me' } });
			assert.deepEqual(
				web.received.map(({ method, body, headers }) => [method, body, headers.authorization]),
				[1, 2].map(() => ['PUT', 'x', `Basic ${Buffer.from(`me:${canary}`).toString('base64')}`]),
			);
		});
	});

	describe('a header', () => {
		for (const [name, value] of [
			['Host', 'evil.org'],
			['Connection', 'keep-alive'],
			['Transfer-Encoding', 'chunked'],
			['Content-Length', '5'],
			['Upgrade', 'h2c'],
			['TE', 'trailers'],
			['Trailer', 'x'],
			['Proxy-Authorization', 'x'],
			['Cookie', 'a=b'],
			['Authorization', 'Bearer x'],
			['Accept-Encoding', 'zstd'],
			['Expect', '100-continue'],
			['X-HTTP-Method-Override', 'DELETE'],
			['X-Forwarded-For', '127.0.0.1'],
			['X-Original-URL', '/admin'],
			['X-A\r\nHost', 'evil.org'],
			['X-A:', 'b'],
			['X A', 'b'],
			['', 'b'],
			['__proto__', 'b'],
			['X-A', 'b\r\nHost: evil.org'],
			['X-A', 'b\nc'],
			['X-A', 'b\u0000c'],
			['X-A', 'bücher'],
			['Accept', 'a\u2028b'],
		] as const) {
			it(`${JSON.stringify(name)}: ${JSON.stringify(value)} is refused, and nothing is sent`, async () => {
				const web = await site();
				const { request } = await start([`site.test:${web.port}`]);
				const headers = Object.fromEntries([[name, value]]);
				await assert.rejects(request({ url: `http://site.test:${web.port}/`, headers }), { code: 'INVALID_PARAMS' });
				assert.equal(web.received.length, 0);
			});
		}

		it('given twice in different case is refused', async () => {
			const { request } = await start([]);
			const headers = { 'X-A': '1', 'x-a': '2' };
			await assert.rejects(request({ url: 'http://site.test/', headers }), { code: 'INVALID_PARAMS' });
		});

		it('of ours is what the server sees', async () => {
			const web = await site();
			const { request } = await start([`site.test:${web.port}`]);
			await request({ url: `http://site.test:${web.port}/p?q#f`, headers: { 'X-A': 'b' }, method: 'POST' });
			const [got] = web.received;
			assert.deepEqual([got?.path, got?.headers.host, got?.headers['x-a']], ['/p?q', `site.test:${web.port}`, 'b']);
			assert.deepEqual([got?.headers.connection, got?.headers['content-length']], ['close', '0']);
		});
	});

	describe('a secret', () => {
		it('is sent over https only, unless the user listed the host', async () => {
			const { request, asked } = await start([]);
			const auth = { secret: 'github', scheme: 'bearer' } as const;
			await assert.rejects(request({ url: 'http://site.test/', auth }), { code: 'INVALID_PARAMS' });
			assert.deepEqual(asked, []);
		});

		for (const name of ['Host', 'Cookie', 'X-Forwarded-For', 'Content-Length', 'X-A\r\nB']) {
			it(`is not sent in the header ${JSON.stringify(name)}`, async () => {
				const { request } = await start([]);
				const auth = { secret: 'github', scheme: 'header', name } as const;
				await assert.rejects(request({ url: 'https://site.test/', auth }), { code: 'INVALID_PARAMS' });
			});
		}

		it('goes into the address of the request alone, also where the server repeats it', async () => {
			const web = await site(({ path }, response) => {
				if (path?.startsWith('/old') === true) response.writeHead(302, { location: path.replace('old', 'new') }).end();
				else if (path?.startsWith('/out') === true)
					response.writeHead(307, { location: `http://other.test:1/?key=${encodeURIComponent(canary)}` }).end();
				else response.end('ok');
			});
			const { request } = await start([`site.test:${web.port}`]);
			const at = `http://site.test:${web.port}`;
			const auth = { secret: 'github', scheme: 'query', name: 'key' } as const;
			const key = encodeURIComponent(canary);
			const moved = await request({ url: `${at}/old?q=a%20b`, auth });
			assert.deepEqual(
				[moved.url, ...web.received.map(({ path }) => path)],
				[`${at}/new?q=a%20b`, `/old?q=a%20b&key=${key}`, `/new?q=a%20b&key=${key}`],
			);
			const led = await request({ url: `${at}/out`, method: 'POST', auth });
			assert.equal(led.leadsTo, 'http://other.test:1/');
		});

		for (const [name, url] of [
			['', ''],
			['a&b', ''],
			['key', '?key=mine'],
		] as const) {
			it(`is not sent as the parameter ${JSON.stringify(name)} of ${JSON.stringify(url)}`, async () => {
				const { request, asked } = await start([]);
				const auth = { secret: 'github', scheme: 'query', name } as const;
				await assert.rejects(request({ url: `https://site.test/${url}`, auth }), { code: 'INVALID_PARAMS' });
				assert.deepEqual(asked, []);
			});
		}

		it('goes into a field of the body alone, whose other bytes stay, and not to where a redirect turns it into a GET', async () => {
			const web = await site(({ path }, response) => {
				if (path === '/303') response.writeHead(303, { location: '/307' }).end();
				else if (path === '/307') response.writeHead(307, { location: '/' }).end();
				else response.end('ok');
			});
			const { request } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}`;
			const auth = { secret: 'github', scheme: 'body', name: 'key' } as const;
			const moreAuth = [{ ...auth, name: 'again' }];
			const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
			await request({ url: `${url}/307`, method: 'POST', body: '{"n": 12345678901234567890.0 }\n', auth, moreAuth });
			await request({ url: `${url}/303`, method: 'POST', body: ' { } ', auth });
			await request({ url, method: 'PUT', body: 'a=b+c', headers: form, auth });
			await request({ url, method: 'PUT', headers: form, auth });
			const whole = `{"n": 12345678901234567890.0,"key":"${canary}","again":"${canary}"}`;
			assert.deepEqual(
				web.received.map(({ method, path, body }) => [method, path, body]),
				[
					['POST', '/307', whole],
					['POST', '/', whole],
					['POST', '/303', `{"key":"${canary}"}`.replace('{', ' {')],
					['GET', '/307', ''],
					['GET', '/', ''],
					['PUT', '/', `a=b+c&key=${encodeURIComponent(canary)}`],
					['PUT', '/', `key=${encodeURIComponent(canary)}`],
				],
			);
		});

		for (const [body, name] of [
			['[1]', 'key'],
			['{"key": null}', 'key'],
			['a=b', 'key'],
			[undefined, 'key'],
			['{}', 'a"b'],
			['{}', undefined],
		] as const) {
			it(`is not sent as the field ${String(name)} of the body ${String(body)}`, async () => {
				const { request, asked } = await start([]);
				const auth = { secret: 'github', scheme: 'body', name } as const;
				const asking = request({ url: 'https://site.test/', method: 'POST', body, auth });
				await assert.rejects(asking, { code: 'INVALID_PARAMS' });
				assert.deepEqual(asked, []);
			});
		}

		it('is sent in parts: fields of one that is an object of JSON, texts between colons of any other', async () => {
			const web = await site();
			const { request } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}/`;
			const send = async (secret: string, first: string, second: string) => {
				await request({
					url,
					method: 'POST',
					body: '{}',
					auth: { secret, part: first, scheme: 'bearer' },
					moreAuth: [{ secret, part: second, scheme: 'body', name: 'b' }],
				});
				const { headers, body } = web.received.at(-1) ?? {};
				return [headers?.authorization, body];
			};
			assert.deepEqual(await send('pair', '1', '2'), ['Bearer first-part', '{"b":"second-part"}']);
			assert.deepEqual(await send('login', 'idToken', 'pass'), ['Bearer token-of-nobody', '{"b":"a: \\"word\\""}']);
			for (const [secret, part] of [
				...[['pair', '0'] as const, ['pair', '4'] as const, ['pair', 'x'] as const, ['pair', '3'] as const],
				...[['login', '1'] as const, ['login', 'toString'] as const, ['login', 'age'] as const],
			]) {
				await assert.rejects(send(secret, part, '1'), { code: 'INVALID_PARAMS' }, `${secret} ${part}`);
			}
			assert.equal(web.received.length, 2);
		});

		it('shares no header with another', async () => {
			const { request, asked } = await start([]);
			const auth = { secret: 'github', scheme: 'bearer' } as const;
			const moreAuth = [{ secret: 'pair', scheme: 'header', name: 'Authorization' } as const];
			await assert.rejects(request({ url: 'https://site.test/', auth, moreAuth }), { code: 'INVALID_PARAMS' });
			assert.deepEqual(asked, []);
		});

		it('that does not exist sends nothing', async () => {
			const web = await site();
			const { request } = await start([`site.test:${web.port}`]);
			const auth = { secret: 'gitlab', scheme: 'bearer' } as const;
			await assert.rejects(request({ url: `http://site.test:${web.port}/`, auth }), { code: 'SECRET_NOT_FOUND' });
			assert.equal(web.received.length, 0);
		});

		it('is a target bound to its host', async () => {
			await start([]);
			const auth = { secret: 'github', scheme: 'bearer' } as const;
			const params = { method: 'POST' as const, url: 'https://api.test/x', headers: {}, auth, moreAuth: [] };
			assert.ok(disk !== undefined);
			const { targets, detail } = await disk.ops['http.request'].prepare(params, disk.context());
			assert.deepEqual(targets, [
				{ kind: 'host', host: 'api.test' },
				{ kind: 'secret', name: 'github', host: 'api.test' },
			]);
			assert.deepEqual(detail, { kind: 'text', text: 'POST https://api.test/x\nwith the secret "github" (bearer)' });
		});
	});

	describe('a response', () => {
		const within = async <T>(ms: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
			const limit = deriveSignal(new AbortController().signal, { what: 'http.get', timeoutMs: ms });
			try {
				return await act(limit.signal);
			} finally {
				limit.dispose();
			}
		};

		it('that says it is too large is not read', async () => {
			const web = await site((_request, response) => {
				response.writeHead(200, { 'content-length': RESPONSE_BYTES + 1 });
				response.write('x');
			});
			const { get } = await start([`site.test:${web.port}`]);
			await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'RESPONSE_TOO_LARGE' });
		});

		it('that does not end is cut off at the limit', async () => {
			let sent = 0;
			const web = await site((_request, response) => {
				const more = () => {
					while (!response.destroyed && response.write(Buffer.alloc(65_536))) {
						sent += 65_536;
					}
				};
				response.on('drain', more);
				more();
			});
			const { get } = await start([`site.test:${web.port}`]);
			await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'RESPONSE_TOO_LARGE' });
			assert.ok(sent < RESPONSE_BYTES * 8, `${sent} bytes were sent`);
		});

		for (const [encoding, pack] of [
			['gzip', gzipSync],
			['deflate', deflateSync],
			// The highest quality, which is the default, takes seconds to make one.
			['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
		] as readonly [string, (bytes: Buffer) => Buffer][]) {
			it(`that unpacks to a thousand times its size (${encoding}) is not unpacked whole`, async () => {
				const bomb = pack(Buffer.alloc(200 * 1024 * 1024));
				assert.ok(bomb.length < 1024 * 1024);
				const web = await site((_request, response) => {
					// Left open: what has come must be enough to stop.
					response.writeHead(200, { 'content-encoding': encoding });
					response.write(bomb);
				});
				const { get } = await start([`site.test:${web.port}`]);
				const before = process.memoryUsage().rss;
				await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'RESPONSE_TOO_LARGE' });
				assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024);
			});

			it(`in ${encoding} is unpacked`, async () => {
				const web = await site((_request, response) => {
					response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain' });
					response.end(pack(Buffer.from('grüße')));
				});
				const { get } = await start([`site.test:${web.port}`]);
				assert.equal((await get(`http://site.test:${web.port}/`)).body, 'grüße');
			});
		}

		it('of several megabytes comes whole, however slowly it is unpacked', async () => {
			const bytes = randomBytes(4 * 1024 * 1024);
			const web = await site((_request, response) => {
				response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'image/x' }).end(gzipSync(bytes));
			});
			const { get } = await start([`site.test:${web.port}`]);
			const { body } = await get(`http://site.test:${web.port}/`);
			assert.ok(Buffer.from(body, 'base64').equals(bytes));
		});

		for (const [name, headers, body] of [
			['broken gzip', { 'content-encoding': 'gzip' }, 'no gzip'],
			['an encoding nobody asked for', { 'content-encoding': 'zstd' }, 'x'],
			['two encodings', { 'content-encoding': 'gzip, gzip' }, 'x'],
		] as const) {
			it(`in ${name} fails`, async () => {
				const web = await site((_request, response) => response.writeHead(200, headers).end(body));
				const { get } = await start([`site.test:${web.port}`]);
				await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'REQUEST_FAILED' });
			});
		}

		for (const [name, head] of [
			['its headers', 'HTTP/1.1 200 OK\r\nX-A: '],
			['its body', 'HTTP/1.1 200 OK\r\n\r\n'],
			[
				'a packed body',
				Buffer.concat([
					Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'),
					// The head of a stream, and the beginning of a block that is stored as it is.
					Buffer.from('1f8b0800000000000003' + '00ffff0000', 'hex'),
				]),
			],
		] as const) {
			it(`that trickles ${name} ends with the time limit`, async () => {
				let dripping: ReturnType<typeof setInterval> | undefined;
				const slow = await raw((socket) => {
					socket.write(head);
					dripping = setInterval(() => socket.write('a'), 20);
					socket.on('close', () => clearInterval(dripping));
				});
				const { get } = await start([`site.test:${slow.port}`]);
				await assert.rejects(
					within(300, (signal) => get(`http://site.test:${slow.port}/`, { signal })),
					{ code: 'TIMEOUT' },
				);
			});
		}

		it('that never comes ends with the time limit', async () => {
			const silent = await raw(() => {});
			const { get } = await start([`site.test:${silent.port}`]);
			await assert.rejects(
				within(200, (signal) => get(`http://site.test:${silent.port}/`, { signal })),
				{ code: 'TIMEOUT' },
			);
		});

		for (const [name, bytes] of [
			['no HTTP', 'SSH-2.0-x\r\n'],
			['nothing', ''],
			['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
			['headers without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
			['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
			['less than it said', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx'],
		] as const) {
			it(`of ${name} fails`, async () => {
				const web = await raw((socket) => {
					socket.once('data', () => socket.end(bytes));
				});
				const { get } = await start([`site.test:${web.port}`]);
				await assert.rejects(get(`http://site.test:${web.port}/`), { code: 'REQUEST_FAILED' });
			});
		}

		it('is Markdown for a model where it is a page, and its source for a capability and who asks for it', async () => {
			const source = '<script>x()</script><h1>Gr\xfc\xdfe</h1><p>to <a href="/you">you</a></p>';
			const web = await site(({ path }, response) => {
				const type = path === '/page' ? 'text/html; charset=iso-8859-1' : 'application/json';
				response.writeHead(200, { 'content-type': type }).end(Buffer.from(source, 'latin1'));
			});
			const { get, read } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}`;
			const page = await read(`${url}/page`);
			assert.deepEqual([page.body, page.isMarkdown], [`# Grüße\n\nto [you](${url}/you)`, true]);
			assert.equal((await get(`${url}/page`)).body, source);
			assert.equal((await read(`${url}/page`, { caller: capability })).body, source);
			assert.equal((await read(`${url}/data`)).isMarkdown, undefined);
		});

		it('is text where it says so, otherwise base64', async () => {
			const kinds: Readonly<Record<string, readonly [string | undefined, Buffer]>> = {
				'/json': ['application/problem+json', Buffer.from('{"a":1}')],
				'/latin': ['text/html; charset=iso-8859-1', Buffer.from([0x66, 0xfc])],
				'/png': ['image/png', Buffer.from([0x89, 0x50])],
				'/none': [undefined, Buffer.from('plain')],
				'/bytes': [undefined, Buffer.from([0xff, 0xfe, 0])],
				'/odd': ['text/plain; charset=nobody-knows', Buffer.from('a')],
			};
			const web = await site(({ path }, response) => {
				const [type, body] = kinds[path] ?? [undefined, Buffer.alloc(0)];
				response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
			});
			const { get } = await start([`site.test:${web.port}`]);
			const bodies = await Promise.all(
				Object.keys(kinds).map(async (path) => (await get(`http://site.test:${web.port}${path}`)).body),
			);
			assert.deepEqual(bodies, ['{"a":1}', 'fü', 'iVA=', 'plain', '//4A', 'YQ==']);
		});
	});

	describe('cookies', () => {
		it('go back to their host and path, and to no other caller', async () => {
			const web = await site(({ path }, response) => {
				if (path === '/login/in') {
					response.setHeader('set-cookie', [
						'sid=1; Path=/; HttpOnly',
						'here=2',
						'gone=3; Max-Age=0',
						'wide=4; Domain=test; Path=/',
						'foreign=5; Domain=other.test',
						'safe=6; Secure',
						'__Host-x=7; Path=/',
					]);
				}
				response.end();
			});
			const { get, perform } = await start([`site.test:${web.port}`, `other.test:${web.port}`]);
			const cookiesAt = async (url: string, as?: Partial<OpContext>) => {
				await get(url, as);
				return web.received.at(-1)?.headers.cookie;
			};
			const answer = await get(`http://site.test:${web.port}/login/in`);
			assert.equal(answer.headers['set-cookie'], undefined);
			assert.equal(await cookiesAt(`http://site.test:${web.port}/`), 'sid=1; wide=4');
			assert.equal(await cookiesAt(`http://site.test:${web.port}/login/x`), 'here=2; sid=1; wide=4');
			assert.equal(await cookiesAt(`http://other.test:${web.port}/`), undefined);
			const caller = capability;
			assert.equal(await cookiesAt(`http://site.test:${web.port}/`, { caller }), undefined);
			const url = `http://site.test:${web.port}/`;
			assert.deepEqual((await perform('cookie.get', { url })).cookies.length, 2);
			assert.deepEqual((await perform('cookie.get', { url }, { caller })).cookies, []);
			assert.deepEqual(await perform('cookie.clear', {}), { removed: 3 });
			assert.equal(await cookiesAt(url), undefined);
		});

		it('are gone when the execution that they belong to has ended, and no others', async () => {
			const web = await site((_, response) => {
				response.setHeader('set-cookie', 'sid=1; Path=/');
				response.end();
			});
			const { get, perform, end } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}/`;
			const caller = capability;
			await get(url, { caller });
			await get(url);
			end('exe_another');
			assert.equal((await perform('cookie.get', { url }, { caller })).cookies.length, 1);
			end(caller.executionId);
			assert.deepEqual((await perform('cookie.get', { url }, { caller })).cookies, []);
			assert.equal((await perform('cookie.get', { url })).cookies.length, 1);
		});

		it('are bounded, however many a server sets', async () => {
			const web = await site(({ path }, response) => {
				response.setHeader('set-cookie', [`c${path.slice(1)}=1; Path=/`, `big=${'x'.repeat(5000)}; Path=/`]);
				response.end();
			});
			const { get, perform } = await start([`site.test:${web.port}`]);
			const url = `http://site.test:${web.port}/`;
			for (let n = 0; n < 60; n++) {
				await get(`${url}${n}`);
			}
			assert.equal((await perform('cookie.get', { url })).cookies.length, 50);
		});
	});
});
