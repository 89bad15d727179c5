/** Sign-ins at MCP servers: a real authorization server on this machine, and a browser that follows where it leads. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsFile } from '../../../src/cli/home/secrets-file.ts';
import { createSignIn } from '../../../src/cli/ports/sign-in.ts';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { httpSite, type HttpSite } from '../../support/http-site.ts';
import { bound, McpScene } from '../../support/mcp-scene.ts';
import { type Misbehaviour, signInSite, type SignInSite } from '../../support/sign-in-site.ts';
import { tempDir } from '../../support/temp-dir.ts';

const isSignIn = ({ title }: Approval) => title.startsWith('Sign in at');

describe('A sign-in at an MCP server', function () {
	this.timeout(60_000);
	let signed: SignInSite;
	let scene: McpScene | undefined;
	let home: string;
	let elsewhere: HttpSite | undefined;
	/** Addresses that the browser was sent to. */
	let pages: string[];
	beforeEach(() => {
		home = tempDir('home');
		pages = [];
	});
	afterEach(async () => {
		await scene?.close();
		await signed.close();
		await elsewhere?.close();
		scene = elsewhere = undefined;
	});

	/** `visits`: what the user's browser does with a page; absent: it follows where that leads. */
	const opened = async (
		wrong: Misbehaviour = {},
		{
			answers = (approval) => ({ kind: isSignIn(approval) ? 'once' : 'always' }),
			visits = async (page: string) => void (await fetch(page)),
			entry = {},
			allowed = [],
		}: {
			readonly answers?: (approval: Approval) => ApprovalAnswer;
			readonly visits?: (page: string) => Promise<void>;
			/** More members of the server's entry; hosts that may be asked besides the server's. */
			readonly entry?: object;
			readonly allowed?: readonly string[];
		} = {},
	) => {
		signed ??= await signInSite(wrong);
		const terminal = {
			err(text: string) {
				const [page = ''] = /http\S+/.exec(text) ?? [];
				pages.push(page);
				void visits(page);
			},
		};
		return (scene = await McpScene.open(
			{ web: { type: 'http', url: signed.url, ...entry } },
			{
				home,
				answers,
				signIn: createSignIn(new SecretsFile(home, 'sign-ins'), terminal),
				secrets: { client: 'canary-client-secret' },
				settings: { 'prowess.http.allowHosts': [`127.0.0.1:${signed.site.port}`, ...allowed] },
			},
		));
	};
	beforeEach(() => {
		signed = undefined as never;
	});

	for (const [what, wrong, expected] of [
		[
			'whose page says no',
			{ comesBack: ({ state = '', iss = '' }) => ({ state, iss, error: 'access_denied' }) },
			/^MCP_SIGN_IN_FAILED: you are not signed in at the MCP server web: the page answered access_denied/,
		],
		[
			'whose answer is of another authorization server',
			{ comesBack: (own) => ({ ...own, iss: 'https://evil.example' }) },
			/^MCP_SIGN_IN_FAILED: .*[Ii]ssuer/,
		],
		[
			'whose code is not taken',
			{ tokens: () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'too late' } }) },
			/^MCP_SIGN_IN_FAILED: .*too late/,
		],
		[
			'that names another server than itself as what the sign-in is for',
			{ resource: () => ({ resource: 'https://bank.example/mcp' }) },
			/^MCP_SIGN_IN_FAILED: /,
		],
		[
			'that leads to an authorization server of an inner network',
			{ resource: () => ({ authorization_servers: ['http://10.0.0.1/'] }) },
			/10\.0\.0\.1/,
		],
		[
			'whose authorization server says that it is another one',
			{ server: () => ({ issuer: 'https://evil.example' }) },
			/^MCP_SIGN_IN_FAILED: /,
		],
		[
			'whose page would be opened without encryption',
			{ server: () => ({ authorization_endpoint: 'http://signin.example/authorize' }) },
			/without encryption|HOST_REFUSED|MCP_SIGN_IN_FAILED/,
		],
	] as readonly (readonly [string, Misbehaviour, RegExp])[]) {
		it(`${what} comes to nothing, with the reason, and no tool is called`, async () => {
			const { failure } = bound(await opened(wrong));
			assert.match(await failure('web', 'echo'), expected);
			assert.equal(signed.taken.size, 0);
		});
	}

	it('is asked for at a call, too, and where the server does not say how, the way by a token is told', async () => {
		signed = await signInSite({ isOpen: true, isSilent: true });
		const { failure } = bound(await opened());
		assert.match(await failure('web', 'echo'), /^MCP_SIGN_IN_FAILED: .*store that as a secret/);
		assert.deepEqual(pages, []);
	});

	it('opens no page after a no, and is not asked about twice', async () => {
		const { failure, asked } = bound(
			await opened({}, { answers: (approval) => (isSignIn(approval) ? { kind: 'deny' } : { kind: 'always' }) }),
		);
		assert.match(await failure('web', 'echo'), /^DENIED_BY_USER/);
		assert.deepEqual([pages, asked.filter(isSignIn).length], [[], 1]);
	});

	it('asks a host that the server names only if that may be asked at all', async () => {
		elsewhere = await httpSite();
		const other = `http://127.0.0.1:${elsewhere.port}`;
		const { failure } = bound(await opened({ server: () => ({ token_endpoint: `${other}/token` }) }));
		assert.match(await failure('web', 'echo'), /127\.0\.0\.1:\d+ is at 127\.0\.0\.1/);
		assert.deepEqual(elsewhere.received, []);
	});

	it('takes no answer with another state, and the right one after it', async () => {
		const statuses: number[] = [];
		const { call } = bound(
			await opened(
				{},
				{
					visits: async (page) => {
						const redirect = new URL(page).searchParams.get('redirect_uri');
						statuses.push((await fetch(`${redirect}?code=stolen&state=guessed`)).status);
						await fetch(page);
					},
				},
			),
		);
		assert.equal(await call('web', 'echo'), 'as you');
		assert.deepEqual(statuses, [404]);
		assert.ok(signed.forms.every((form) => form.get('code') !== 'stolen'));
	});

	it('shows the page, opens it after a yes, lasts, and is in no record', async () => {
		const first = bound(await opened());
		assert.equal(await first.call('web', 'echo'), 'as you');
		const [question] = first.asked.filter(isSignIn);
		assert.equal(question?.act, 'connects');
		assert.match(JSON.stringify(question?.detail), new RegExp(`127.0.0.1:${signed.site.port}`));
		assert.equal(question?.pattern, null);
		assert.equal(pages.length, 1);
		const [form] = signed.forms;
		assert.equal(form?.get('resource'), signed.url);
		assert.doesNotMatch(await first.ledger(), /canary-/);
		assert.doesNotMatch(scene?.host.log.join('\n') ?? '', /canary-/);
		await scene?.close();

		const second = bound(await opened());
		assert.equal(await second.call('web', 'echo'), 'as you');
		assert.deepEqual(second.asked.filter(isSignIn), []);
	});

	it('with a client of the user shows it no authorization server but the first', async () => {
		const other = await signInSite();
		try {
			let isElsewhere = false;
			const authorization_servers = [`http://127.0.0.1:${other.site.port}`];
			const entry = { oauth: { clientId: 'mine', clientSecret: '${secret:client}' } };
			const { call, failure, asked } = bound(
				await opened(
					{
						resource: () => (isElsewhere ? { authorization_servers } : {}),
						tokens: (form) => (isElsewhere ? refusedRenewal(form) : undefined),
					},
					{ entry, allowed: [`127.0.0.1:${other.site.port}`] },
				),
			);
			assert.equal(await call('web', 'echo'), 'as you');
			const consent = asked.find(({ detail }) => detail.kind === 'consent');
			assert.match(JSON.stringify(consent?.detail), /receive your secret.*client/);
			const requests = ({ site }: SignInSite) =>
				site.received.filter(({ path }) => path === '/token' || path === '/register');
			assert.deepEqual(
				requests(signed).map(({ path }) => path),
				['/token'],
			);
			const told = JSON.stringify(requests(signed));
			assert.ok(told.includes('canary-client-secret') || told.includes(btoa('mine:canary-client-secret')));
			signed.taken.clear();
			isElsewhere = true;
			assert.match(await failure('web', 'echo'), /^MCP_SIGN_IN_FAILED: .*another authorization server/);
			assert.doesNotMatch(
				JSON.stringify(other.site.received),
				new RegExp(`canary-client-secret|${btoa('mine:canary-client-secret')}`),
			);
		} finally {
			await other.close();
		}
	});

	it('keeps what it was given for the user alone', async () => {
		await bound(await opened()).call('web', 'echo');
		const { mode } = statSync(join(home, 'sign-ins.json'));
		assert.equal(mode & 0o777, 0o600);
	});

	it('is renewed without a word, and asked for again when that is refused', async () => {
		let isStale = false;
		const first = bound(await opened({ tokens: (form) => (isStale ? refusedRenewal(form) : undefined) }));
		assert.equal(await first.call('web', 'echo'), 'as you');
		signed.taken.clear();
		assert.equal(await first.call('web', 'echo'), 'as you');
		assert.deepEqual([pages.length, signed.forms.at(-1)?.get('grant_type')], [1, 'refresh_token']);
		signed.taken.clear();
		isStale = true;
		assert.equal(await first.call('web', 'echo'), 'as you');
		assert.equal(pages.length, 2);
	});

	it('is over after signing out, which is in the ledger', async () => {
		const { call, asked, ledger } = bound(await opened());
		await call('web', 'echo');
		assert.equal(await scene?.base.mcp.signOut('web'), true);
		assert.equal(await scene?.base.mcp.signOut('web'), false);
		await call('web', 'echo');
		assert.equal(asked.filter(isSignIn).length, 2);
		assert.match(await ledger(), /Sign out of the MCP server web/);
	});

	it('keeps no host from closing', async () => {
		const { failure } = bound(await opened({}, { visits: () => Promise.resolve() }));
		const failed = failure('web', 'echo');
		while (pages.length === 0) await new Promise((resolve) => setImmediate(resolve));
		await scene?.close();
		assert.match(await failed, /CANCELLED|closing|ended|INVALID_STATE/);
		scene = undefined;
	});
});

function refusedRenewal(form: URLSearchParams) {
	return form.get('grant_type') === 'refresh_token' ? { status: 400, body: { error: 'invalid_grant' } } : undefined;
}
