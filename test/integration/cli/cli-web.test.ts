/** `prowess web` as a command: its folders, its devices, and who it lets in. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatPairingCode } from '../../../src/host/doors/web/pairing-code.ts';
import type { PairedDevice } from '../../../src/protocol/doors/web.ts';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { deskRequests } from '../../../src/protocol/approvals/approvals.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import type { CommandHere } from '../../support/command-here.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { PageSocket } from '../../support/web-scene.ts';
import { commandLimitMs, type RunningCli, User } from './cli-process.ts';

const never = new AbortController().signal;
const ours = fileURLToPath(new URL('../../fixtures/tls/self-signed.pem', import.meta.url));
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

describe('prowess web', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer | undefined;
	let command: CommandHere | undefined;
	let apart: RunningCli | undefined;
	beforeEach(() => {
		user = new User();
		user.sets();
	});
	afterEach(async () => {
		command?.stop();
		await command?.ended;
		await model?.close();
		apart?.child.kill('SIGKILL');
		await apart?.ended;
		[command, model, apart] = [undefined, undefined, undefined];
	});

	async function pairsWith({ stdout }: CommandHere): Promise<{ readonly page: PageSocket; readonly key: string }> {
		const { urls, code } = JSON.parse(stdout) as { readonly urls: readonly string[]; readonly code: string };
		const [origin = ''] = urls;
		const answer = await fetch(`${origin}/pair`, {
			method: 'POST',
			headers: { origin, 'content-type': 'application/json' },
			body: JSON.stringify({ code, name: 'phone' }),
		});
		const { key } = (await answer.json()) as PairedDevice;
		const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
		return { page: new PageSocket(Number(new URL(origin).port), { origin, cookie }), key };
	}

	it('says what is wrong with its options, and serves no folder that is not trusted', async () => {
		for (const [words, why] of [
			[['web'], /no folder is trusted/],
			[['web', '--workspace', user.workspace], /not trusted/],
			[['web', '--trust'], /--trust needs --workspace DIR/],
			[['web', '--port', '70000'], /--port takes a port from 0 to 65535; got "70000"/],
			[['web', '--origin', 'machine'], /--origin takes an address such as/],
			[['web', '--cert', ours, '--key', ours, '--origin', 'ftp://x'], /--origin takes an address such as/],
			[['web', 'pair', '--rights', 'prompt'], /--rights takes look/],
			[['web', 'revoke', 'phone'], /No device is named "phone"/],
			[['web', 'pair'], /No "prowess web" runs, so no browser can be paired/],
		] as const) {
			const { code, stderr } = await user.runs([...words]);
			assert.notEqual(code, 0);
			assert.match(stderr, why);
		}
	});

	it('listens for other machines with a certificate alone, and says how one is no use', async () => {
		user.trusts();
		const cut = join(user.root, 'cut.pem');
		writeFileSync(cut, 'none');
		for (const [words, why] of [
			[['--listen', '0.0.0.0'], /Without a certificate, nothing listens on 0\.0\.0\.0: other machines reach it/],
			[['--listen', 'machine.test'], /Without a certificate, nothing listens on machine\.test/],
			[['--cert', ours], /--cert and --key go together/],
			[['--key', ours, '--listen', '0.0.0.0'], /--cert and --key go together/],
			[['--cert', cut, '--key', ours], /cut\.pem cannot be used: /],
			[['--cert', ours, '--key', ours, '--listen', '203.0.113.7'], /Port \d+ cannot be used: .*EADDRNOTAVAIL/],
		] as const) {
			const { code, stderr } = await user.runs(['web', '--port', '0', ...words]);
			assert.notEqual(code, 0);
			assert.match(stderr, why);
		}
	});

	it('shows a picture of the address that a phone reaches, warns of other machines, and names the address with each code', async () => {
		user.trusts();
		const far = ['--origin', 'https://machine.example.ts.net', '--listen', '0.0.0.0'];
		command = user.sitsAt(['web', '--port', '0', '--cert', ours, '--key', ours, ...far], () => {});
		await waitFor('the code', () => command?.stdout.includes('Pairing code'), commandLimitMs);
		const [, code = ''] = /Pairing code: (\S+)/.exec(command.stdout) ?? [];
		assert.match(
			command.stdout,
			new RegExp(`Open https://localhost:\\d+/#${code}\nOpen https://machine.example.ts.net/#${code}\n`),
		);
		const rows = command.stdout.split('\n').filter((line) => line.startsWith('\u001b[38;5;16;48;5;231m'));
		const blocks = formatPairingCode(`https://machine.example.ts.net/#${code}`);
		assert.deepEqual(
			rows,
			blocks.map((row) => `\u001b[38;5;16;48;5;231m${row}\u001b[0m`),
		);
		assert.match(
			command.stderr,
			/Warning: other machines reach this address.*Warning: other accounts of this machine can read .*self-signed\.pem/s,
		);
		const { stdout } = await user.runs(['web', 'pair', '--rights', 'look']);
		const [, next = ''] = /Pairing code: (\S+)/.exec(stdout) ?? [];
		assert.match(
			stdout,
			new RegExp(`^Open https://localhost:\\d+/#${next}\nOpen https://machine.example.ts.net/#${next}\nPairing`),
		);
		assert.doesNotMatch(stdout, /\u001b/);
	});

	it('prints with a further code the addresses of those that run now, and of none that has ended or was killed', async () => {
		user.trusts();
		const pairs = async () => {
			const { code, stdout, stderr } = await user.runs(['web', 'pair']);
			return { code, urls: [...stdout.matchAll(/^Open (\S+)\/#/gm)].map(([, url]) => url), stderr };
		};
		const urlOf = async (started: Pick<CommandHere, 'stdout'>) => {
			await waitFor('the address', () => started.stdout.includes('code'), commandLimitMs);
			return (JSON.parse(started.stdout) as { readonly urls: readonly string[] }).urls[0];
		};
		apart = user.starts(['web', '--port', '0', '--json']);
		const first = await urlOf(apart);
		command = user.startsHere(['web', '--port', '0', '--json']);
		const second = await urlOf(command);
		assert.deepEqual(new Set((await pairs()).urls), new Set([first, second]));
		apart.child.kill('SIGKILL');
		await apart.ended;
		assert.deepEqual((await pairs()).urls, [second]);
		command.stop();
		await command.ended;
		const { code, urls, stderr } = await pairs();
		assert.deepEqual([code, urls], [1, []]);
		assert.match(stderr, /No "prowess web" runs/);
		assert.deepEqual(readdirSync(join(user.home, 'web', 'serving')), []);
	});

	it('serves a paired browser, with no editor open, until it is revoked', async () => {
		user.trusts();
		model = await startModelServer([{ toolCalls: [write] }, { text: 'Written.' }]);
		const words = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		command = user.startsHere(['web', '--port', '0', '--json', ...words]);
		await waitFor('the address', () => command?.stdout.includes('code'), commandLimitMs);
		const { page, key } = await pairsWith(command);
		await page.greets(key);
		const { id: threadId } = await page.call(threadRequests.create, {}, never);
		await page.call(threadRequests.prompt, { threadId, text: 'write it' }, never);
		const asked = await waitFor('a question', async () => (await page.call(deskRequests.list, {}, never)).approvals[0]);
		await page.call(deskRequests.approve, { id: asked.id, answer: { kind: 'once' } }, never);
		await waitFor('the end of the turn', () => page.told.some((each) => each.includes('turn.end')));
		assert.ok(existsSync(join(user.workspace, 'new.txt')));
		assert.match((await user.runs(['web', 'devices'])).stdout, /^phone {2}look, answer, prompt {2}paired /);
		assert.equal((await user.runs(['web', 'revoke', 'Phone'])).code, 0);
		await waitFor('the end of the page', () => page.closed === 4401);
		command.stop();
		await command.ended;
		const rows = JSON.parse((await user.runs(['ledger', 'list', '--json', '--limit', '100'])).stdout) as LedgerRow[];
		const ops = new Set(rows.map(({ op }) => op));
		for (const op of ['web.pair', 'web.thread/create', 'web.thread/prompt', 'web.revoke']) assert.ok(ops.has(op), op);
		const [row] = rows.filter(({ op, kind }) => op === 'fs.write' && kind === 'intent');
		assert.match(row?.decision ?? '', /approved by the user once, through web \(phone\)/);
	});

	it('lists what its settings leave to a device, and what it was given once no server denies anything', async () => {
		user.sets({ 'prowess.access.deny': { web: ['prompt'] } });
		user.trusts();
		command = user.startsHere(['web', '--port', '0', '--json']);
		await waitFor('the address', () => command?.stdout.includes('code'), commandLimitMs);
		const { page, key } = await pairsWith(command);
		await page.greets(key);
		await assert.rejects(page.call(threadRequests.create, {}, never), /ACCESS_DENIED|send messages/);
		const { stdout } = await user.runs(['web', 'devices']);
		assert.match(stdout, /^phone {2}look, answer \(not prompt: prowess\.access\.deny\) {2}paired /);
		const devices = async () => JSON.parse((await user.runs(['web', 'devices', '--json'])).stdout) as object[];
		const [{ rights, denied }] = (await devices()) as [{ rights: unknown; denied: unknown }];
		assert.deepEqual([rights, denied], [['look', 'answer'], ['prompt']]);
		command.stop();
		await command.ended;
		assert.match((await user.runs(['web', 'devices'])).stdout, /^phone {2}look, answer, prompt {2}paired /);
	});

	it('names no folder to a browser where browsers may not look', async () => {
		user.sets({ 'prowess.access.deny': { web: ['look'] } });
		const folders = [user.workspace, dirname(user.home)];
		writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ version: 1, folders }));
		command = user.startsHere(['web', '--port', '0', '--json']);
		await waitFor('the address', () => command?.stdout.includes('code'), commandLimitMs);
		const { page, key } = await pairsWith(command);
		await assert.rejects(page.greets(key), /refused: 4403/);
	});
});
