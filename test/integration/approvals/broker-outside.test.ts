/** Requests and secrets through the whole broker, with a real ledger, for the agent and for a running capability. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PersonDesk } from '../../../src/trust/gate/approvals/desk.ts';
import { Broker } from '../../../src/trust/broker/broker.ts';
import type { Caller } from '../../../src/contract/ops/caller.ts';
import { systemResolve } from '../../../src/machine/http/resolve-host.ts';
import { findWork } from '../../../src/trust/broker/work-of.ts';
import { HostLedger } from '../../../src/trust/record/ledger/ledger.ts';
import { HostStore, storeWorker } from '../../../src/trust/record/store/thread/host-store.ts';
import { Redactor } from '../../../src/trust/record/redaction/redactor.ts';
import { SecretVault } from '../../../src/machine/secrets/secret-vault.ts';
import type { ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome, OpProgress } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { PERMISSIONS, type Permission } from '../../../src/protocol/ops/risk.ts';
import { testHost, type TestHostOptions } from '../../support/host-ports.ts';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../support/workspace-on-disk.ts';

const never = new AbortController().signal;
/** Looks like no key of a known family: it is recognised because it was read, not by its form. */
const canary = 'Canary/7f3a+x9!qZ2mW8vB4nK6tY1rL5pD0sE?&u';
const encodings: Readonly<Record<string, string>> = {
	plain: canary,
	base64: Buffer.from(canary).toString('base64'),
	base64url: Buffer.from(canary).toString('base64url'),
	hex: Buffer.from(canary).toString('hex'),
	percent: encodeURIComponent(canary),
	form: new URLSearchParams([['', canary]]).toString().slice(1),
};

function findingsIn(places: Readonly<Record<string, string>>): string[] {
	return Object.entries(places).flatMap(([place, text]) =>
		Object.entries(encodings)
			.filter(([, value]) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)))
			.map(([encoding]) => `${encoding} in ${place}`),
	);
}

