/** A thread's changes are its own lines: what others do to the same file is neither counted nor undone with them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from '../approvals/served-base.ts';

const never = new AbortController().signal;
const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`);
const before = lines.join('');
const edit = (find: string, replace: string) => ({
	path: 'a.txt',
	edits: [{ find: `${find}\n`, replace: `${replace}\n` }],
});

describe('the changes of a thread', () => {
	const start = useServedBases();
	type Served = Awaited<ReturnType<typeof start>>;
	const open = () => start({ files: { 'a.txt': before } });
	const text = ({ host }: Served, path = 'a.txt') => readFileSync(join(host.workspace, path), 'utf8');
	const write = ({ host }: Served, content: string, path = 'a.txt') =>
		writeFileSync(join(host.workspace, path), content);
	const counts = async ({ base, threadId }: Served, owner: string = threadId) =>
		(await base.changes.list(owner)).map(({ path, added, removed, touchedSince }) => [
			path,
			added,
			removed,
			touchedSince,
		]);

	it('are not those of another thread in the same file, and come back in none that has undone its own', async () => {
		const served = await open();
		const other = newId('thr');
		await served.perform('fs.edit', edit('line 2', 'two'));
		await served.performFor(other, 'fs.edit', edit('line 18', 'eighteen\nand more'));
		assert.deepEqual(await counts(served), [['a.txt', 1, 1, false]]);
		assert.deepEqual(await counts(served, other), [['a.txt', 2, 1, false]]);
		assert.equal(
			(await served.base.changes.before(served.threadId, 'a.txt')).before,
			text(served).replace('two', 'line 2'),
		);

		assert.deepEqual((await served.base.changes.undo(served.threadId, undefined, false, never)).skipped, []);
		assert.equal(text(served), before.replace('line 18\n', 'eighteen\nand more\n'));
		await served.performFor(other, 'fs.edit', edit('line 10', 'ten'));
		assert.deepEqual(await counts(served), []);
		assert.deepEqual(await counts(served, other), [['a.txt', 3, 2, false]]);
	});

	it('follow the file: what was taken back by hand, or done by another program, is not counted', async () => {
		const served = await open();
		await served.perform('fs.edit', edit('line 2', 'two'));
		await served.perform('fs.edit', edit('line 18', 'eighteen'));
		const told = new Promise<number[]>((resolve) => {
			served.base.changes.onDidChange(({ changes }) => resolve(changes.map(({ added }) => added)));
		});
		write(served, `first\n${text(served).replace('two', 'line 2')}`);
		served.base.changes.look([join(served.host.workspace, 'a.txt')]);
		assert.deepEqual(await told, [1]);
		assert.deepEqual(await counts(served), [['a.txt', 1, 1, false]]);
		// Nor does it become the thread's when the thread goes on in that file.
		await served.perform('fs.edit', edit('line 5', 'five'));
		assert.deepEqual(await counts(served), [['a.txt', 2, 2, false]]);
		await served.base.changes.undo(served.threadId, undefined, false, never);
		assert.equal(text(served), `first\n${before}`);
	});

	it('give back what the user made of them before the thread wrote over it, or deleted it', async () => {
		const acts = {
			'fs.write': (path: string) => ({ path, content: 'agent again\n' }),
			'fs.delete': (path: string) => ({ path, recursive: false }),
			'shell.run': (path: string) => ({ argv: ['rm', path], background: false }),
		};
		for (const [op, act] of Object.entries(acts)) {
			for (const [path, user, given] of [
				['a.txt', 'user\n', 'user\n'],
				['new.txt', 'user\n', 'user\n'],
				['new.txt', 'agent\nuser\n', 'user\n'],
			] as const) {
				const served = await open();
				await served.perform('fs.read', { path });
				await served.perform('fs.write', { path, content: 'agent\n' });
				write(served, user, path);
				await served.perform('fs.read', { path });
				const outcome = await served.perform(op, act(path));
				assert.equal(outcome.status, 'done', `${op} ${path}: ${JSON.stringify(outcome)}`);
				await served.base.changes.undo(served.threadId, undefined, false, never);
				const now = existsSync(join(served.host.workspace, path)) ? text(served, path) : 'gone';
				assert.equal(now, given, `${op} ${path} after ${JSON.stringify(user)}`);
			}
		}
	});

	it('are listed apart where commands of two threads ran side by side, and taken back only when it is insisted', async () => {
		const served = await open();
		const other = newId('thr');
		const at = (name: string) => join(served.host.workspace, name);
		const waits = (until: string, then: string) => ({
			argv: ['sh', '-c', `touch ${until}-awaited; until [ -e ${until} ]; do sleep 0.02; done; ${then}`],
			background: false,
		});
		const first = served.perform('shell.run', waits('go', 'echo one > a.txt'));
		await waitFor('the first command', () => existsSync(at('go-awaited')));
		const second = served.performFor(other, 'shell.run', waits('stop', 'echo two > b.txt'));
		await waitFor('the second command', () => existsSync(at('stop-awaited')));
		writeFileSync(at('go'), '');
		await first;
		writeFileSync(at('stop'), '');
		await second;
		const [change] = (await served.base.changes.list(served.threadId)).filter(({ path }) => path === 'a.txt');
		assert.deepEqual([change?.touchedSince, change?.since], [true, [{ kind: 'unknown' }]]);
		const undo = (force: boolean) => served.base.changes.undo(served.threadId, undefined, force, never);
		assert.ok((await undo(false)).skipped.includes('a.txt'));
		assert.deepEqual([text(served), text(served, 'b.txt')], ['one\n', 'two\n']);
		// An own change on top of it is undone to what may be somebody else's, and no further.
		await served.perform('fs.read', { path: 'a.txt' });
		await served.perform('fs.edit', edit('one', 'three'));
		assert.equal(text(served), 'three\n');
		await undo(false);
		assert.equal(text(served), 'one\n');
	});

	it('name who changed them since, and are undone then only when it is insisted', async () => {
		const served = await open();
		const other = newId('thr');
		await served.perform('fs.edit', edit('line 2', 'two'));
		const since = async () => (await served.base.changes.list(served.threadId))[0]?.since;
		assert.equal(await since(), undefined);
		await served.performFor(other, 'fs.edit', edit('two', 'TWO'));
		assert.deepEqual(await since(), [{ kind: 'thread', threadId: other }]);
		write(served, before.replace('line 2\n', 'zwei\n'));
		assert.deepEqual(await since(), [{ kind: 'thread', threadId: other }, { kind: 'program' }]);
		assert.deepEqual((await served.base.changes.undo(served.threadId, undefined, false, never)).skipped, ['a.txt']);
		assert.equal(text(served), before.replace('line 2\n', 'zwei\n'));
		await served.base.changes.undo(served.threadId, undefined, true, never);
		assert.equal(text(served), before);
	});

	it('are not what the user saves in an editor while a short command computes, has not saved yet, or another thread writes', async () => {
		const served = await open();
		const { base, host, threadId } = served;
		const at = (path: string) => join(host.workspace, path);
		Object.assign(host.ports.documents, {
			isEdited: (path: string) => path !== at('unsaved.txt'),
			isUnsaved: (path: string) => path === at('unsaved.txt'),
		});
		const saves = (path: string) => {
			write(served, 'by the user\n', path);
			base.changes.look([at(path)]);
		};
		// Computes, and rests at no time: then what changed is the command's, unless somebody else is known to have done it.
		const script = 'echo own > own.txt; echo > begun; while [ ! -e go ]; do :; done';
		const running = served.perform('shell.run', { argv: ['sh', '-c', script], background: false });
		await waitFor('the command', () => existsSync(at('begun')), 20_000);
		saves('saved.txt');
		saves('a.txt');
		write(served, 'by the user\n', 'unsaved.txt');
		await served.performFor(newId('thr'), 'fs.write', { path: 'other.txt', content: 'by another thread\n' });
		saves('go');
		assert.equal((await running).status, 'done');
		const listed = (await base.changes.list(threadId)).map(({ path }) => path);
		assert.deepEqual(listed.toSorted(), ['begun', 'own.txt', 'unsaved.txt']);
		const { undone } = await base.changes.undo(threadId, undefined, false, never);
		assert.equal(undone.includes('unsaved.txt'), false);
		for (const path of ['saved.txt', 'a.txt', 'unsaved.txt', 'go']) assert.equal(text(served, path), 'by the user\n');
		assert.equal(text(served, 'other.txt'), 'by another thread\n');
	});

	it('are kept and undone hunk by hunk, and not when the hunk has changed', async () => {
		const served = await open();
		const { changes } = served.base;
		for (const [find, replace] of [
			['line 2', 'two'],
			['line 10', 'ten\nten and a half'],
			['line 18', 'eighteen'],
		] as const) {
			await served.perform('fs.edit', edit(find, replace));
		}
		const [first, second, third] = await changes.hunks(served.threadId, 'a.txt');
		assert.ok(first !== undefined && second !== undefined && third !== undefined);
		assert.deepEqual([first.line, second.line, third.line], [2, 10, 19]);
		assert.deepEqual(second.added, ['ten\n', 'ten and a half\n']);
		await changes.keepHunk(served.threadId, 'a.txt', first);
		assert.deepEqual(await counts(served), [['a.txt', 3, 2, false]]);
		// With the first hunk kept, `second` is the first hunk of the file, so the old reference is refused.
		await assert.rejects(changes.undoHunk(served.threadId, 'a.txt', second, never), { code: 'FILE_CHANGED' });
		const [again] = await changes.hunks(served.threadId, 'a.txt');
		assert.ok(again !== undefined);
		await changes.undoHunk(served.threadId, 'a.txt', again, never);
		assert.equal(text(served), before.replace('line 2\n', 'two\n').replace('line 18\n', 'eighteen\n'));
		assert.deepEqual(await counts(served), [['a.txt', 1, 1, false]]);
		await changes.undo(served.threadId, undefined, false, never);
		assert.equal(text(served), before.replace('line 2\n', 'two\n'));
	});

	it('that were undone are redone, also after a restart, where nobody has changed the file since', async () => {
		const first = await open();
		await first.perform('fs.edit', edit('line 2', 'two'));
		await first.perform('fs.write', { path: 'new.txt', content: 'new\n' });
		await first.perform('fs.write', { path: 'mine.txt', content: 'theirs\n' });
		await first.perform('fs.delete', { path: 'mine.txt' });
		const { undone } = await first.base.changes.undo(first.threadId, undefined, false, never);
		assert.deepEqual(undone, ['a.txt', 'new.txt']);
		assert.equal(existsSync(join(first.host.workspace, 'new.txt')), false);
		await first.base.close();

		const { home, workspace } = first.host;
		const served = { ...(await start({ home, workspace })), threadId: first.threadId };
		const { changes } = served.base;
		write(served, before.replace('line 5\n', 'five\n'));
		assert.deepEqual(await changes.undone(served.threadId), ['new.txt']);
		const redone = await changes.redo(served.threadId, never);
		assert.deepEqual([redone.skipped, redone.undone], [['a.txt'], []]);
		assert.equal(text(served, 'new.txt'), 'new\n');
		assert.deepEqual(await counts(served), [['new.txt', 1, 0, false]]);
	});
});
