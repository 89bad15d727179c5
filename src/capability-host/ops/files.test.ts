import assert from 'node:assert/strict';
import { chmod, link, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { ops } from '../../protocol/ops.ts';
import type { DocumentPort } from '../contract/ports.ts';

describe('file ops', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	const edit = (path: string, find: string, replace: string, all = false) =>
		disk.perform('fs.edit', { path, edits: [{ find, replace, all }] });
	const read = (path: string, offset?: number, limit?: number) =>
		disk.perform('fs.read', {
			path,
			...(offset === undefined ? {} : { offset }),
			...(limit === undefined ? {} : { limit }),
		});
	const text = (path: string) => readFile(join(disk.root, path), 'utf8');

	describe('fs.read', () => {
		it('names near files when there is no such file', async () => {
			disk = await workspaceOnDisk({ 'src/parser.ts': '' });
			await assert.rejects(read('src/parsr.ts'), {
				code: 'NOT_FOUND',
				message: 'src/parsr.ts does not exist; did you mean src/parser.ts?',
			});
			await assert.rejects(read('app/src/parser.ts'), {
				message: 'app/src/parser.ts does not exist; did you mean src/parser.ts?',
			});
		});

		it('refuses a folder, a binary file, and one above the limit', async () => {
			disk = await workspaceOnDisk({
				'a/b': '',
				'x.bin': Buffer.from([1, 0, 2]),
				'latin1.txt': Buffer.from([0x66, 0xfc, 0x72]),
			});
			await writeFile(join(disk.root, 'big.txt'), Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
			await assert.rejects(read('a'), { code: 'NOT_A_FILE' });
			await assert.rejects(read('x.bin'), { code: 'FILE_IS_BINARY' });
			await assert.rejects(read('latin1.txt'), { code: 'FILE_IS_BINARY' });
			await assert.rejects(read('big.txt'), { code: 'FILE_TOO_LARGE' });
		});

		it('refuses what lies outside, by letters and by link', async () => {
			disk = await workspaceOnDisk();
			await writeFile(join(disk.outside, 'secret'), 'secret');
			await symlink(join(disk.outside, 'secret'), join(disk.root, 'link'));
			await symlink(disk.outside, join(disk.root, 'folder'));
			for (const path of [
				'../outside/secret',
				join(disk.outside, 'secret'),
				'link',
				'folder/secret',
				`${disk.root}-evil/x`,
			]) {
				await assert.rejects(read(path), { code: 'PATH_OUTSIDE_WORKSPACE' }, path);
			}
		});

		it('follows a link inside the workspace and judges what it leads to', async () => {
			disk = await workspaceOnDisk({ '.env': 'KEY=1', 'a.txt': 'a' });
			await symlink('.env', join(disk.root, 'harmless.txt'));
			await symlink('a.txt', join(disk.root, 'b.txt'));
			const prepared = await disk.ops['fs.read'].prepare({ path: 'harmless.txt' }, disk.context());
			assert.deepEqual(
				prepared.targets.map((t) => (t.kind === 'file' ? [t.path, t.isSecret] : [])),
				[['.env', true]],
			);
			assert.equal((await read('b.txt')).text, 'a');
		});

		it('refuses to read when a link was put in place after it was prepared', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a' });
			await writeFile(join(disk.outside, 'secret'), 'secret');
			const prepared = await disk.ops['fs.read'].prepare({ path: 'a.txt' }, disk.context());
			await unlink(join(disk.root, 'a.txt'));
			await symlink(join(disk.outside, 'secret'), join(disk.root, 'a.txt'));
			await assert.rejects(prepared.run(disk.context()), { code: 'PATH_OUTSIDE_WORKSPACE' });
		});

		it('gives long files in pages and says so', async () => {
			disk = await workspaceOnDisk({ 'long.txt': Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join('') });
			const first = await read('long.txt');
			assert.deepEqual([first.startLine, first.endLine, first.totalLines, first.truncated], [1, 2000, 5000, true]);
			const last = await read('long.txt', 4999, 10);
			assert.deepEqual([last.text, last.endLine, last.truncated], ['4999\n5000\n', 5000, false]);
			await assert.rejects(read('long.txt', 5001), {
				code: 'INVALID_PARAMS',
				message: 'offset 5001 is past the end: long.txt has 5000 lines',
			});
		});

		it('keeps a 5 MB file of one line to one page', async () => {
			disk = await workspaceOnDisk({ 'min.js': 'x'.repeat(5_000_000) });
			assert.ok((await read('min.js')).text.length < 210_000);
		});

		it('reads an empty file, a BOM and CRLF as plain text', async () => {
			disk = await workspaceOnDisk({ empty: '', bom: '\uFEFFa\r\nb' });
			assert.deepEqual(await read('empty'), {
				path: 'empty',
				text: '',
				startLine: 1,
				endLine: 0,
				totalLines: 0,
				truncated: false,
				unsaved: false,
			});
			assert.equal((await read('bom')).text, 'a\nb');
		});

		it('shows the unsaved text of an open document', async () => {
			const documents: DocumentPort = {
				readOpen: () => ({ text: 'unsaved', unsaved: true }),
				writeOpen: () => Promise.resolve(undefined),
			};
			disk = await workspaceOnDisk({ 'a.txt': 'disk' }, { documents });
			const result = await read('a.txt');
			assert.deepEqual([result.text, result.unsaved], ['unsaved', true]);
		});

		it('reads names with spaces, emoji, hashes, question marks and leading dashes', async () => {
			const names = ['a b.txt', '🎉.txt', 'a#b.txt', 'a?b.txt', '-rf', 'ünïcode', 'quo\'te".txt', '%41'];
			disk = await workspaceOnDisk(Object.fromEntries(names.map((name) => [name, name])));
			for (const name of names) {
				assert.equal((await read(name)).text, name);
			}
			await assert.rejects(read('a\nb'), { code: 'PATH_INVALID' });
		});
	});

	describe('fs.edit', () => {
		it('applies no edit when one of them matches nothing, and says which and what is closest', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'const one = 1;\nconst two = 2;\n' });
			const edits = [
				{ find: 'one = 1', replace: 'one = 11', all: false },
				{ find: 'const twoo = 2;', replace: 'x', all: false },
			];
			await assert.rejects(disk.perform('fs.edit', { path: 'a.ts', edits }), {
				code: 'EDIT_NO_MATCH',
				message: 'edit 2 of 2 of a.ts matches nothing: the closest line is 2: "const two = 2;"; no edit was applied',
			});
			assert.equal(await text('a.ts'), 'const one = 1;\nconst two = 2;\n');
			assert.deepEqual(disk.images, []);
		});

		it('says when only whitespace differs, and when it was already done', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'if (a) {\n\tb();\n}\n' });
			await assert.rejects(edit('a.ts', 'if (a) {\n    b();\n}', 'x'), {
				code: 'EDIT_NO_MATCH',
				message: /line 2 differs only in whitespace: the file has "\\tb\(\);"/,
			});
			await assert.rejects(edit('a.ts', 'c();', 'b();'), { message: /the replacement is already there at line 2/ });
		});

		it('gives the lines of an ambiguous edit, and replaces all when told to', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'x\ny\nx\n' });
			await assert.rejects(edit('a.ts', 'x', 'z'), {
				code: 'EDIT_AMBIGUOUS',
				facts: { path: 'a.ts', edit: 1, lines: [1, 3] },
			});
			const result = await edit('a.ts', 'x', 'z', true);
			assert.deepEqual([result.added, result.removed], [2, 2]);
			assert.equal(await text('a.ts'), 'z\ny\nz\n');
		});

		it('keeps CRLF, BOM and the mode of the file', async () => {
			disk = await workspaceOnDisk({ 'a.sh': '\uFEFFone\r\ntwo\r\nthree\r\n' });
			await chmod(join(disk.root, 'a.sh'), 0o751);
			await edit('a.sh', 'one\ntwo', '1\n2');
			assert.equal(await text('a.sh'), '\uFEFF1\r\n2\r\nthree\r\n');
			assert.equal((await stat(join(disk.root, 'a.sh'))).mode & 0o777, 0o751);
		});

		it('takes dollar signs in a replacement as they are', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'price' });
			await edit('a.ts', 'price', "$& $1 $'");
			assert.equal(await text('a.ts'), "$& $1 $'");
		});

		it('writes nothing when the file changed after it was prepared', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'one' });
			const prepared = await disk.ops['fs.edit'].prepare(
				{ path: 'a.ts', edits: [{ find: 'one', replace: 'two', all: false }] },
				disk.context(),
			);
			await writeFile(join(disk.root, 'a.ts'), 'one!');
			await assert.rejects(prepared.run(disk.context()), { code: 'FILE_CHANGED' });
			assert.equal(await text('a.ts'), 'one!');
			assert.deepEqual(disk.images, []);
		});

		it('writes an open document through the editor', async () => {
			let open = 'unsaved one';
			const documents: DocumentPort = {
				readOpen: () => ({ text: open, unsaved: true }),
				writeOpen: (_path, _expected, after) => {
					open = after;
					return Promise.resolve(after);
				},
			};
			disk = await workspaceOnDisk({ 'a.ts': 'one' }, { documents });
			await edit('a.ts', 'one', 'two');
			assert.deepEqual([open, await text('a.ts')], ['unsaved two', 'one']);
			assert.deepEqual(disk.images, [{ path: 'a.ts', before: 'unsaved one' }]);
		});

		it('tells what a formatter on save made of the text', async () => {
			let open = 'one\ntwo\n';
			const documents: DocumentPort = {
				readOpen: () => ({ text: open, unsaved: false }),
				writeOpen: (_path, _expected, after) => {
					open = after.replace('=', ' = ');
					return Promise.resolve(open);
				},
			};
			disk = await workspaceOnDisk({ 'a.ts': open }, { documents });
			const result = await edit('a.ts', 'two', 'b=2');
			assert.deepEqual([result.added, result.removed, open], [1, 1, 'one\nb = 2\n']);
			assert.match(result.patch, /\n-two\n\+b = 2\n/);
			assert.match(result.onSave?.patch ?? '', /\n-b=2\n\+b = 2\n/);
			assert.match(
				ops['fs.edit'].present(result),
				/^Edited a\.ts \(\+1 -1 lines\)\. The editor changed .*\(\+1 -1 lines\)/,
			);
			assert.match(ops['fs.edit'].present(result), /\n-b=2\n\+b = 2\n/);
		});
	});

	describe('fs.write', () => {
		const write = (path: string, content: string) => disk.perform('fs.write', { path, content });

		it('refuses to write through a link that leads out, and over a hard link', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a' });
			await symlink(disk.outside, join(disk.root, 'out'));
			await link(join(disk.root, 'a.txt'), join(disk.outside, 'a.txt'));
			await assert.rejects(write('out/new.txt', 'x'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(write('a.txt', 'x'), { code: 'NOT_A_FILE', message: /2 hard links/ });
			assert.deepEqual(await readdir(disk.outside), ['a.txt']);
		});

		it('does not replace a file that appeared after it was prepared', async () => {
			disk = await workspaceOnDisk();
			const prepared = await disk.ops['fs.write'].prepare({ path: 'a.txt', content: 'ours' }, disk.context());
			await writeFile(join(disk.root, 'a.txt'), 'theirs');
			await assert.rejects(prepared.run(disk.context()), { code: 'FILE_CHANGED' });
			assert.equal(await text('a.txt'), 'theirs');
		});

		it('creates the folders on the way and leaves no temporary file', async () => {
			disk = await workspaceOnDisk();
			const result = await write('a/b c/d.txt', 'one\ntwo\n');
			assert.deepEqual([result.created, result.added, result.removed], [true, 2, 0]);
			assert.equal(await text('a/b c/d.txt'), 'one\ntwo\n');
			assert.deepEqual(await readdir(join(disk.root, 'a/b c')), ['d.txt']);
			assert.deepEqual(disk.images, [{ path: 'a/b c/d.txt', before: undefined }]);
		});

		it('writes 5 MB, and shows all of it for approval but not in the result', async () => {
			disk = await workspaceOnDisk();
			const content = 'line of text\n'.repeat(380_000);
			const prepared = await disk.ops['fs.write'].prepare({ path: 'big.txt', content }, disk.context());
			assert.ok(prepared.detail.kind === 'diff' && prepared.detail.diff.patch.length > content.length);
			const result = await prepared.run(disk.context());
			assert.ok(result.patch.length < 101_000);
			assert.equal(result.added, 380_000);
		});

		it('marks what steers other programs as protected, whatever the spelling', async () => {
			disk = await workspaceOnDisk();
			for (const path of [
				'.vscode/settings.json',
				'.GIT/hooks/pre-commit',
				'x/.git./config',
				'.prowess/a',
				'a.code-workspace',
				'.github/workflows/ci.yml',
			]) {
				const { targets } = await disk.ops['fs.write'].prepare({ path, content: '' }, disk.context());
				assert.ok(targets[0]?.kind === 'file' && targets[0].isProtected, path);
			}
		});
	});

	it('lists a folder, folders first', async () => {
		disk = await workspaceOnDisk({ 'b.txt': '12', 'a/x': '', 'new\nline': '' });
		await symlink('/etc', join(disk.root, 'link'));
		assert.deepEqual(await disk.perform('fs.list', { path: '.' }), {
			path: '.',
			entries: [
				{ name: 'a', kind: 'folder' },
				{ name: 'b.txt', kind: 'file', size: 2 },
				{ name: 'link', kind: 'link' },
				{ name: 'new\nline', kind: 'file', size: 0 },
			],
			truncated: false,
		});
		await assert.rejects(disk.perform('fs.list', { path: 'b.txt' }), { code: 'NOT_A_FOLDER' });
		await assert.rejects(disk.perform('fs.list', { path: 'link' }), { code: 'PATH_OUTSIDE_WORKSPACE' });
	});
});
