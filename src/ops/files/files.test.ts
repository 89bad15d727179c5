import assert from 'node:assert/strict';
import { chmod, link, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nothingOpen } from '../../../test/support/host-ports.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import type { DocumentPort, EditorPort } from '../../contract/ports/ports.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { fileOps } from './files.ts';

const capability = {
	kind: 'execution',
	threadId: null,
	executionId: 'e1',
	capability: 'skill/test',
	permissions: new Set<never>(),
	level: 'CONTROLLED',
} as const;

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

		it('refuses a folder and a binary file', async () => {
			disk = await workspaceOnDisk({
				'a/b': '',
				'x.bin': Buffer.from([1, 0, 2]),
			});
			await assert.rejects(read('a'), { code: 'NOT_A_FILE' });
			await assert.rejects(read('x.bin'), { code: 'FILE_IS_BINARY' });
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

		it('gives a text in another encoding, which an edit keeps to the byte', async () => {
			const shiftJis = Buffer.from('82b182f182c982bf82cd', 'hex');
			disk = await workspaceOnDisk({
				'latin1.txt': Buffer.from('f\xfcr\r\nzwei\n', 'latin1'),
				'jis.txt': Buffer.concat([shiftJis, Buffer.from('\r\none\r\n'), shiftJis]),
				'wide.txt': Buffer.from('one\r\ntwo\r\n', 'utf16le'),
			});
			assert.deepEqual(
				[(await read('latin1.txt')).text, (await read('latin1.txt')).encoding],
				['für\nzwei\n', 'windows-1252'],
			);
			assert.match(
				ops['fs.read'].present(await read('jis.txt')),
				/^1\tこんにちは\n2\tone\n3\tこんにちは\n\[encoding shift_jis/,
			);
			await edit('latin1.txt', 'zwei', 'drei €');
			await edit('jis.txt', 'one', 'こ');
			await edit('wide.txt', 'two', 'für');
			const bytes = (name: string) => readFile(join(disk.root, name));
			assert.deepEqual(await bytes('latin1.txt'), Buffer.from('f\xfcr\r\ndrei \x80\n', 'latin1'));
			const middle = Buffer.from('0d0a82b10d0a', 'hex');
			assert.deepEqual(await bytes('jis.txt'), Buffer.concat([shiftJis, middle, shiftJis]));
			assert.deepEqual(await bytes('wide.txt'), Buffer.from('one\r\nfür\r\n', 'utf16le'));
			const before = await bytes('latin1.txt');
			await assert.rejects(async () => await edit('latin1.txt', 'für', '→'), {
				code: 'INVALID_PARAMS',
				message: /has no "→"/,
			});
			assert.deepEqual(await bytes('latin1.txt'), before);
		});

		it('takes the encoding of the editor before its own guess where a text does not tell it', async () => {
			const bytes = Buffer.from('cff0e8e2e5f2', 'hex');
			disk = await workspaceOnDisk({ 'a.txt': bytes });
			const folders = [{ name: 'app', path: disk.root }];
			const asIn = (usualEncoding: string | undefined) =>
				fileOps({ ...disk.deps, paths: new WorkspacePaths({ folders, usualEncoding: () => usualEncoding }) });
			const readAs = async (encoding: string | undefined) => {
				const prepared = await asIn(encoding)['fs.read'].prepare({ path: 'a.txt' }, disk.context());
				return (await prepared.run(disk.context())).text;
			};
			assert.equal(await readAs(undefined), 'Привет');
			assert.equal(await readAs('windows-1252'), 'Ïðèâåò');
			assert.equal(await readAs('windows-1251'), 'Привет');
			const edits = [{ find: 'вет', replace: 'вет!', all: false }];
			const prepared = await asIn('windows-1251')['fs.edit'].prepare({ path: 'a.txt', edits }, disk.context());
			await prepared.run(disk.context());
			assert.deepEqual(await readFile(join(disk.root, 'a.txt')), Buffer.concat([bytes, Buffer.from('!')]));
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
			await assert.rejects(edit('a.ts', 'if(a) {\n\tb();\n}', 'x'), {
				code: 'EDIT_NO_MATCH',
				message: /line 1 differs only in whitespace: the file has "if \(a\) {"/,
			});
			await assert.rejects(edit('a.ts', 'c();', 'b();'), { message: /the replacement is already there at line 2/ });
		});

		it('takes a text whose indentation is another one throughout, and tells the model', async () => {
			disk = await workspaceOnDisk({ 'a.ts': 'if (a) {\n\tb();\n}\n' });
			const result = await edit('a.ts', '    b();', '    c();');
			assert.equal(await text('a.ts'), 'if (a) {\n\tc();\n}\n');
			assert.equal(
				ops['fs.edit'].present(result),
				'Edited a.ts (+1 -1 lines). Edit 1 was taken for line 2, although its indentation differs.',
			);
			assert.match(result.patch, /\n-\tb\(\);\n\+\tc\(\);\n/);
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

		it('tells a model which problems the editor has found since, and nobody else', async () => {
			const asked: string[] = [];
			const problem = { path: 'a.ts', line: 1, column: 5, severity: 'error' as const, message: 'x is not defined' };
			const editor: EditorPort = {
				...nothingOpen,
				async withNewProblems(absolutePath, change) {
					const result = await change();
					asked.push(absolutePath);
					return { result, problems: [problem] };
				},
			};
			disk = await workspaceOnDisk({ 'a.ts': 'one' }, { editor });
			const result = await edit('a.ts', 'one', 'let x');
			assert.match(ops['fs.edit'].present(result), /\nNew problems:\na\.ts:1:5 error: x is not defined$/);
			const params = { path: 'a.ts', content: 'two' };
			const byUser = await disk.perform('fs.write', params, { caller: { kind: 'user', threadId: null } });
			assert.deepEqual([byUser.problems, asked], [undefined, [join(disk.root, 'a.ts')]]);
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
			await read('a.txt');
			await assert.rejects(write('out/new.txt', 'x'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(write('a.txt', 'x'), { code: 'FILE_HAS_OTHER_NAMES', message: /2 hard links/ });
			assert.deepEqual(await readdir(disk.outside), ['a.txt']);
		});

		describe('by a model', () => {
			const unread = { code: 'FILE_NOT_READ', message: 'a.txt exists, and was not read here before it is replaced' };
			const changed = { code: 'FILE_CHANGED', message: 'a.txt has changed since it was read: read it again' };

			it('replaces no file that it has not read, and an empty one all the same', async () => {
				disk = await workspaceOnDisk({ 'a.txt': 'mine\n', 'empty.txt': '\n' });
				await assert.rejects(write('a.txt', 'x'), unread);
				assert.equal(await text('a.txt'), 'mine\n');
				assert.equal((await write('empty.txt', 'x')).created, false);
				await read('a.txt');
				const other = disk.context({ caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') } });
				await assert.rejects(disk.perform('fs.write', { path: 'a.txt', content: 'x' }, other), unread);
				await write('a.txt', 'x');
				assert.equal(await text('a.txt'), 'x');
			});

			it('replaces no file that somebody changed since, however it is named', async () => {
				disk = await workspaceOnDisk({ 'a.txt': 'one\n' });
				await symlink('a.txt', join(disk.root, 'b.txt'));
				await read('a.txt');
				await writeFile(join(disk.root, 'a.txt'), 'two\n');
				await assert.rejects(write('a.txt', 'x'), changed);
				await assert.rejects(write('b.txt', 'x'), changed);
				await read('b.txt');
				await write('a.txt', 'three\n');
				assert.equal(await text('a.txt'), 'three\n');
			});

			it('may replace what it wrote itself, and what it edited after it had read all of it', async () => {
				disk = await workspaceOnDisk({ 'a.txt': 'one\n', 'b.txt': 'one\ntwo\n' });
				await write('new.txt', 'one\n');
				await edit('new.txt', 'one', 'two');
				await write('new.txt', 'three\n');
				await read('a.txt');
				await edit('a.txt', 'one', 'two');
				await write('a.txt', 'three\n');
				await edit('b.txt', 'one', 'three');
				await assert.rejects(write('b.txt', 'x'), { code: 'FILE_NOT_READ' });
				assert.equal(await text('b.txt'), 'three\ntwo\n');
			});

			it('may replace what a formatter on save made of its text', async () => {
				let open = 'a = 1\n';
				const documents: DocumentPort = {
					readOpen: () => ({ text: open, unsaved: false }),
					writeOpen: (_path, _expected, after) => Promise.resolve((open = after.replaceAll('=', ' = '))),
				};
				disk = await workspaceOnDisk({ 'a.txt': open }, { documents });
				await read('a.txt');
				await write('a.txt', 'b=2\n');
				await write('a.txt', 'c=3\n');
				assert.equal(open, 'c = 3\n');
				open = 'typed by the user';
				await assert.rejects(write('a.txt', 'd=4\n'), changed);
			});

			it('writes no mark in the place of text, nor does it edit one in', async () => {
				disk = await workspaceOnDisk({ 'a.ts': 'let a;\nlet b;\n' });
				await read('a.ts');
				await assert.rejects(write('a.ts', 'let c;\n// ... existing code ...\n'), { code: 'TEXT_LEFT_OUT' });
				await assert.rejects(write('new.ts', '# rest of the file unchanged\n'), { code: 'TEXT_LEFT_OUT' });
				await assert.rejects(edit('a.ts', 'let b;', '// ... existing code ...'), { code: 'TEXT_LEFT_OUT' });
				assert.equal(await text('a.ts'), 'let a;\nlet b;\n');
			});
		});

		it('by the user or by the code of a capability replaces what it names', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'one\n' });
			await disk.perform('fs.write', { path: 'a.txt', content: '// ... existing code ...\n' }, { caller: capability });
			await disk.perform('fs.write', { path: 'a.txt', content: 'x' }, { caller: { kind: 'user', threadId: null } });
			assert.equal(await text('a.txt'), 'x');
			const caller = { ...capability, ops: new Set(['fs.write']) };
			await assert.rejects(disk.perform('fs.write', { path: 'a.txt', content: 'y' }, { caller }), {
				code: 'FILE_NOT_READ',
			});
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

	it('names each entry in one line for a model, whatever its name holds', async () => {
		disk = await workspaceOnDisk({ 'new\nline.txt': 'needle', 'tab\t.txt': '', 'cr\r\n.txt': '', 'in\nner/x.txt': '' });
		const shown = [
			ops['fs.list'].present(await disk.perform('fs.list', { path: '.' })),
			ops['fs.find'].present(await disk.perform('fs.find', { pattern: '*.txt', path: '.', limit: 10 })),
			ops['search.text'].present(
				await disk.perform('search.text', { ...ops['search.text'].params.parse({ query: 'needle' }) }),
			),
		];
		const [list = '', ...others] = shown.map((text) => text.split('\n'));
		assert.deepEqual(list, ['in\\u{a}ner/', 'cr\\u{d}\\u{a}.txt', 'new\\u{a}line.txt', 'tab\\u{9}.txt']);
		assert.deepEqual(others, [
			['cr\\u{d}\\u{a}.txt', 'in\\u{a}ner/x.txt', 'new\\u{a}line.txt', 'tab\\u{9}.txt'],
			['new\\u{a}line.txt:1: needle'],
		]);
		await assert.rejects(disk.perform('fs.read', { path: 'new line.txt' }), {
			message: /did you mean new\\u\{a\}line\.txt/,
		});
	});

	it('says of a glob that matches ignored files only that they are ignored', async () => {
		disk = await workspaceOnDisk({
			'.gitignore': 'build/\n*.log\n',
			'a.ts': 'needle',
			'build/b.js': 'needle',
			'deep/er/c.log': 'needle',
			'node_modules/.gitignore': '*',
			'node_modules/p/d.mjs': '',
		});
		const find = async (pattern: string, path = '.') =>
			ops['fs.find'].present(await disk.perform('fs.find', { pattern, path, limit: 10 }));
		const ignored = (paths: string) =>
			`No file matches but ignored ones: ${paths}. Name their folder as path to find more.`;
		assert.equal(await find('build/**'), ignored('build/b.js'));
		assert.equal(await find('*.log'), ignored('deep/er/c.log'));
		assert.equal(await find('*.{js,mjs,log}'), ignored('build/b.js, deep/er/c.log, node_modules/p/d.mjs'));
		assert.equal(await find('*.log', 'deep'), ignored('deep/er/c.log'));
		assert.equal(await find('*.js', 'build'), 'build/b.js');
		assert.equal(await find('*.ts'), 'a.ts');
		assert.equal(await find('*.nothing'), 'No file matches.');
		assert.equal(await find('build/**', 'a.ts'), 'No file matches.');
		const search = ops['search.text'].params.parse({ query: 'needle', include: '*.log' });
		assert.equal(
			ops['search.text'].present(await disk.perform('search.text', search)),
			'Only ignored files in . match *.log, such as deep/er/c.log; nothing was searched. Name one, or its folder, as path.',
		);
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
