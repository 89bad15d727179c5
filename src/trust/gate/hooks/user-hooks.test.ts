import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost, type TestHost } from '../../../../test/support/host-ports.ts';
import { waitUntilGone } from '../../../../test/support/processes.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { Redactor } from '../../record/redaction/redactor.ts';
import { CommandSandbox } from '../../../machine/sandbox/command-sandbox.ts';
import { commandEnvironment } from '../../../machine/environment.ts';
import { UserHooks } from './user-hooks.ts';

const never = new AbortController().signal;
const secret = 'canary-0123456789-canary';

describe('Hooks of the user', () => {
	let home: string;
	let host: TestHost;
	let open: UserHooks[];
	beforeEach(() => {
		home = tempDir('home');
		open = [];
	});
	afterEach(async () => {
		await Promise.all(open.map((each) => each.close()));
	});

	/** `script` is what Node runs; `run` another program. */
	interface Entry {
		readonly when: string;
		readonly ops?: string;
		readonly script?: string;
		readonly run?: readonly string[];
		readonly sandbox?: boolean;
		readonly needs?: Readonly<Record<string, string[]>>;
	}
	const noSandbox = () => new CommandSandbox({ home, folders: () => [], bubblewrapCandidates: () => [] });
	function hooksOf(...entries: Entry[]): UserHooks {
		const list = entries.map(({ when, ops, script = '', run, sandbox, needs }, index) => {
			const file = join(home, `hook-${open.length}-${index}.mjs`);
			writeFileSync(file, `import { readFileSync, writeFileSync, appendFileSync } from 'node:fs';\n${script}`);
			const optional = { ...(ops === undefined ? {} : { ops }), ...(needs === undefined ? {} : { needs }) };
			const where = sandbox === undefined ? {} : { sandbox };
			return { when, run: [...(run ?? [process.execPath, file])], ...optional, ...where };
		});
		host = testHost({ home, settings: { 'prowess.hooks': list } });
		const redactor = new Redactor();
		redactor.addSecret(secret);
		const hooks = new UserHooks({
			ports: host.ports,
			redactor,
			sandbox: noSandbox(),
			environment: commandEnvironment({ ...process.env, API_KEY: secret }, process.platform),
		});
		open.push(hooks);
		return hooks;
	}
	const call = (op = 'fs.write', params: unknown = {}) => ({
		opId: newId('op'),
		op,
		params,
		caller: { kind: 'user', threadId: null } as const,
	});
	const receipt = { writer: 'host', seq: 1, hash: '' };
	const done = { status: 'done', opId: newId('op'), result: {}, durationMs: 5, receipt } as const;

	for (const [what, entry, says] of [
		['has an unknown time', { when: 'during' }, /entry 1: "when" is "during"; write "before" or "after"/],
		['names no program', { when: 'before', run: [] }, /entry 1: "run" names no program/],
		['names an op that there is not', { when: 'after', ops: 'fs.wrote' }, /there is no op "fs\.wrote"/],
	] as const) {
		it(`refuse everything while one ${what}, and say which`, async () => {
			const hooks = hooksOf(entry);
			assert.ok(hooks.concerns('git.status'));
			const verdict = await hooks.before(call('git.status'), never);
			assert.match(verdict.kind === 'block' ? verdict.reason : '', says);
		});
	}

	it('refuse everything while the setting is no list of them, and say so', async () => {
		for (const [value, says] of [
			[{ when: 'before', run: ['guard'] }, /^prowess\.hooks: /],
			[[{ when: 'before', run: 'guard' }], /^prowess\.hooks\.0\.run: /],
			[[{ when: 'after', run: ['true'] }, null], /^prowess\.hooks\.1: /],
		] as const) {
			const { ports } = testHost({ home, written: { 'prowess.hooks': value } });
			const hooks = new UserHooks({ ports, redactor: new Redactor(), environment: {}, sandbox: noSandbox() });
			open.push(hooks);
			assert.ok(hooks.concerns('fs.write'));
			const verdict = await hooks.before(call(), never);
			assert.match(verdict.kind === 'block' ? verdict.reason : '', says);
		}
	});

	for (const [what, script, code, says] of [
		['ends with another code', 'console.error("no disk"); process.exit(3);', 'INVALID_STATE', /exit code 3: no disk/],
		['is killed', 'process.kill(process.pid, "SIGKILL");', 'INVALID_STATE', /ended by a signal/],
		['answers what nobody can read', 'console.log("hello");', 'DATA_MALFORMED', /answered hello; expected nothing/],
		['answers another decision', 'console.log(`{"decision":"maybe"}`);', 'DATA_MALFORMED', /"decision":"block"/],
		[
			'says too much',
			'for (;;) process.stdout.write("x".repeat(9999));',
			'RESPONSE_TOO_LARGE',
			/more than 65536 bytes/,
		],
	] as const) {
		it(`fail when one ${what}, which refuses the op`, async () => {
			const hooks = hooksOf({ when: 'before', script });
			await assert.rejects(hooks.before(call(), never), (error: Error & { code?: string }) => {
				assert.equal(error.code, code);
				assert.match(error.message, says);
				return true;
			});
		});
	}

	it('fail where they are to run in a sandbox and none works, rather than run without one', async () => {
		const hooks = hooksOf({ when: 'before', script: '', sandbox: true });
		const error = { code: 'NOT_AVAILABLE_HERE', message: /is to run in a sandbox, and none works here: / };
		await assert.rejects(hooks.before(call(), never), error);
	});

	it('run as the user where no sandbox works, and are shown so, with the reason', async () => {
		const hooks = hooksOf(
			{ when: 'before', ops: 'fs.*', run: ['true'] },
			{ when: 'before', run: ['true'], sandbox: true },
			{ when: 'after', run: ['true'], sandbox: false, needs: { write: ['.'] } },
		);
		const { asked } = await hooksOf({ when: 'before', run: ['true'] }).before(call(), never);
		assert.deepEqual(asked, ['true (not sandboxed)']);
		const shown = await hooks.inForce();
		assert.deepEqual(
			shown.map(({ hook, where }) => [hook, where]),
			[
				['before fs.*: true', 'as you'],
				['before *: true', 'nowhere'],
				['after *: true', 'as you'],
			],
		);
		const [first = '', second, third] = shown.map(({ runs }) => inEnglish(runs));
		assert.match(first, /^as you, because no sandbox works here: /);
		assert.match(second ?? '', /^not at all, and refuses its ops: /);
		assert.equal(third, 'as you, without a sandbox');
	});

	it('fail when there is no such program', async () => {
		const hooks = hooksOf({ when: 'before', run: ['no-such-program'] });
		await assert.rejects(hooks.before(call(), never), { code: 'COMMAND_NOT_FOUND' });
	});

	it('are ended with all they started when the op is stopped', async () => {
		const pids = join(home, 'pids');
		const child = 'import("node:child_process").then(({ spawn }) => { const { pid } = spawn("sleep", ["600"]);';
		const hooks = hooksOf({
			when: 'before',
			script: `${child} writeFileSync(${JSON.stringify(pids)}, process.pid + " " + pid + " ."); setInterval(() => {}, 1000); });`,
		});
		const stop = new AbortController();
		const asked = hooks.before(call(), stop.signal);
		await waitFor('the hook to run', () => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('.'));
		stop.abort(new Error('stopped by the user'));
		await assert.rejects(asked, /stopped by the user/);
		await waitUntilGone(readFileSync(pids, 'utf8').split(' ').slice(0, 2).map(Number));
	});

	it('refuse with what they say, the first of them, and are asked only for ops that they name', async () => {
		const hooks = hooksOf(
			{ when: 'before', ops: 'git.*', script: 'process.exit(1);' },
			{ when: 'before', ops: 'fs.write', script: 'console.log(JSON.stringify({ decision: "continue" }));' },
			{ when: 'before', script: 'console.error("not on Fridays"); process.exit(2);' },
			{ when: 'before', script: 'process.exit(1);' },
		);
		const verdict = await hooks.before(call(), never);
		assert.partialDeepStrictEqual(verdict, { kind: 'block', reason: 'not on Fridays' });
		assert.equal(verdict.asked.length, 2);
		const asJson = hooksOf({ when: 'before', script: 'console.log(`{"decision":"block","reason":"frozen"}`);' });
		assert.partialDeepStrictEqual(await asJson.before(call(), never), { kind: 'block', reason: 'frozen' });
		assert.equal(hooksOf({ when: 'before', ops: 'git.*' }).concerns('fs.write'), false);
		assert.equal(hooksOf({ when: 'after' }).concerns('fs.write'), false);
	});

	it('let pass without a word, and are told all but secrets', async () => {
		const file = join(home, 'told.json');
		const script = `writeFileSync(${JSON.stringify(file)}, JSON.stringify([readFileSync(0, 'utf8'), process.env, process.cwd()]));`;
		const hooks = hooksOf({ when: 'before', script });
		const asked = call('fs.write', { path: 'a', content: `key ${secret}` });
		assert.partialDeepStrictEqual(await hooks.before(asked, never), { kind: 'continue' });
		const text = readFileSync(file, 'utf8');
		const [told, , cwd] = JSON.parse(text) as [string, object, string];
		assert.deepEqual(JSON.parse(told), {
			when: 'before',
			opId: asked.opId,
			op: 'fs.write',
			caller: { kind: 'user', threadId: null },
			params: { path: 'a', content: 'key <redacted:secret>' },
			folders: [host.workspace],
		});
		assert.equal(cwd, home);
		assert.ok(!text.includes('canary'));
	});

	it('hear afterwards how the op ended, in time for the end of the host', async () => {
		const file = join(home, 'heard');
		const script = `appendFileSync(${JSON.stringify(file)}, readFileSync(0, 'utf8'));`;
		const hooks = hooksOf({ when: 'after', ops: 'fs.*', script }, { when: 'after', ops: 'git.*', script });
		for (let n = 0; n < 6; n++) hooks.after(call(), done);
		await waitFor('six that heard it', () => existsSync(file) && readFileSync(file, 'utf8').split('\n').length === 7);
		const heard = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as object;
		assert.partialDeepStrictEqual(heard, { when: 'after', op: 'fs.write', status: 'done', durationMs: 5, error: null });
	});

	it('that hang after an op are ended with the host, and one that fails is logged', async () => {
		const hooks = hooksOf({ when: 'after', script: 'process.exit(7);' });
		hooks.after(call(), done);
		await waitFor('a line in the log', () => host.log.includes('warn a hook after an op failed'));
		const hanging = hooksOf({ when: 'after', script: 'setInterval(() => {}, 1000);' });
		for (let n = 0; n < 9; n++) hanging.after(call(), done);
		await hanging.close();
	});
});
