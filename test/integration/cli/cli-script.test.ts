/** Scripts from the command line: the real CLI, its gate and ledger, a kill in the midst, and no model at all. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess script', function () {
	this.timeout(3 * commandLimitMs);
	let user: User;
	let file: string;
	beforeEach(() => {
		user = new User();
		user.writes('data/a.txt', 'alpha\n');
		user.writes('data/b.txt', 'beta\n');
		file = join(user.workspace, 'work.yaml');
	});

	const writes = (...steps: string[]) => writeFileSync(file, ['name: Work', 'steps:', ...steps].join('\n'));
	const run = (...words: string[]) => user.runs(['script', 'run', file, '--trust', '--approve', 'edit', ...words]);
	const runsAll = (...words: string[]) => user.runs(['script', 'run', file, '--trust', '--approve', 'full', ...words]);
	const text = (path: string) => readFileSync(join(user.workspace, path), 'utf8');
	const recorded = async (op: string) =>
		(
			JSON.parse((await user.runs(['ledger', 'list', '--op', op, '--json'])).stdout) as {
				kind: string;
				input: string;
			}[]
		).filter(({ kind }) => kind === 'outcome');

	it('says what is wrong with its path and line, and runs nothing', async () => {
		writes(
			'  - { id: a, op: fs.write, with: { path: c.txt, content: x } }',
			'  - { id: b, op: fs.raed }',
			'  - { id: c, capability: skill/gone }',
		);
		for (const what of ['check', 'run'] as const) {
			const { code, stderr } = await user.runs(['script', what, file, '--trust']);
			assert.notEqual(code, 0);
			assert.match(stderr, /work\.yaml:4: steps\.1\.op: there is no op "fs\.raed"/);
			assert.match(stderr, /work\.yaml:5: steps\.2\.capability: there is no capability skill\/gone/);
		}
		assert.equal(existsSync(join(user.workspace, 'c.txt')), false);
	});

	it('runs its steps through the gate, one row of the ledger for each, and shows them before', async () => {
		writes(
			"  - { id: find, op: fs.find, with: { pattern: 'data/*.txt' } }",
			'  - id: copy',
			'    for: [a, b]',
			'    op: fs.write',
			"    with: { path: 'out/${item}.txt', content: 'copy of ${item}' }",
		);
		const { code, stderr, stdout } = await run('--json');
		assert.equal(code, 0, stderr);
		assert.match(stderr, /1\. find: .*\n +2\. copy: .*for each/);
		assert.match(stdout, /"find"/);
		assert.deepEqual([text('out/a.txt'), text('out/b.txt')], ['copy of a', 'copy of b']);
		assert.deepEqual((await recorded('fs.write')).map(({ input }) => input).toSorted(), [
			'Write out/a.txt',
			'Write out/b.txt',
		]);
		assert.equal((await recorded('script.run')).length, 1);
	});

	it('stops at a step that is denied, and the next run goes on there without repeating what was done', async () => {
		writes(
			'  - { id: write, op: fs.write, with: { path: one.txt, content: one } }',
			"  - { id: list, op: shell.run, with: { argv: [node, -e, \"require('fs').appendFileSync('two.txt', 'x')\"] } }",
			'  - { id: last, op: fs.write, with: { path: three.txt, content: three } }',
		);
		const denied = await run();
		assert.equal(denied.code, 1);
		assert.match(denied.stderr, /Stopped at step "list" \(line 4\)/);
		assert.equal(existsSync(join(user.workspace, 'three.txt')), false);
		writeFileSync(join(user.workspace, 'one.txt'), 'changed by hand');
		const { code, stderr } = await runsAll();
		assert.equal(code, 0, stderr);
		assert.match(stderr, /write: done before/);
		assert.deepEqual([text('one.txt'), text('two.txt'), text('three.txt')], ['changed by hand', 'x', 'three']);
		assert.equal((await recorded('fs.write')).length, 2);
		// A script that came to its end begins anew, and replaces nothing that none of its steps has read.
		assert.match((await runsAll()).stderr, /"one\.txt" was to be replaced unread/);
	});

	it('stops at a command that fails, each time', async () => {
		writes(
			'  - { id: fail, op: shell.run, with: { argv: [node, -e, "process.exit(3)"] } }',
			'  - { id: last, op: fs.write, with: { path: three.txt, content: three }, after: [fail] }',
		);
		await runsAll();
		const { code, stderr } = await runsAll();
		assert.equal(code, 1);
		assert.match(stderr, /step "fail" \(line 3\): the command ended with exit code 3/);
		assert.equal(existsSync(join(user.workspace, 'three.txt')), false);
	});

	it('leaves a step that a kill cut off to the user, and repeats or skips it as they say', async () => {
		const waits = "require('fs').appendFileSync('ran.txt', 'x'); setInterval(() => {}, 1000)";
		writes(
			'  - { id: write, op: fs.write, with: { path: one.txt, content: one } }',
			`  - { id: wait, op: shell.run, with: { argv: [node, -e, "${waits}"] } }`,
			'  - { id: last, op: fs.write, with: { path: three.txt, content: three } }',
		);
		const running = user.starts(['script', 'run', file, '--trust', '--approve', 'full']);
		await waitFor('the command', () => existsSync(join(user.workspace, 'ran.txt')), commandLimitMs);
		assert.match((await runsAll()).stderr, /This script is running here already/);
		running.child.kill('SIGKILL');
		await running.ended;
		const doubted = await runsAll();
		assert.equal(doubted.code, 1);
		assert.match(doubted.stderr, /Stopped at step "wait" \(line 4\)/);
		assert.equal(text('ran.txt'), 'x');
		const { code, stderr } = await runsAll('--skip', 'wait');
		assert.equal(code, 0, stderr);
		assert.deepEqual([text('ran.txt'), text('three.txt')], ['x', 'three']);
		assert.equal((await recorded('fs.write')).length, 2);
	});

	it('is kept as a skill that does the same', async () => {
		writes(
			"  - { id: find, op: fs.find, with: { pattern: 'data/*.txt' } }",
			"  - { id: copy, for: [a, b], op: fs.write, with: { path: 'out/${item}.txt', content: '${item}: ${find}' } }",
		);
		assert.match((await user.runs(['script', 'keep', file, 'No Name', '--trust'])).stderr, /is not a valid name/);
		const kept = await user.runs(['script', 'keep', file, 'copy-all', '--trust']);
		assert.equal(kept.code, 0, kept.stderr);
		assert.match((await user.runs(['script', 'keep', file, 'copy-all'])).stderr, /There is a skill copy-all already/);
		const ran = await user.runs(['capability', 'run', 'copy-all', '--approve', 'auto']);
		assert.equal(ran.code, 0, ran.stderr);
		assert.match(text('out/b.txt'), /^b: .*data\/a\.txt/s);
	});
});
