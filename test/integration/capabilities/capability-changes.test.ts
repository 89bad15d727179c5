/** Tests that changes capabilities make outside of any thread can be undone, like changes of threads. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CapabilityScene, skill } from '../../support/capability-scene.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const never = new AbortController().signal;
const CHANGES = `
	await host.fs.write({ path: 'a.txt', content: 'changed\\n' });
	await host.fs.write({ path: 'new.txt', content: 'new\\n' });
	return 'done';`;

function named(name: string, files: Record<string, string>): Record<string, string> {
	return { ...files, 'capability.yaml': (files['capability.yaml'] ?? '').replace('name: asks', `name: ${name}`) };
}

describe('changes of a capability outside of any thread', function () {
	this.timeout(commandLimitMs);
	let scene: CapabilityScene;
	afterEach(() => scene.close());
	const text = (path: string) => readFileSync(join(scene.host.workspace, path), 'utf8');

	it('are listed and undone, those of a capability that it started with them', async () => {
		scene = await CapabilityScene.open({ files: { 'a.txt': 'old\n' } });
		scene.capability('skill', 'inner', named('inner', skill(CHANGES, ['workspace.write'], 'CONTROLLED')));
		const outer = "return (await host.capability.start({ name: 'inner' })).result;";
		scene.capability('skill', 'outer', named('outer', skill(outer, ['capabilities', 'workspace.write'], 'CONTROLLED')));
		const { executionId, success, error } = await scene.run('outer');
		assert.ok(success, JSON.stringify(error));
		const { changes } = scene.base;
		const [first, ...others] = await changes.ofExecutions();
		assert.deepEqual([first?.executionId, others], [executionId, []]);
		assert.deepEqual(
			first?.changes.map(({ path, kind, touchedSince }) => [path, kind, touchedSince]),
			[
				['a.txt', 'modified', false],
				['new.txt', 'created', false],
			],
		);
		const left = await changes.undo(executionId, undefined, false, never);
		assert.deepEqual([left.changes, left.skipped], [[], []]);
		assert.equal(text('a.txt'), 'old\n');
		assert.equal(existsSync(join(scene.host.workspace, 'new.txt')), false);
		assert.deepEqual(await changes.ofExecutions(), []);
		const restored = (await scene.rows('change.restore')).filter(({ trigger }) => trigger === 'user');
		assert.deepEqual(
			restored.map(({ kind }) => kind),
			['intent', 'outcome', 'intent', 'outcome'],
		);
		const inputs = new Set(restored.map(({ input }) => input));
		assert.deepEqual([...inputs].toSorted(), ['Restore a.txt', 'Restore new.txt']);
	});

	it('are told as they are when the user cancels halfway', async () => {
		const cancel = new AbortController();
		const formatOnSave = (saved: string) => {
			if (saved === 'old\n') cancel.abort(new Error('cancelled'));
			return saved;
		};
		scene = await CapabilityScene.open({ files: { 'a.txt': 'old\n', 'b.txt': 'b\n' }, formatOnSave });
		const changesTwo = CHANGES.replaceAll('new.txt', 'b.txt');
		scene.capability('skill', 'asks', skill(changesTwo, ['workspace.write'], 'CONTROLLED'));
		const { executionId } = await scene.run('asks');
		scene.host.open.set(join(scene.host.workspace, 'a.txt'), 'changed\n');
		const told: string[][] = [];
		scene.base.changes.onDidChange(({ changes }) => told.push(changes.map(({ path }) => path)));
		const undoing = scene.base.changes.undo(executionId, undefined, false, cancel.signal);
		await assert.rejects(undoing, { message: 'cancelled' });
		assert.deepEqual([text('a.txt'), text('b.txt')], ['old\n', 'new\n']);
		assert.deepEqual(told.at(-1), ['b.txt']);
	});

	it('are left alone where a file was changed again since', async () => {
		scene = await CapabilityScene.open({ files: { 'a.txt': 'old\n' } });
		scene.capability('skill', 'asks', skill(CHANGES, ['workspace.write'], 'CONTROLLED'));
		const { executionId } = await scene.run('asks');
		writeFileSync(join(scene.host.workspace, 'a.txt'), 'mine\n');
		const { skipped } = await scene.base.changes.undo(executionId, undefined, false, never);
		assert.deepEqual([skipped, text('a.txt')], [['a.txt'], 'mine\n']);
	});
});

describe('prowess change', function () {
	this.timeout(commandLimitMs);
	let user: User;
	const text = (path: string) => readFileSync(join(user.workspace, path), 'utf8');
	const idIn = (stderr: string) => /prowess change undo (cap_\w+)/.exec(stderr)?.[1] ?? '';
	beforeEach(() => {
		user = new User();
		user.writes('a.txt', 'old\n');
		for (const [path, content] of Object.entries(skill(CHANGES, ['workspace.write'], 'CONTROLLED'))) {
			user.writes(`.prowess/capabilities/skill/asks/${path}`, content);
		}
	});
	const run = (...words: string[]) =>
		user.runs(['capability', 'run', 'asks', '--trust', '--approve', 'auto', ...words]);

	it('undoes what a run has changed, as the run says', async () => {
		const { code, stdout, stderr } = await run();
		assert.deepEqual([code, stdout], [0, 'done\n'], stderr);
		assert.match(stderr, /^Changed: a\.txt, new\.txt\nUndo with: prowess change undo cap_\w+$/m);
		const listed = await user.runs(['change', 'list']);
		assert.equal(listed.stdout, `${idIn(stderr)}\n  a.txt (modified, +1 -1)\n  new.txt (created, +1 -0)\n`);
		const undone = await user.runs(['change', 'undo', idIn(stderr)]);
		assert.deepEqual([undone.code, undone.stdout], [0, 'Undone: a.txt\nUndone: new.txt\n'], undone.stderr);
		assert.equal(text('a.txt'), 'old\n');
		assert.match((await user.runs(['change', 'list'])).stderr, /^No changes can be undone here\.$/m);
	});

	it('keeps and undoes single hunks by the numbers that it lists', async () => {
		const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`);
		user.writes('a.txt', lines.join(''));
		const changed = lines.with(1, 'two\n').with(7, 'eight\n').join('');
		const code = `await host.fs.write({ path: 'a.txt', content: ${JSON.stringify(changed)} });`;
		for (const [path, content] of Object.entries(skill(code, ['workspace.write'], 'CONTROLLED'))) {
			user.writes(`.prowess/capabilities/skill/asks/${path}`, content);
		}
		const id = idIn((await run()).stderr);
		const listed = await user.runs(['change', 'list', id, 'a.txt']);
		assert.equal(listed.stdout, 'hunk 1, line 2\n-line 2\n+two\nhunk 2, line 8\n-line 8\n+eight\n', listed.stderr);
		const none = await user.runs(['change', 'undo', id, 'a.txt', '--hunk', '3']);
		assert.deepEqual([none.code, /--hunk takes a number from 1 to 2; got "3"/.test(none.stderr)], [2, true]);
		assert.equal((await user.runs(['change', 'undo', id, '--hunk', '1'])).code, 2);
		const undone = await user.runs(['change', 'undo', id, 'a.txt', '--hunk', '2']);
		assert.equal(undone.stdout, 'Undone: hunk 2 of a.txt\n', undone.stderr);
		assert.equal(text('a.txt'), lines.with(1, 'two\n').join(''));
		assert.equal((await user.runs(['change', 'keep', id, 'a.txt', '--hunk', '1'])).stdout, 'Kept: hunk 1 of a.txt\n');
		assert.match((await user.runs(['change', 'list'])).stderr, /^No changes can be undone here\.$/m);
	});

	it('leaves a file alone that was changed again since, unless it is forced', async () => {
		const { changes, executionId } = JSON.parse((await run('--json')).stdout) as {
			changes: { path: string }[];
			executionId: string;
		};
		assert.deepEqual(
			changes.map(({ path }) => path),
			['a.txt', 'new.txt'],
		);
		user.writes('a.txt', 'mine\n');
		const { code, stderr } = await user.runs(['change', 'undo', executionId, 'a.txt']);
		assert.equal(code, 1);
		assert.match(stderr, /^Not undone: a\.txt was changed again since\./m);
		assert.equal((await user.runs(['change', 'undo', executionId, 'a.txt', '--force'])).code, 0);
		assert.equal(text('a.txt'), 'old\n');
		assert.equal((await user.runs(['change', 'keep', executionId])).stdout, 'Kept: new.txt\n');
		assert.equal((await user.runs(['change', 'undo', executionId])).code, 2);
	});

	it('says what it takes', async () => {
		const { code, stderr } = await user.runs(['change', 'undo', 'everything', '--trust']);
		assert.equal(code, 2);
		assert.match(stderr, /expected the id of a run \(cap_…\) or of a thread \(thr_…\), got "everything"/);
	});
});
