/** Attacks on `prowess web`: what is not a page of a paired browser gets nothing. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { deskRequests } from '../../../src/protocol/approvals/approvals.ts';
import { changeRequests } from '../../../src/protocol/approvals/changes.ts';
import { WEB_CLOSING } from '../../../src/protocol/doors/web-closing.ts';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { chatNotifications, viewRequests } from '../../../src/protocol/pages/chat-view.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { levelRequests } from '../../../src/protocol/thread/thread-level.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { modelRequests } from '../../../src/protocol/turn/models.ts';
import { webLimits } from '../../../src/host/doors/limits.ts';
import { type Paired, PageSocket, WebScene } from '../../support/web-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

describe('prowess web', function () {
	this.timeout(30_000);
	let scene: WebScene;
	let phone: Paired;
	beforeEach(async () => {
		scene = await WebScene.open();
		phone = await scene.pairs('phone');
	});
	afterEach(() => scene.close());

	/** Status of a request with these headers, which `fetch` would not let us choose. */
	async function status(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
		return await new Promise((resolve, reject) => {
			const sent = request({ port: scene.port, host: '127.0.0.1', path, method, headers }, (response) => {
				response.resume();
				resolve(response.statusCode ?? 0);
			});
			sent.once('error', reject);
			sent.end(method === 'POST' ? '{}' : undefined);
		});
	}
	/** Status with which a socket is refused, or the code of its end; `open` where it is welcome. */
	async function socket(headers: Readonly<Record<string, string>>, key = phone.key): Promise<number | 'open'> {
		const page = new PageSocket(scene.port, headers);
		const refused = new Promise<number>((resolve) => {
			page.socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
			page.socket.once('close', (code) => resolve(code));
		});
		const welcome = page.greets(key).then(
			() => 'open' as const,
			() => refused,
		);
		const result = await Promise.race([refused, welcome]);
		page.leaves();
		return result;
	}
	const own = () => ({ origin: scene.origin, cookie: phone.cookie });

	it('listens on 127.0.0.1 and no other address of this machine', async () => {
		const others = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
		const addresses = ['127.0.0.2', '::1', ...others.map(({ address }) => address)].filter(
			(each) => each !== '127.0.0.1',
		);
		const reached = addresses.map(
			(host) =>
				new Promise<boolean>((resolve) => {
					const socket = connect(scene.port, host, () => resolve(true)).once('error', () => resolve(false));
					socket.once('close', () => socket.destroy());
				}),
		);
		assert.deepEqual(new Set(await Promise.all(reached)), new Set([false]));
	});

	it('refuses another origin, another host name, and a socket from no page', async () => {
		const other = `http://127.0.0.1:${scene.port + 1}`;
		assert.deepEqual(
			await Promise.all([
				socket({ ...own(), origin: other }),
				socket({ ...own(), origin: 'null' }),
				socket({ cookie: phone.cookie }),
				socket({ ...own(), host: `rebound.example:${scene.port}` }),
				status('/', { host: `rebound.example:${scene.port}` }),
				status('/', { host: `127.0.0.1.nip.io:${scene.port}` }),
				status('/', { origin: 'http://rebound.example' }),
				status('/webview.js', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
				status('/', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }),
				status('/pair', { origin: other, 'content-type': 'application/json' }, 'POST'),
				status('/pair', { 'content-type': 'application/json' }, 'POST'),
			]),
			Array.from({ length: 11 }, () => 403),
		);
		assert.equal(await socket(own()), 'open');
	});

	it('refuses a form of another site, which sends no JSON', async () => {
		for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
			assert.equal(await status('/pair', { origin: scene.origin, 'content-type': type }, 'POST'), 415);
		}
		assert.equal(await status('/socket', { ...own() }, 'POST'), 405);
	});

	it('refuses a cookie without the key of its page, a key without its cookie, and those of two devices together', async () => {
		const laptop = await scene.pairs('laptop');
		assert.deepEqual(
			await Promise.all([
				socket(own(), 'guessed'),
				socket(own(), ''),
				socket(own(), laptop.key),
				socket({ origin: scene.origin }),
				socket({ origin: scene.origin, cookie: `prowess_device=${phone.cookie.slice(15, 31)}.${'A'.repeat(43)}` }),
			]),
			[4401, 4401, 4401, 401, 401],
		);
	});

	it('forgets a device for both of its secrets alone, from its own page', async () => {
		const laptop = await scene.pairs('laptop');
		const json = { 'content-type': 'application/json' };
		const forgets = async (headers: Readonly<Record<string, string>>, body: string) =>
			(await fetch(`${scene.origin}/forget`, { method: 'POST', headers, body })).status;
		const right = JSON.stringify({ key: phone.key });
		const { cookie } = phone;
		const other = `http://127.0.0.1:${scene.port + 1}`;
		const statuses = [
			await forgets({ ...json, origin: scene.origin }, right),
			await forgets({ ...json, ...own() }, JSON.stringify({ key: laptop.key })),
			await forgets({ ...json, ...own() }, '{}'),
			await forgets({ ...json, ...own() }, 'x'.repeat(2_000)),
			await forgets({ ...json, ...own(), cookie: laptop.cookie }, right),
			await forgets({ ...json, cookie, origin: other }, right),
			await forgets({ ...json, cookie }, right),
			await forgets({ ...own(), 'content-type': 'text/plain' }, right),
			await status('/forget', own()),
		];
		assert.deepEqual(statuses, [401, 401, 401, 401, 401, 403, 403, 415, 404]);
		assert.equal(scene.devices.list().length, 2);
		const page = await scene.page(phone);
		const beside = await scene.page(laptop);
		const answer = await fetch(`${scene.origin}/forget`, {
			method: 'POST',
			headers: { ...json, ...own() },
			body: right,
		});
		assert.equal(answer.status, 204);
		assert.match(answer.headers.get('set-cookie') ?? '', /^prowess_device=; HttpOnly; .*Max-Age=0$/);
		assert.equal(await page.ended(), WEB_CLOSING.unpaired);
		assert.equal(await socket(own()), 401);
		assert.equal((await beside.call(deskRequests.list, {}, never)).approvals.length, 0);
		const [row, ...others] = (await scene.rows('web.forget')).filter(({ kind }) => kind === 'outcome');
		assert.deepEqual([row?.input, others.length], ['phone: forget this browser', 0]);
	});

	it('lets a device in no more after its time, idle or in all', async () => {
		scene.laterMs = 7 * DAY_MS - 60_000;
		assert.equal(await socket(own()), 'open');
		await waitFor('the note that it was here', () =>
			scene.devices.list().some(({ seenAt }) => seenAt > Date.now() + DAY_MS),
		);
		scene.laterMs = 15 * DAY_MS;
		assert.equal(await socket(own()), 401);
		scene.laterMs = 13 * DAY_MS;
		const page = await scene.page(phone);
		scene.laterMs = 19 * DAY_MS;
		await waitFor('the note that it is still here', () =>
			scene.devices.list().some(({ seenAt }) => seenAt > Date.now() + 18 * DAY_MS),
		);
		scene.laterMs = 25 * DAY_MS;
		assert.equal((await page.call(deskRequests.list, {}, never)).approvals.length, 0);
		page.leaves();
		scene.laterMs = 0;
		for (let day = 0; day <= 30; day += 6) {
			scene.laterMs = day * DAY_MS;
			await socket(own());
		}
		scene.laterMs = 30 * DAY_MS;
		assert.equal(await socket(own()), 401);
	});

	it('takes a pairing code once, and none after five wrong ones', async () => {
		const code = await scene.code();
		assert.equal((await scene.tries(code, 'laptop')).status, 200);
		const replayed = await scene.tries(code, 'thief');
		assert.equal(replayed.status, 403);
		assert.deepEqual(await replayed.json(), {
			message: 'Not allowed. This code does not count, or not any more. Ask for another one with prowess web pair.',
		});
		const next = await scene.code();
		for (const guess of ['AAAA-AAAA', 'BBBB-BBBB', 'CCCC-CCCC', '']) await scene.tries(guess, 'thief');
		assert.equal((await scene.tries(next, 'thief')).status, 403);
		assert.deepEqual(
			scene.devices.list().map(({ name }) => name),
			['phone', 'laptop'],
		);
	});

	it('judges at most ten codes in a minute, and takes none that is too old', async () => {
		scene.laterMs = 0;
		const code = await scene.code();
		scene.laterMs = webLimits.codeMs;
		assert.equal((await scene.tries(code, 'late')).status, 403);
		const tries = await Promise.all(Array.from({ length: 20 }, () => scene.tries('AAAA-AAAA', 'thief')));
		assert.equal(tries.filter(({ status: each }) => each === 429).length, 12);
	});

	it('lets strangers use up no request of a paired browser', async () => {
		for (let sent = 0; sent <= webLimits.requestsPerMinute; sent += 20) {
			await Promise.all(Array.from({ length: 20 }, () => status('/nothing', {})));
		}
		assert.deepEqual([await status('/', {}), await status('/', { cookie: phone.cookie })], [429, 200]);
		assert.equal(await socket(own()), 'open');
	});

	it('keeps neither cookie, key nor code in its files, which nobody else can read', async () => {
		const code = await scene.code();
		const path = join(scene.turns.host.home, 'web', 'devices.json');
		const kept = readFileSync(path, 'utf8');
		for (const secret of [phone.key, phone.cookie.split('.')[1] ?? '', code, code.replace('-', '')]) {
			assert.equal(kept.includes(secret), false);
		}
		assert.equal(statSync(path).mode & 0o777, 0o600);
	});

	it('sets a cookie that no script and no other site has, and a page that loads nothing else', async () => {
		const answer = await scene.tries(await scene.code(), 'laptop');
		assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
		const page = await fetch(scene.origin);
		const policy = page.headers.get('content-security-policy') ?? '';
		assert.match(
			policy,
			/^default-src 'none'; script-src 'nonce-[0-9a-f]{64}'; style-src 'self'; .*connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
		);
		assert.equal((await page.text()).includes(scene.turns.host.workspace), false);
		assert.deepEqual(
			['/../package.json', '/%2e%2e/package.json', '/cli.mjs', '/devices.json'].length,
			(
				await Promise.all(
					['/../package.json', '/%2e%2e/package.json', '/cli.mjs', '/devices.json'].map((path) => status(path, {})),
				)
			).filter((each) => each === 404).length,
		);
	});

	it('tells a revoked device nothing more, also in the middle of a turn, and takes nothing from it', async () => {
		const page = await scene.page(phone);
		const threadId = await scene.turns.begin();
		await scene.devices.revoke(scene.devices.list()[0]?.id ?? '', never);
		const told = page.told.length;
		page.socket.send(
			JSON.stringify({ kind: 'request', id: 1, method: 'thread/prompt', params: { threadId, text: 'go' } }),
		);
		await scene.turns.sends(threadId, 'hello').catch(() => {});
		assert.equal(await page.ended(), 4401);
		assert.equal(page.told.length, told);
		assert.equal(await socket(own()), 401);
		assert.deepEqual((await scene.rows('web.thread/prompt')).length, 0);
	});

	it('drops 300 sockets that are no pages, and serves its own page all the while', async () => {
		const page = await scene.page(phone);
		const idle = Array.from({ length: 300 }, () => connect(scene.port, '127.0.0.1').on('error', () => {}));
		await waitFor(
			'most of them to be dropped',
			() => idle.filter(({ destroyed }) => destroyed).length >= 300 - webLimits.connections,
		);
		assert.deepEqual((await page.call(deskRequests.list, {}, never)).approvals, []);
		for (const each of idle) each.destroy();
		const settled = { open: 0, refused: 0 };
		const more = Array.from({ length: 12 }, () => new PageSocket(scene.port, own()));
		for (const { socket: each } of more) {
			each.once('open', () => (settled.open += 1));
			each.once('error', () => (settled.refused += 1));
		}
		await waitFor('all of them to be judged', () => settled.open + settled.refused === more.length);
		assert.ok(settled.open < webLimits.pagesOfDevice, `${settled.open} pages beside the first`);
		assert.equal((await page.call(threadRequests.list, {}, never)).threads.length, 0);
		for (const each of more) each.leaves();
	});

	it('serves a new connection at once while 700 others send nothing, or begin a request and do not end it', async () => {
		const page = await scene.page(phone);
		const { port } = scene;
		for (const beginning of ['', 'GET / HTTP/1.1\r\n']) {
			const held = Array.from({ length: 700 }, () => connect(port, '127.0.0.1').on('error', () => {}));
			for (const each of held) each.resume().write(beginning);
			await waitFor(
				'those that have no place to be gone',
				() => held.filter(({ closed }) => closed).length >= held.length - webLimits.connections,
			);
			assert.equal(await status('/', { host: `127.0.0.1:${port}` }), 200, beginning);
			assert.deepEqual((await page.call(deskRequests.list, {}, never)).approvals, []);
			for (const each of held) each.destroy();
		}
	});

	it('keeps no place for sockets that it has refused, whether or not they are closed there', async () => {
		const ask = `GET /socket HTTP/1.1\r\nhost: 127.0.0.1:${scene.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
		const halves: Socket[] = [];
		for (let round = 0; round < 3; round += 1) {
			const refused = Array.from({ length: 32 }, async () => {
				const half = connect({ port: scene.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
				halves.push(half);
				half.write(ask);
				await new Promise((resolve) => half.once('data', resolve).once('close', resolve));
			});
			await Promise.all(refused);
		}
		assert.equal((await fetch(scene.origin)).status, 200);
		for (const each of halves) each.destroy();
	});

	it('lets go of a page that does not greet, which may come back, and of whoever takes no answer', async () => {
		const silent = new PageSocket(scene.port, own());
		const greedy = connect(scene.port, '127.0.0.1').on('error', () => {});
		const ask = `GET /strings.json HTTP/1.1\r\nhost: 127.0.0.1:${scene.port}\r\naccept-language: de\r\n\r\n`;
		greedy.write(ask.repeat(50));
		assert.equal(await silent.ended(), WEB_CLOSING.comeBack);
		await waitFor('the end of a connection that is not read', () => {
			greedy.write('\r\n');
			return greedy.destroyed;
		});
	});

	it('lets nobody in, and serves on, while the file of devices cannot be read', async () => {
		const page = await scene.page(phone);
		const path = join(scene.turns.host.home, 'web', 'devices.json');
		rmSync(path);
		symlinkSync('devices.json', path);
		assert.equal(await page.ended(), 4401);
		assert.equal(await socket(own()), 401);
		assert.equal((await fetch(scene.origin)).status, 200);
	});

	it('lets a device keep no typed input that may send none', async () => {
		const watched = await scene.pairs('watch', ['look']);
		const draft = { text: 'x', refs: [] };
		for (const paired of [watched, phone]) {
			const page = await scene.page(paired);
			page.peer.notify(chatNotifications.keep, { drafts: { new: draft }, queues: {} });
			const { typed } = await page.call(viewRequests.start, {}, never);
			assert.deepEqual(typed.drafts, paired === phone ? { new: draft } : {});
		}
	});

	it('ends a page that sends too much, and refuses what is no message', async () => {
		const page = await scene.page(phone);
		page.socket.send('no JSON');
		page.socket.send(Buffer.from([0, 1, 2]));
		page.socket.send(JSON.stringify({ kind: 'request', id: 7, method: 'shell/run', params: {} }));
		await waitFor('a refusal', () => page.told.some((each) => each.includes('-32601')));
		for (let sent = 0; sent < 300; sent += 1) {
			page.socket.send(JSON.stringify({ kind: 'request', id: 100 + sent, method: 'desk/list', params: {} }));
		}
		await waitFor('a refusal', () => page.told.some((each) => each.includes('RATE_LIMITED')));
		page.socket.send('x'.repeat(9 << 20));
		assert.equal(await page.ended(), 1009);
	});

	it('gives a device no more than its rights, and no browser the widest level', async () => {
		const watch = await scene.page(await scene.pairs('watch', ['look']));
		const codeOf = async (call: Promise<unknown>) =>
			await call.then(
				() => 'done',
				(error: unknown) => (isProwessError(error) ? error.code : String(error)),
			);
		const threadId = await scene.turns.begin();
		assert.equal((await watch.call(threadRequests.open, { threadId }, never)).info.id, threadId);
		const refused = [
			watch.call(threadRequests.create, {}, never),
			watch.call(threadRequests.prompt, { threadId, text: 'go' }, never),
			watch.call(threadRequests.rerun, { threadId, turnId: newId('trn') }, never),
			watch.call(threadRequests.stop, { threadId }, never),
			watch.call(threadRequests.delete, { threadId }, never),
			watch.call(threadRequests.fork, { threadId }, never),
			watch.call(threadRequests.update, { threadId, title: 'x' }, never),
			watch.call(threadRequests.attach, { data: 'AAAA' }, never),
			watch.call(modelRequests.askAgain, { provider: 'test' }, never),
			watch.call(changeRequests.undo, { threadId }, never),
			watch.call(levelRequests.choose, { threadId, level: 'auto' }, never),
			watch.call(deskRequests.approve, { id: newId('apr'), answer: { kind: 'deny' } }, never),
			watch.call(deskRequests.reply, { id: newId('ask'), answer: 'x' }, never),
		];
		assert.deepEqual(new Set(await Promise.all(refused.map(codeOf))), new Set(['ACCESS_DENIED']));
		const page = await scene.page(phone);
		assert.equal(await codeOf(page.call(levelRequests.choose, { threadId, level: 'full' }, never)), 'DENIED_BY_RULE');
		scene.turns.host.change({ 'prowess.access.deny': { web: ['look'] } });
		page.socket.send(JSON.stringify({ kind: 'request', id: 9, method: 'desk/list', params: {} }));
		assert.equal(await page.ended(), 4403);
	});
});