describe('the broker, for what lies outside', () => {
	const closing: (() => Promise<unknown>)[] = [];
	afterEach(async () => {
		for (const close of closing.splice(0).toReversed()) {
			await close();
		}
	});

	async function start({ answer = 'once', ...options }: TestHostOptions & { answer?: ApprovalAnswer['kind'] } = {}) {
		const asked: string[] = [];
		const details: string[] = [];
		const host = testHost({
			secrets: { github: canary },
			person: {
				approve(approval) {
					asked.push(`${approval.op} ${approval.pattern ?? '-'}: ${inEnglish(approval.reason)}`);
					details.push(approval.detail.kind === 'text' ? approval.detail.text : '');
					return Promise.resolve({ kind: answer });
				},
			},
			...options,
		});
		const redactor = new Redactor();
		const url = new URL('../../../src/trust/record/store/thread/worker.ts', import.meta.url);
		const store = new HostStore(
			storeWorker(url),
			{ home: host.home, writer: 'host_test' },
			{
				onMovedAside() {},
				onAnchored() {},
				onNotAnchored() {},
			},
		);
		closing.push(() => store.close());
		const ledger = new HostLedger(store, redactor);
		const disk: WorkspaceOnDisk = await workspaceOnDisk(
			{},
			{
				http: {
					allowedHosts: () => host.ports.settings.current['prowess.http.allowHosts'],
					resolve: (name) =>
						name.endsWith('.test') ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : systemResolve(name),
				},
				secrets: new SecretVault(host.ports.secrets, (value) => redactor.addSecret(value)),
			},
		);
		closing.push(() => disk.close());
		const desk = new PersonDesk({
			person: host.ports.person,
			timeoutMs: () => 5_000,
			isUnattended: () => host.ports.approvalMode !== 'ask',
			onPortFailure: () => {},
		});
		const observed: unknown[] = [];
		const broker = new Broker({
			...{ workOf: (op) => findWork(disk.ops, op), ports: host.ports, ledger, redactor, desk },
			hooks: {
				concerns: () => true,
				before: () => Promise.resolve({ kind: 'continue', asked: [] }),
				after: (call, outcome) => void observed.push(call, outcome),
			},
		});
		closing.push(() => broker.close());
		const threadId = newId('thr');
		const progress: OpProgress[] = [];
		const agent: Caller = { kind: 'agent', threadId, turnId: newId('trn') };
		const perform = (op: string, params: unknown, caller: Caller = agent, opId = newId('op')): Promise<OpOutcome> =>
			broker.perform({ opId, op, params }, { caller, onProgress: (each) => void progress.push(each) }, never);
		const places = () => ({
			...Object.fromEntries(
				readdirSync(host.home, { recursive: true, withFileTypes: true })
					.filter((entry) => entry.isFile())
					.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
			),
			log: host.log.join('\n'),
			progress: JSON.stringify(progress),
			hooks: JSON.stringify(observed),
			questions: [...asked, ...details].join('\n'),
		});
		return { host, ledger, broker, asked, details, agent, perform, places, progress };
	}

	function execution(...permissions: readonly Permission[]): Extract<Caller, { kind: 'execution' }> {
		return {
			kind: 'execution',
			threadId: null,
			executionId: 'exe_1',
			capability: 'skill/test',
			permissions: new Set(permissions),
			level: 'PRIVILEGED',
		};
	}

	async function site(answer?: Parameters<typeof httpSite>[0]): Promise<HttpSite> {
		const made = await httpSite(answer);
		closing.push(() => made.close());
		return made;
	}

	function codeOf(outcome: OpOutcome): string {
		return outcome.status === 'done' ? 'done' : `${outcome.status} ${outcome.error.code}`;
	}

	it('never hands a secret to the agent or the user, by either name, and asks nobody about it', async () => {
		const { perform, asked, places } = await start();
		for (const op of ['secrets.read', 'secrets.get']) {
			assert.equal(codeOf(await perform(op, { name: 'github' })), 'denied DENIED_BY_RULE');
			const user: Caller = { kind: 'user', threadId: null };
			assert.equal(codeOf(await perform(op, { name: 'github' }, user)), 'denied DENIED_BY_RULE');
		}
		assert.deepEqual(asked, []);
		assert.deepEqual(findingsIn(places()), []);
	});

	it('hands a secret to a running capability that was allowed it, once, and asks every time', async () => {
		const { perform, asked, places, ledger } = await start({
			settings: { 'prowess.approvals.allow': ['secrets.read github', 'secrets.read *', 'secrets.get github'] },
		});
		const caller = execution('secrets');
		const opId = newId('op');
		const first = await perform('secrets.get', { name: 'github' }, caller, opId);
		assert.deepEqual(first.status === 'done' && first.result, { name: 'github', value: canary });
		const again = await perform('secrets.get', { name: 'github' }, caller, opId);
		assert.deepEqual(again.status === 'done' && again.result, { name: 'github', value: '<redacted:secret>' });
		assert.equal((await perform('secrets.read', { name: 'github' }, caller)).status, 'done');
		assert.deepEqual(asked, Array(2).fill('secrets.read -: It needs your approval every time.'));
		const rows = await ledger.query({ kind: 'outcome' });
		assert.deepEqual(
			rows.map(({ op, trigger, output }) => [op, trigger, output]),
			Array(2).fill(['secrets.read', 'skill/test:secrets.read (exe_1)', 'The value of github was handed out.']),
		);
		assert.deepEqual(findingsIn(places()), []);
	});

	it('keeps what a capability stores under a name of its own, asks each time, and shows the value to nobody', async () => {
		const { perform, host, asked, details, places } = await start({
			secrets: { token: 'the-users-own' },
			settings: { 'prowess.approvals.allow': ['secrets.write *', 'secrets.write skill_test_token'] },
		});
		const caller = execution('secrets');
		const store = async (value: string) => {
			const outcome = await perform('secrets.write', { name: 'token', value }, caller);
			return outcome.status === 'done' ? outcome.result : outcome.error;
		};
		assert.deepEqual(await store(`${canary}-before`), { name: 'skill_test_token', isReplaced: false });
		assert.deepEqual(await store(canary), { name: 'skill_test_token', isReplaced: true });
		assert.deepEqual(asked, Array(2).fill('secrets.write -: It needs your approval every time.'));
		const length = canary.length;
		assert.deepEqual(details, [
			`skill/test stores a value of ${length + 7} characters as the secret "skill_test_token". Nothing is stored there yet.`,
			`skill/test stores a value of ${length} characters as the secret "skill_test_token". This replaces the value that it stored before.`,
		]);
		assert.equal(await host.ports.secrets.get('skill_test_token'), canary);
		assert.equal(await host.ports.secrets.get('token'), 'the-users-own');
		const read = async (capability: string, name = 'token') => {
			const outcome = await perform('secrets.read', { name }, { ...caller, capability });
			return outcome.status === 'done' ? (outcome.result as { value: string }).value : outcome.error.code;
		};
		assert.equal(await read('skill/test'), canary);
		for (const other of ['skill/test-token', 'power/test', 'skill/tes', 'skill/test_token']) {
			assert.equal(await read(other), 'the-users-own', other);
		}
		assert.deepEqual(findingsIn(places()), []);
	});

	it('stores nothing that the person refuses, and shows it to nobody either', async () => {
		const { perform, host, places, agent } = await start({ answer: 'deny', secrets: {} });
		const value = { name: 'token', value: canary };
		assert.equal(codeOf(await perform('secrets.write', value, execution('secrets'))), 'denied DENIED_BY_USER');
		for (const caller of [agent, execution('http'), { ...execution('secrets'), level: 'RESTRICTED' } as const]) {
			assert.equal(codeOf(await perform('secrets.write', value, caller)), 'denied DENIED_BY_RULE');
		}
		const wrong = { ...value, name: 'a b' };
		assert.equal(codeOf(await perform('secrets.write', wrong, execution('secrets'))), 'failed INVALID_PARAMS');
		const short = await perform('secrets.write', { name: 'pin', value: 'q7x' }, execution('secrets'));
		assert.match(short.status === 'failed' ? short.error.message : '', /at least 8 characters/);
		assert.deepEqual(await host.ports.secrets.list(), []);
		assert.deepEqual(findingsIn(places()), []);
	});

	it('lends the cookies of a site to requests to that site, once the person agrees, and shows them to nobody', async () => {
		const [web, other] = [await site(), await site()];
		const [here, elsewhere] = [`http://site.test:${web.port}`, `http://site.test:${other.port}`];
		const { perform, asked, places } = await start({
			settings: { 'prowess.http.allowHosts': [`site.test:${web.port}`, `site.test:${other.port}`] },
			secrets: { 'cookie.site.test': `sid=${canary}; theme=dark`, 'cookie.site.test_ann': 'sid=of-ann-alone' },
		});
		const caller = execution('http');
		const resolve = async (params: object) => {
			const outcome = await perform('cookie.resolve', params, caller);
			return outcome.status === 'done' ? outcome.result : outcome.error.message;
		};
		const host = `site.test:${web.port}`;
		const names = ['sid', 'theme'];
		assert.deepEqual(await resolve({ url: `${here}/x` }), {
			host,
			source: 'secret',
			secret: 'cookie.site.test',
			names,
		});
		assert.match(asked[0] ?? '', /cookie\.resolve .*The secret "cookie.site.test" would be sent to site\.test:\d+\./);
		await perform('http.get', { url: here }, caller);
		assert.equal(web.received.at(-1)?.headers.cookie, `sid=${canary}; theme=dark`);
		await perform('http.get', { url: elsewhere }, caller);
		await perform('http.get', { url: here }, { ...caller, executionId: 'exe_2' });
		assert.deepEqual(
			[other, web].map(({ received }) => received.at(-1)?.headers.cookie),
			[undefined, undefined],
		);
		const seen = await perform('cookie.get', { url: here }, caller);
		assert.deepEqual(seen.status === 'done' && seen.result, { cookies: [] });
		const opened = await perform('http.session_open', {}, caller);
		const { session } = (opened.status === 'done' ? opened.result : {}) as { session: string };
		assert.match(JSON.stringify(await resolve({ url: here, account: 'ann', session })), /cookie\.site\.test_ann/);
		await perform('http.session_request', { method: 'GET', url: here, session }, caller);
		assert.equal(web.received.at(-1)?.headers.cookie, 'sid=of-ann-alone');
		assert.deepEqual(findingsIn(places()), []);
	});

	it('says which secret to store where a site has no cookies, and sends none for everybody to read', async () => {
		const { perform, asked } = await start({ secrets: { 'cookie.odd.test': 'nothing to send' } });
		const caller = execution('http');
		const said = async (params: object) => {
			const outcome = await perform('cookie.resolve', params, caller);
			return outcome.status === 'failed' ? `${outcome.error.code}: ${outcome.error.message}` : outcome.status;
		};
		assert.match(await said({ domain: 'site.test' }), /SECRET_NOT_FOUND: .* as the secret "cookie\.site\.test"$/);
		assert.match(await said({ domain: '.site.test', account: 'ann' }), /"cookie\.site\.test_ann"$/);
		assert.match(await said({ url: 'http://site.test/' }), /INVALID_PARAMS: .*https only/);
		assert.match(await said({}), /INVALID_PARAMS: .*either url or domain/);
		assert.match(await said({ url: 'https://a.test/', domain: 'a.test' }), /INVALID_PARAMS/);
		assert.match(await said({ domain: 'a_b.test' }), /INVALID_PARAMS: .*no secret can be named/);
		assert.deepEqual(asked, []);
		assert.match(await said({ domain: 'odd.test' }), /DATA_MALFORMED: .*holds no cookies/);
	});

	it('keeps a secret to its caller that is too short to be recognised', async () => {
		const { perform, places } = await start({ secrets: { pin: 'q7x' } });
		const outcome = await perform('secrets.read', { name: 'pin' }, execution('secrets'));
		assert.deepEqual(outcome.status === 'done' && outcome.result, { name: 'pin', value: 'q7x' });
		const { hooks, progress } = places();
		assert.equal(`${hooks}${progress}`.includes('q7x'), false);
	});

	it('hands out at most twenty in an hour, under whatever name', async () => {
		const { perform } = await start();
		const caller = execution('secrets');
		const codes: string[] = [];
		for (let n = 0; n < 21; n++) {
			codes.push(codeOf(await perform(n % 2 === 0 ? 'secrets.read' : 'secrets.get', { name: 'github' }, caller)));
		}
		assert.deepEqual(codes, [...Array<string>(20).fill('done'), 'denied RATE_LIMITED']);
	});

	it('refuses a capability what it was not given', async () => {
		const { perform, asked } = await start({ settings: { 'prowess.approvals.allow': ['http.get *'] } });
		assert.equal(codeOf(await perform('secrets.read', { name: 'github' }, execution('http'))), 'denied DENIED_BY_RULE');
		const get = { url: 'http://site.test/' };
		assert.equal(codeOf(await perform('http.get', get, execution('secrets'))), 'denied DENIED_BY_RULE');
		assert.deepEqual(asked, []);
	});

	it('refuses a capability what is riskier than its level, and asks nobody about it', async () => {
		const { perform, asked } = await start();
		for (const [op, params, level, below] of [
			['secrets.read', { name: 'github' }, 'PRIVILEGED', 'RESTRICTED'],
			['http.request', { method: 'POST', url: 'http://site.test/' }, 'CONTROLLED', 'MONITORED'],
		] as const) {
			const outcome = await perform(op, params, { ...execution('secrets', 'http'), level: below });
			assert.equal(outcome.status, 'denied');
			assert.equal(
				outcome.error.message,
				`${op} is ${level}, and this capability runs as ${below}, which does not reach it`,
			);
		}
		assert.deepEqual(asked, []);
	});

	it('takes a secret out of everything that comes back from where it was sent', async () => {
		const web = await site((request, response) => {
			const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
			response.setHeader('x-echo', Buffer.from(token).toString('base64'));
			response.setHeader('set-cookie', `token=${encodeURIComponent(token)}; Path=/`);
			response.end(
				[
					...[token, Buffer.from(token).toString('base64'), Buffer.from(token).toString('base64url')],
					...[
						Buffer.from(token).toString('hex'),
						encodeURIComponent(token),
						new URLSearchParams([['', token]]).toString(),
					],
					Buffer.from(`user:${token}`).toString('base64'),
				].join('\n'),
			);
		});
		const host = `127.0.0.1:${web.port}`;
		const { perform, places, asked } = await start({ settings: { 'prowess.http.allowHosts': [host] } });
		const params = { method: 'POST', url: `http://${host}/login`, auth: { secret: 'github' }, body: 'x' };
		const sent = await perform('http.request', params);
		assert.equal(sent.status, 'done');
		assert.equal(web.received[0]?.headers.authorization, `Bearer ${canary}`);
		const cookies = await perform('cookie.get', { url: `http://${host}/` });
		assert.equal(codeOf(cookies), 'denied DENIED_BY_RULE', 'cookies are not for the agent');
		assert.deepEqual(findingsIn({ ...places(), result: JSON.stringify(sent) }), []);
		assert.match(asked[0] ?? '', /The secret "github" would be sent to 127\.0\.0\.1/);
	});

	it('asks for each host once when the answer was for the thread', async () => {
		const [one, two] = [await site(), await site()];
		const hosts = [`one.test:${one.port}`, `two.test:${two.port}`] as const;
		const { perform, asked } = await start({ answer: 'thread', settings: { 'prowess.http.allowHosts': [...hosts] } });
		for (const host of [hosts[0], hosts[0], hosts[1], hosts[1]]) {
			assert.equal((await perform('http.get', { url: `http://${host}/` })).status, 'done');
		}
		assert.deepEqual(
			asked.map((line) => line.split(':').slice(0, 2).join(':')),
			hosts.map((host) => `http.get http.get ${host}`),
		);
		// An approval for reading does not allow writing.
		await perform('http.request', { method: 'POST', url: `http://${hosts[0]}/` });
		assert.equal(asked.length, 3);
	});

	it('approves no request by itself, and follows a redirect only where a rule leads', async () => {
		const other = await site();
		const web = await site((_request, response) => {
			response.writeHead(302, { location: `http://other.test:${other.port}/` }).end();
		});
		const hosts = [`web.test:${web.port}`, `other.test:${other.port}`];
		const get = async (rules: readonly string[]) => {
			const { perform } = await start({
				approvalMode: 'auto',
				settings: { 'prowess.http.allowHosts': hosts, 'prowess.approvals.allow': [...rules] },
			});
			const outcome = await perform('http.get', { url: `http://${hosts[0]}/` });
			return outcome.status === 'done' ? (outcome.result as { leadsTo?: string; body: string }) : codeOf(outcome);
		};
		assert.equal(await get([]), 'denied DENIED_BY_RULE');
		const told = await get([`http.get ${hosts[0]}`]);
		assert.equal(typeof told === 'object' && told.leadsTo, `http://${hosts[1]}/`);
		assert.equal(other.received.length, 0);
		const followed = await get(hosts.map((host) => `http.get ${host}`));
		assert.equal(typeof followed === 'object' && followed.body, 'hello');
	});

	it('shows progress of a capability as it comes, whatever its manifest permits', async () => {
		const { perform, progress } = await start();
		const outcome = await perform('progress.report', { message: 'half way', fraction: 0.5 }, execution('database'));
		assert.deepEqual(outcome.status === 'done' && outcome.result, {});
		assert.deepEqual(
			progress.filter(({ kind }) => kind === 'output').map((each) => each.kind === 'output' && each.chunk),
			['[50 %] half way\n'],
		);
	});

	it('knows every permission that an op needs', () => {
		assert.ok((['http', 'secrets', 'database', 'crypto'] as const).every((name) => PERMISSIONS.includes(name)));
	});
});
