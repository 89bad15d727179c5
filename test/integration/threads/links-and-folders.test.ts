/** Links, folders and permissions of what a thread changes: undone and redone as files are, and never followed. */
import assert from 'node:assert/strict';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../support/temp-dir.ts';
import { treeOf } from '../../support/tree-of.ts';
import { useServedBases } from '../approvals/served-base.ts';

const never = new AbortController().signal;

describe('links and folders that a thread changes', function () {
	if (process.platform === 'win32') return;
	const start = useServedBases();
	let outside: string;

	async function open(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'src/c.ts': 'c\n' }) {
		const served = await start({ files });
		const { host, base, threadId } = served;
		const at = (name: string) => join(host.workspace, name);
		outside = tempDir('outside');
		writeFileSync(join(outside, 'a.txt'), 'outside\n');
		return {
			...served,
			at,
			tree: () => treeOf(host.workspace, (path) => /^\.(git|vscode|prowess)$/.test(path)),
			sh: async (line: string) => {
				const outcome = await served.perform('shell.run', { argv: ['sh', '-c', line], background: false });
				assert.equal(outcome.status, 'done', JSON.stringify(outcome));
			},
			undo: async (paths?: readonly string[], force = false) => await base.changes.undo(threadId, paths, force, never),
			listed: async () =>
				(await base.changes.list(threadId)).map(({ path, entry, kind, touchedSince }) =>
					[path, entry ?? 'file', kind, ...(touchedSince ? ['touched'] : [])].join(' '),
				),
		};
	}

	it('are left alone where the user has made them something else since', async () => {
		const { at, sh, undo, listed, tree } = await open();
		await sh('ln -s a.txt made; ln -s a.txt moved; mkdir -p used/deep empty; rm -r src');
		rmSync(at('moved'));
		symlinkSync('b.txt', at('moved'));
		writeFileSync(at('used/deep/mine.txt'), 'mine\n');
		mkdirSync(at('src'));
		writeFileSync(at('src/c.ts'), 'mine, too\n');
		assert.deepEqual(await listed(), [
			'empty folder created',
			'made link created',
			'moved link created touched',
			'src/c.ts file modified touched',
		]);
		assert.deepEqual((await undo()).skipped, ['moved', 'src/c.ts']);
		assert.equal(readlinkSync(at('moved')), 'b.txt');
		assert.deepEqual(Object.keys(tree()), [
			'a.txt',
			'b.txt',
			'moved',
			'src',
			'src/c.ts',
			'used',
			'used/deep',
			'used/deep/mine.txt',
		]);
		assert.equal(readFileSync(at('src/c.ts'), 'utf8'), 'mine, too\n');
		assert.deepEqual((await undo(undefined, true)).skipped, []);
		assert.ok(!existsSync(at('moved')));
		assert.deepEqual([readFileSync(at('src/c.ts'), 'utf8'), readFileSync(at('b.txt'), 'utf8')], ['c\n', 'b\n']);
	});

	it('that are exchanged for links to elsewhere are not followed: nothing behind them changes', async () => {
		const { at, sh, undo, tree } = await open({ 'src/c.ts': 'c\n', 'src/d.ts': 'd\n', 'other/c.ts': 'C\n' });
		await sh('echo C > src/c.ts; rm src/d.ts; ln -s c.ts src/link; mkdir src/new');
		renameSync(at('src'), at('kept'));
		writeFileSync(join(outside, 'c.ts'), 'C\n');
		symlinkSync('c.ts', join(outside, 'link'));
		for (const target of ['other', outside]) {
			symlinkSync(target, at('src'));
			const before = [tree(), treeOf(outside)];
			for (const force of [false, true]) {
				await undo(undefined, force).catch((error: unknown) => assert.match(String(error), /link|folder/));
				assert.deepEqual([tree(), treeOf(outside)], before, `${target} ${force}`);
			}
			unlinkSync(at('src'));
		}
		renameSync(at('kept'), at('src'));
		assert.deepEqual((await undo()).skipped, []);
		assert.deepEqual(tree(), {
			other: 'folder 755',
			'other/c.ts': '644 C\n',
			src: 'folder 755',
			'src/c.ts': '644 c\n',
			'src/d.ts': '644 d\n',
		});
	});

	it('come back as they were, whatever each has become, and again as they became', async () => {
		const { at, sh, undo, base, threadId, tree } = await open();
		symlinkSync('a.txt', at('to-file'));
		symlinkSync('src', at('to-folder'));
		symlinkSync('nowhere/at/all', at('broken'));
		symlinkSync(join(outside, 'a.txt'), at('to-outside'));
		symlinkSync('b.txt', at('gone'));
		mkdirSync(at('private/deep'), { recursive: true });
		writeFileSync(at('private/deep/p.txt'), 'p\n');
		chmodSync(at('private/deep'), 0o750);
		chmodSync(at('private'), 0o700);
		mkdirSync(at('empty'));
		const before = tree();
		await sh(`
			ln -sfn b.txt to-file; rm gone; ln -s src made
			rm to-folder; mkdir to-folder; echo x > to-folder/x.txt
			rm broken; echo whole > broken
			rm to-outside; echo mine > to-outside
			rm b.txt; ln -s a.txt b.txt
			rm -r src; ln -s private src
			rm -r private; rmdir empty; echo file > empty
			mkdir -p new/deep/er; echo n > new/deep/n.txt
		`);
		const after = tree();
		assert.deepEqual((await undo()).skipped, []);
		assert.deepEqual(tree(), before);
		assert.equal(readFileSync(join(outside, 'a.txt'), 'utf8'), 'outside\n');
		assert.deepEqual((await base.changes.redo(threadId, never)).skipped, []);
		assert.deepEqual(tree(), after);
		assert.deepEqual((await undo()).changes, []);
		assert.deepEqual(tree(), before);
		assert.equal(readFileSync(join(outside, 'a.txt'), 'utf8'), 'outside\n');
	});

	it('come back whatever their names hold, and what lies in a folder that has become a file', async () => {
		const odd = [
			'nl\nname.txt',
			'tab\tname.txt',
			'mark\u200e.txt',
			'bidi\u202etxt.exe',
			'-dash.txt',
			' blanks ',
			'q"\'`$(x)\\.txt',
		];
		const { at, sh, undo, base, threadId, tree } = await open({
			...Object.fromEntries(odd.map((name) => [name, `${name}\n`])),
			'd/e/f/g.txt': 'g\n',
			'li\nne/in.txt': 'in\n',
		});
		const before = tree();
		await sh(`
			for each in *.txt *.exe; do echo more >> "./$each"; done
			rm mark* ' blanks '; mv nl* moved; rm -r li*
			rm -r d; echo file > d
			mkdir "$(printf 'new\\nfolder')"; echo new > "$(printf 'new\\nfolder/n\\001.txt')"
		`);
		const after = tree();
		assert.ok(Object.keys(after).includes('new\nfolder/n\u0001.txt') && !existsSync(at('mark\u200e.txt')));
		assert.deepEqual((await undo()).skipped, []);
		assert.deepEqual(tree(), before);
		assert.deepEqual((await base.changes.redo(threadId, never)).skipped, []);
		assert.deepEqual(tree(), after);
		await undo(['nl\nname.txt', 'moved']);
		const { moved: _, ...others } = after;
		assert.deepEqual(tree(), { ...others, 'nl\nname.txt': before['nl\nname.txt'] });
	});

	it('have the bytes again that they had, whichever encoding a command has left', async () => {
		const { at, sh, undo, base, threadId, listed } = await open();
		const before: Readonly<Record<string, Buffer>> = {
			'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('h\u00e9\n', 'utf16le')]),
			'bare.bin': Buffer.from([0, 255, 1, 128]),
			'gbk.txt': Buffer.from('d6d0cec4b2e2cad40a', 'hex'),
			'mark.txt': Buffer.from('\ufeffone\n'),
			'latin.txt': Buffer.from('gr\u00f6\u00dfer\n', 'latin1'),
		};
		for (const [name, bytes] of Object.entries(before)) writeFileSync(at(name), bytes);
		const now = () => Object.fromEntries(Object.keys(before).map((name) => [name, readFileSync(at(name))]));
		await sh(`
			: > wide.txt; : > bare.bin; printf 'plain\\n' > gbk.txt; printf 'one\\n' > mark.txt
			printf 'gr\\303\\266\\303\\237er\\n' > latin.txt
		`);
		const after = now();
		assert.equal((await listed()).length, 5);
		assert.deepEqual((await undo()).skipped, []);
		assert.deepEqual(now(), before);
		assert.deepEqual((await base.changes.redo(threadId, never)).skipped, []);
		assert.deepEqual(now(), after);
		writeFileSync(at('wide.txt'), Buffer.from('mine\n'));
		await undo(['wide.txt'], true);
		assert.deepEqual(readFileSync(at('wide.txt')), Buffer.from('h\u00e9\n'));
	});

	it('have the permissions again that a command took or gave, also where nothing else changed', async () => {
		const { at, sh, undo, base, threadId, tree, listed } = await open({
			'a.sh': 'a\n',
			'b.txt': 'b\n',
			'c.txt': 'c\n',
			'd.bin': '\0',
		});
		chmodSync(at('b.txt'), 0o755);
		chmodSync(at('c.txt'), 0o640);
		const before = tree();
		await sh('chmod 755 a.sh; chmod 400 b.txt; chmod 600 c.txt d.bin');
		const modified = (...names: string[]) => names.map((name) => `${name} file modified`);
		assert.deepEqual(await listed(), modified('a.sh', 'b.txt', 'c.txt', 'd.bin'));
		chmodSync(at('c.txt'), 0o666);
		assert.deepEqual(await listed(), modified('a.sh', 'b.txt', 'd.bin'));
		const after = tree();
		await undo(['a.sh']);
		assert.deepEqual(await listed(), modified('b.txt', 'd.bin'));
		assert.deepEqual((await base.changes.redo(threadId, never)).skipped, []);
		assert.deepEqual(tree(), after);
		assert.deepEqual((await undo()).changes, []);
		assert.deepEqual(tree(), { ...before, 'c.txt': '666 c\n' });
	});

	it('are not removed with a file that the thread has made and of which somebody else has changed them', async () => {
		const { at, sh, undo, tree } = await open();
		const before = tree();
		await sh('echo n > new.sh; echo o > own.sh; chmod 700 own.sh');
		chmodSync(at('new.sh'), 0o755);
		assert.deepEqual((await undo()).skipped, ['new.sh']);
		assert.deepEqual(tree(), { ...before, 'new.sh': '755 n\n' });
		assert.deepEqual((await undo(['new.sh'], true)).skipped, []);
		assert.deepEqual(tree(), before);
	});

	it('go and come with the file in them that is undone or kept alone', async () => {
		const { at, sh, undo, base, threadId, listed } = await open();
		await sh('mkdir -p new/deep more; echo n > new/deep/n.txt; echo m > more/m.txt; rm -r src');
		assert.deepEqual(await listed(), [
			'more/m.txt file created',
			'new/deep/n.txt file created',
			'src/c.ts file deleted',
		]);
		await undo(['new/deep/n.txt', 'src/c.ts']);
		assert.ok(!existsSync(at('new')) && existsSync(at('src/c.ts')));
		await base.changes.keep(threadId, ['more/m.txt']);
		rmSync(at('more/m.txt'));
		assert.deepEqual(await listed(), []);
		assert.ok(lstatSync(at('more')).isDirectory());
	});

	it('do not come back where the thread itself made and removed them, by whatever op', async () => {
		const { perform, sh, undo, tree, listed } = await open();
		const before = tree();
		for (const path of ['one/in/new.txt', 'two/in/new.txt', 'three/in/new.txt']) {
			const outcome = await perform('fs.write', { path, content: 'new\n' });
			assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		}
		await sh('rm -r one; rm -r two/in; echo file > two/in');
		await perform('fs.delete', { path: 'three/in/new.txt', recursive: false });
		assert.deepEqual(await listed(), ['three/in folder created', 'two/in file created']);
		await undo();
		assert.deepEqual(tree(), before);
	});

	it('that a command made go with the files in them, where nothing shows that the change is its own', async () => {
		const { at, sh, undo, listed, tree } = await open();
		const before = tree();
		await sh('mkdir -p new/deep; echo n > new/deep/n.txt; sleep 3.2');
		assert.deepEqual(await listed(), ['new/deep/n.txt file created touched']);
		writeFileSync(at('b.txt'), 'mine\n');
		await undo(['new/deep/n.txt'], true);
		assert.deepEqual(tree(), { ...before, 'b.txt': '644 mine\n' });
	});

	it('come back where somebody else had made them again before the thread removed them', async () => {
		const { at, perform, sh, undo, tree } = await open();
		const outcome = await perform('fs.write', { path: 'one/new.txt', content: 'new\n' });
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		rmSync(at('one'), { recursive: true });
		mkdirSync(at('one'));
		writeFileSync(at('one/mine.txt'), 'mine\n');
		const before = tree();
		await sh('rm -r one');
		await undo();
		assert.deepEqual(tree(), before);
	});

	it('are those of the ops on files, too', async () => {
		const { at, perform, undo, tree } = await open();
		symlinkSync('a.txt', at('src/link'));
		mkdirSync(at('src/empty'), { mode: 0o700 });
		const before = tree();
		for (const [op, params] of [
			['fs.makeFolder', { path: 'made/by/op' }],
			['fs.write', { path: 'written/in/new.txt', content: 'new\n' }],
			['fs.move', { from: 'src', to: 'moved/src' }],
		] as const) {
			const outcome = await perform(op, params);
			assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		}
		assert.equal(readlinkSync(at('moved/src/link')), 'a.txt');
		await undo();
		assert.deepEqual(tree(), before);
	});
});
