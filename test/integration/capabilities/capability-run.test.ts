/** `prowess capability …` through the real CLI and the real executor of skills. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { programs } from '../../support/programs.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const folder = '.prowess/capabilities/skill/greet';

describe('prowess capability', function () {
	this.timeout(commandLimitMs);
	let user: User;
	const manifest = (more = '') =>
		user.writes(`${folder}/capability.yaml`, `name: greet\ntype: skill\nversion: 1.0.0\ndescription: Greets\n${more}`);
	const index = (text: string, name = 'index.js') => user.writes(`${folder}/${name}`, text);
	const run = (words: readonly string[] = [], operand = 'greet') =>
		user.runs(['capability', 'run', operand, '--trust', '--approve', 'auto', ...words]);
	const resultOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as CapabilityExecutionResult;
	beforeEach(() => {
		user = new User();
		manifest();
	});

	it('reads, starts and lists nothing of a folder that is not trusted', async () => {
		index('export const execute = () => 1');
		const { code, stderr } = await user.runs(['capability', 'run', 'greet']);
		assert.equal(code, 1);
		assert.match(stderr, /not trusted/);
		const listed = await user.runs(['capability', 'list']);
		assert.doesNotMatch(listed.stdout, /greet| project +\d/);
		assert.match(listed.stderr, /is not trusted/);
	});

	it('asks nobody by itself: without a yes nothing runs', async () => {
		index('export const execute = () => 1');
		const { code, stderr } = await user.runs(['capability', 'run', 'greet', '--trust']);
		assert.equal(code, 1);
		assert.match(stderr, /DENIED_BY_RULE/);
	});

	for (const [what, params] of [
		['that is not JSON', ['--params', '{']],
		['whose limit is no number', ['--timeout', 'soon']],
	] as const) {
		it(`refuses a command line ${what}`, async () => assert.equal((await run(params)).code, 2));
	}

	it('runs where the product itself lies behind a link', async () => {
		index('export const execute = () => 1');
		const root = join(import.meta.dirname, '../../..');
		const link = join(user.root, 'linked');
		symlinkSync(root, link);
		const { stdout, stderr } = await user.runsApart(['capability', 'run', 'greet', '--trust', '--approve', 'auto'], {
			program: join(link, relative(root, programs.cli)),
			env: { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' },
		});
		assert.equal(stdout, '1\n', stderr);
	});

	it('answers in JSON also when there is nothing to start, with both facts when there are two', async () => {
		for (const [operand, words, code, message] of [
			['nobody', [], 'CAPABILITY_NOT_FOUND', 'there is no capability "nobody"'],
			['nobody', ['--type', 'magic'], 'EXECUTOR_NOT_FOUND', /no executor .*"magic", nor a magic "nobody"$/],
		] as const) {
			const ended = await run([...words, '--json'], operand);
			assert.equal(ended.code, 1);
			const { success, error, executionId } = resultOf(ended);
			assert.deepEqual([success, error?.code, executionId], [false, code, undefined]);
			assert.match(error?.message ?? '', new RegExp(message));
		}
	});

	it('says which line of a manifest is wrong', async () => {
		manifest('level: HIGH\n');
		const { code, stderr } = await run();
		assert.equal(code, 1);
		assert.match(stderr, /capability\.yaml:5: level: .*INVALID_CAPABILITY_CONFIG/s);
	});

	it('says in which of its files something is missing, by where they lie in it', async () => {
		user.writes(`${folder}/lib/names.js`, 'export const names = 1;\n');
		for (const [text, message] of [
			[
				"import { none } from './lib/names.js';",
				/^index\.js:1:10: SyntaxError: .* does not provide an export named 'none'$/,
			],
			["import './lib/nobody.js';", /^Cannot find module 'lib\/nobody\.js' imported from index\.js$/],
		] as const) {
			index(text);
			const ended = await run(['--json']);
			assert.match(resultOf(ended).error?.message ?? '', message);
		}
	});

	it('has a code of its own for a module that does not parse, and for one without a function to be run', async () => {
		for (const [text, code, message] of [
			[
				'export function execute() {\n\tconst x = ;\n}\n',
				'SYNTAX_ERROR',
				/^index\.js:2:12: SyntaxError: Unexpected token/,
			],
			['export const run = () => 1;\n', 'INVALID_ACTION_BLOCK', /^index\.js exports run \(a function\); expected/],
		] as const) {
			index(text);
			const ended = await run(['--json']);
			assert.equal(ended.code, 1);
			const { success, error } = resultOf(ended);
			assert.deepEqual([success, error?.code], [false, code], error?.message);
			assert.match(error?.message ?? '', message);
		}
	});

	it('says which of its own modules does not parse, and at which place', async () => {
		user.writes(`${folder}/lib/names.mjs`, 'export const names = [1,\n];\nexport const = 2;\n');
		index("import { names } from './lib/names.mjs';\nexport const execute = () => names;\n");
		const { code, stderr } = await run();
		assert.equal(code, 1);
		assert.match(
			stderr,
			/^prowess: The capability has a syntax error: lib\/names\.mjs:3:14: SyntaxError: Unexpected token '='.* \(SYNTAX_ERROR\)$/m,
		);
	});

	it('says why there is nothing to run', async () => {
		const reason = /there is nothing to run: none of index\.js, index\.mjs, index\.ts, SKILL\.md/;
		const { error } = resultOf(await run(['--json']));
		assert.equal(error?.code, 'INVALID_CAPABILITY_CONFIG');
		assert.match(error?.message ?? '', reason);
		const talent = '.prowess/capabilities/talent/advise';
		user.writes(`${talent}/capability.yaml`, 'name: advise\ntype: talent\nversion: 1.0.0\n');
		user.writes(`${talent}/knowledge/notes.txt`, 'What it knows is in Markdown.');
		const ended = resultOf(await run(['--json'], 'advise'));
		assert.equal(ended.error?.code, 'ACTION_BLOCK_NOT_FOUND');
		assert.match(ended.error?.message ?? '', /advise: expected TALENT\.md or SKILL\.md, or knowledge\/\*\.md/);
	});

	it('says what a capability threw', async () => {
		index('export function execute() { throw new TypeError("no such greeting") }');
		const ended = await run(['--json']);
		assert.equal(ended.code, 1);
		const { success, error } = resultOf(ended);
		assert.deepEqual([success, error?.code], [false, 'EXECUTION_FAILED']);
		assert.match(error?.message ?? '', /TypeError: no such greeting/);
	});

	for (const [form, text, name] of [
		['a function execute', 'export const execute = ({ who }) => `hello ${who}`', 'index.js'],
		['execute on the default', 'export default { execute: ({ who }) => `hello ${who}` }', 'index.mjs'],
		['a default function', 'export default async ({ who }) => `hello ${who}`', 'index.mjs'],
		['a CommonJS module', 'module.exports = { execute: ({ who }) => `hello ${who}` }', 'index.js'],
		['TypeScript', 'export function execute({ who }: { who: string }): string { return `hello ${who}` }', 'index.ts'],
		[
			'the older name',
			'export const onActionBlockInvocation = (thread, meta) => `hello ${thread.params.who}`',
			'index.js',
		],
	] as const) {
		it(`runs ${form}`, async () => {
			index(text, name);
			const { code, stdout, stderr } = await run(['--params', '{"who":"you"}']);
			assert.deepEqual([code, stdout], [0, 'hello you\n'], stderr);
		});
	}

	it('says how to be asked when an op that nobody could be asked about made it fail', async () => {
		manifest('permissions: [workspace.write]\nlevel: CONTROLLED\n');
		index(`
			import { host } from '@prowess/sdk';
			export const execute = () => host.fs.write({ path: '.vscode/tasks.json', content: '{}' });`);
		const ended = await run();
		assert.equal(ended.code, 1);
		assert.match(ended.stderr, /\nRun it in a terminal\.\n$/);
	});

	it('gives a capability the ops it may use, refuses the others, and records each', async () => {
		manifest('permissions: [workspace.read, thread, shell]\nlevel: MONITORED\n');
		user.writes('a.txt', 'read me');
		index(`
			import { host, progress } from '@prowess/sdk';
			export async function execute() {
				progress('reading', 0.5);
				const { text } = await host.fs.read({ path: 'a.txt' });
				await host.progress.report({ message: 'half way', fraction: 0.5 });
				const shell = await host.shell.run({ argv: ['true'] }).catch(({ code }) => code);
				return { result: { text, shell }, additionalContext: 'for the agent' };
			}`);
		const ended = await run(['--json']);
		assert.equal(ended.code, 0, ended.stderr);
		assert.match(ended.stderr, /reading 50%.*half way 50%/s);
		const { result, additionalContext } = resultOf(ended);
		assert.deepEqual(result, { text: 'read me', shell: 'DENIED_BY_RULE' });
		assert.equal(additionalContext, 'for the agent');
		const rows = JSON.parse((await user.runs(['ledger', 'list', '--json'])).stdout) as {
			kind: string;
			op: string;
			trigger: string;
		}[];
		const told = rows.filter(({ op }) => op !== 'progress.report').reverse();
		assert.deepEqual(
			told.map(({ kind, op }) => `${kind} ${op}`),
			['intent capability.run', 'intent fs.read', 'outcome fs.read', 'denial shell.run', 'outcome capability.run'],
		);
		assert.match(told[1]?.trigger ?? '', /^skill\/greet:fs\.read \(cap_\w+\)$/);
		assert.equal(rows.filter(({ op }) => op === 'progress.report').length, 2);
	});

	it('names to its author an op without a name', async () => {
		index(`import { log, op } from '@prowess/sdk';
			export async function execute() {
				log({ n: 1n });
				await op();
			}`);
		const ended = await run(['--json', '--verbose']);
		const { success, error } = resultOf(ended);
		assert.deepEqual([success, error?.code], [false, 'EXECUTION_FAILED'], ended.stderr);
		assert.ok(error?.message.endsWith('name is a string, not undefined'), error?.message);
	});

	it('does a batch in the order of its groups, where one failure touches no other', async () => {
		manifest('permissions: [workspace.read, workspace.write]\nlevel: CONTROLLED\n');
		index(`
			import { batch } from '@prowess/sdk';
			const read = (path) => ({ op: 'fs.read', params: { path }, parallelGroup: 'reads' });
			export async function execute() {
				const results = await batch([
					read('early.txt'),
					{ op: 'fs.write', params: { path: 'early.txt', content: 'now' } },
					read('early.txt'), read('never.txt'), read('early.txt'),
					{ op: 'no.such' },
				]);
				return results.map(({ value, reason }) => value?.text ?? value?.created ?? reason.code);
			}`);
		const ended = await run(['--json']);
		assert.equal(ended.code, 0, ended.stderr);
		assert.deepEqual(resultOf(ended).result, ['NOT_FOUND', true, 'now', 'NOT_FOUND', 'now', 'UNKNOWN_OP']);
	});

	it('uses the databases that its manifest names, and no other', async () => {
		manifest('permissions: [database, workspace.read]\nlevel: CONTROLLED\ndatabases: { orders: data/orders.db }\n');
		for (const name of ['orders', 'others']) {
			user.writes(`data/${name}.db`, '');
		}
		index(`
			import { host } from '@prowess/sdk';
			const statements = [{ sql: 'CREATE TABLE a (b)' }, { sql: 'INSERT INTO a VALUES (:b)', params: { b: 7 } }];
			export async function execute() {
				await host.sql.execute({ database: 'orders', statements });
				const { rows } = await host.sql.query({ database: 'orders', sql: 'SELECT b FROM a' });
				const other = await host.sql.query({ path: 'data/others.db', sql: 'SELECT 1' }).catch(({ code }) => code);
				return { rows, other };
			}`);
		const ended = await run(['--json']);
		assert.equal(ended.code, 0, ended.stderr);
		assert.deepEqual(resultOf(ended).result, { rows: [[7]], other: 'DENIED_BY_RULE' });
	});

	it('runs the one in a folder, and lists what there is', async () => {
		index('export const execute = () => 7');
		assert.equal((await run([], `./${folder}`)).stdout, '7\n');
		const { stdout } = await user.runs(['capability', 'list']);
		assert.match(stdout, /^skill +greet +project +1\.0\.0 +Greets$/m);
	});

	it('ends one that takes too long', async () => {
		index('export const execute = () => new Promise(() => setInterval(() => {}, 1000))');
		const { error } = resultOf(await run(['--json', '--timeout', '300']));
		assert.equal(error?.code, 'EXECUTION_TIMEOUT');
	});
});
