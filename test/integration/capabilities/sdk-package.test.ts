/** `@prowess/sdk` as an author has it: its files in a project, the template beside it, the compiler, and the real CLI. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as published from '../../../sdk/index.d.ts';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import type { ExecutionContext } from '../../../src/executors/sdk/run.ts';
import { installPackedSdk } from '../../support/packed-sdk.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const skill = '.prowess/capabilities/skill/count-lines';

/**
 * Compiles only if the context an executor gives is the one the package declares. `host` and `op` are left out because
 * the types of ops are generated.
 */
export const given = (context: ExecutionContext): Omit<published.Context, 'host' | 'op'> => context;

describe('The package @prowess/sdk', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let project: string;
	before(async () => {
		project = await installPackedSdk();
	});
	beforeEach(() => {
		user = new User();
		cpSync(project, user.workspace, { recursive: true });
		const template = join(user.workspace, 'node_modules/@prowess/sdk/template');
		cpSync(template, join(user.workspace, skill), { recursive: true });
	});

	/** Returns the compiler's errors about the skill, or about what these words name. */
	async function problems(words: readonly string[] = ['-p', skill]): Promise<string> {
		const tsc = join(root, 'node_modules/typescript/bin/tsc');
		return await promisify(execFile)(process.execPath, [tsc, ...words, '--pretty', 'false'], {
			cwd: user.workspace,
		}).then(
			({ stdout }) => stdout,
			({ stdout }: { stdout: string }) => stdout,
		);
	}

	it('refuses params that an op does not take, and members that its result does not have', async () => {
		const good = readFileSync(join(user.workspace, skill, 'index.ts'), 'utf8');
		user.writes(`${skill}/index.ts`, good.replace('{ path })', '{ file: path })'));
		assert.match(await problems(), /'file' does not exist in type/);
		user.writes(`${skill}/index.ts`, good.replace('totalLines }', 'lines }'));
		assert.match(await problems(), /Property 'lines' does not exist/);
	});

	it('types the topics that a skill imports by name', async () => {
		user.writes(
			`${skill}/index.ts`,
			[
				"import { cookie, crypto, fs, http, llm, plist, progress, secrets, services, shell, sql } from '@prowess/sdk';",
				'export async function execute(): Promise<number> {',
				"	await progress.report('reading', 0.5);",
				"	const { text } = await fs.read('a.txt');",
				"	const rows = await sql.query('select 1', { path: 'a.db' });",
				"	const sent = await http.post('https://example.org', { json: { text, key: await secrets.get('KEY') } });",
				"	const found = await http.get('https://example.org');",
				"	const { output } = await llm.oneshot('sum it up');",
				'	const session = await http.sessionOpen({});',
				"	const { names } = await cookie.resolve('https://example.org', { account: 'ann', ...session });",
				"	await http.get('https://example.org', session);",
				"	const { isReplaced } = await secrets.write('token', names.join());",
				"	const { tools } = await llm.resolveTools(['fs.read']);",
				"	const found2 = await services.call('web_search', { params: { isReplaced, tools } });",
				"	await services.listProviders('web_search');",
				"	await shell.run(['make']);",
				"	await plist.parse('a.plist');",
				'	const { base64 } = await crypto.randomBytes({ length: 8 });',
				'	return [text, rows, sent.status, found, found2, output, base64].length;',
				'}',
				'',
			].join('\n'),
		);
		assert.equal(await problems(), '');
		user.writes(`${skill}/index.ts`, "import { fs } from '@prowess/sdk';\nawait fs.read(1);\nexport {};\n");
		assert.match(await problems(), /'number' is not assignable/);
	});

	it('types a program that drives Prowess, from its requests to the events of a turn', async () => {
		const program = (outcome: string, level: string) =>
			user.writes(
				'program.ts',
				[
					"import { connect, type RpcFailure } from '@prowess/sdk/client';",
					"const prowess = await connect({ folder: '.', client: { name: 'typed' } });",
					"prowess.onApproval(({ op }) => (op === 'fs.write' ? { kind: 'once' } : { kind: 'deny' }));",
					'const { id: threadId } = await prowess.begin();',
					`await prowess.call('level/choose', { threadId, level: '${level}' }).catch(({ code }: RpcFailure) => code);`,
					"for await (const event of prowess.prompt({ threadId, text: 'go' })) {",
					`	if (event.type === 'turn.end' && event.outcome === '${outcome}') break;`,
					'}',
					'await prowess.close();',
					'',
				].join('\n'),
			);
		const strict = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', 'program.ts'];
		program('stopped', 'edit');
		assert.equal(await problems(strict), '');
		program('ended', 'widest');
		assert.match(await problems(strict), /"widest"[^]*"ended"/);
	});

	it('says outside of an execution that it is there only within one', async () => {
		user.writes('try.js', "import { host } from '@prowess/sdk';\nawait host.fs.read({ path: 'a' });\n");
		const ran = promisify(execFile)(process.execPath, ['try.js'], { cwd: user.workspace });
		await assert.rejects(ran, /"host" is there only while Prowess runs a capability/);
	});

	it('has a template that compiles, is valid, and runs', async () => {
		user.writes('a.txt', 'one\ntwo\n');
		assert.equal(await problems(), '');
		const checked = await user.runs(['capability', 'validate', skill]);
		assert.equal(checked.code, 0, checked.stdout);
		const words = ['--params', '{"path":"a.txt"}', '--trust', '--approve', 'auto', '--json'];
		const ran = await user.runs(['capability', 'run', 'count-lines', ...words]);
		assert.equal(ran.code, 0, ran.stderr);
		const { result, additionalContext } = JSON.parse(ran.stdout) as CapabilityExecutionResult;
		assert.deepEqual([result, additionalContext], [2, 'a.txt has 8 characters']);
	});
});
