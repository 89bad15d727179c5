import assert from 'node:assert/strict';
import { join } from 'node:path';
import { nothingOpen } from '../../test/support/host-ports.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { type WorkspaceOnDisk, workspaceOnDisk, writeFiles } from '../../test/support/workspace-on-disk.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { OP_NAMES, type OpParams, ops } from '../protocol/op-table/ops.ts';
import { WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import type { EditorPort } from '../contract/ports/ports.ts';

describe('the other ops', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	it('are all there', async () => {
		disk = await workspaceOnDisk();
		assert.deepEqual(Object.keys(disk.ops).sort(), [...OP_NAMES].sort());
	});

	it('ask before a comment stands at a line of a secret file, which the line would leave', async () => {
		disk = await workspaceOnDisk({ '.env': 'KEY=needle' }, { editor: nothingOpen });
		const written = { path: '.env', line: 1, text: 'x' };
		const { targets } = await disk.ops['editor.comment'].prepare(written, disk.context());
		assert.deepEqual(
			targets.map((each) => each.kind === 'file' && [each.access, each.isSecret]),
			[['read', true]],
		);
	});

	it('answer that an editor is missing where there is none', async () => {
		disk = await workspaceOnDisk({ 'a.ts': '' });
		const code = 'NOT_AVAILABLE_HERE';
		await assert.rejects(disk.perform('editor.diagnostics', {}), { code });
		await assert.rejects(disk.perform('editor.symbols', { query: 'x' }), { code });
		await assert.rejects(disk.perform('editor.references', { path: 'a.ts', line: 1, symbol: 'x' }), { code });
		await assert.rejects(disk.perform('editor.refactor', { path: 'a.ts', what: 'format' }), { code });
		await assert.rejects(disk.perform('editor.comment', { path: 'a.ts', line: 1, text: 'x' }), { code });
	});

	it('show comments of the agent at lines of verified files only, and answers to any comment', async () => {
		const shown: unknown[] = [];
		const editor: EditorPort = {
			...nothingOpen,
			comment(written) {
				shown.push(written);
				return Promise.resolve({ comment: 'c1', path: 'a.ts', line: 3 });
			},
		};
		disk = await workspaceOnDisk({ 'a.ts': '' }, { editor });
		const comment = (params: OpParams<'editor.comment'>) => disk.perform('editor.comment', params);
		const outside = { path: '/etc/passwd', line: 1, text: 'x' };
		await assert.rejects(comment(outside), { code: 'PATH_OUTSIDE_WORKSPACE' });
		await assert.rejects(comment({ path: 'b.ts', line: 1, text: 'x' }), { code: 'NOT_FOUND' });
		for (const neither of [
			{ text: 'x' },
			{ path: 'a.ts', text: 'x' },
			{ comment: 'c1', path: 'a.ts', line: 1, text: 'x' },
		])
			assert.match(
				String(ops['editor.comment'].params.safeParse(neither).error),
				/give a path and a line, or the comment/,
			);
		assert.equal(
			ops['editor.comment'].present(await comment({ path: 'a.ts', line: 3, text: 'x', severity: 'note' })),
			'Shown as comment c1 at a.ts:3.',
		);
		await comment({ comment: 'c1', text: 'y', resolved: true });
		assert.deepEqual(shown, [
			{ absolutePath: join(disk.root, 'a.ts'), path: 'a.ts', line: 3, text: 'x', severity: 'note' },
			{ answers: 'c1', text: 'y', resolved: true },
		]);
	});

	it('ask the editor about verified files only', async () => {
		const asked: (string | undefined)[] = [];
		const editor: EditorPort = {
			...nothingOpen,
			diagnostics: (absolutePath) => {
				asked.push(absolutePath);
				return Promise.resolve({ diagnostics: [], truncated: false });
			},
		};
		disk = await workspaceOnDisk({ 'a.ts': '' }, { editor });
		await assert.rejects(disk.perform('editor.diagnostics', { path: '/etc/passwd' }), {
			code: 'PATH_OUTSIDE_WORKSPACE',
		});
		await assert.rejects(disk.perform('editor.diagnostics', { path: 'b.ts' }), { code: 'NOT_FOUND' });
		await disk.perform('editor.diagnostics', { path: 'a.ts' });
		await disk.perform('editor.diagnostics', {});
		assert.deepEqual(asked, [join(disk.root, 'a.ts'), undefined]);
	});

	it('show no line of a secret file that a symbol is used in', async () => {
		const references = [
			{ path: 'a.ts', line: 1, text: 'key' },
			{ path: 'config/.env', line: 2, text: 'KEY=1' },
		];
		const editor = { ...nothingOpen, references: () => Promise.resolve({ references, truncated: false, outside: 3 }) };
		disk = await workspaceOnDisk({ 'a.ts': '' }, { editor });
		const found = await disk.perform('editor.references', { path: 'a.ts', line: 1, symbol: 'key' });
		assert.equal(
			ops['editor.references'].present(found),
			'a.ts:1: key\nconfig/.env:2: \n[beyond the workspace, not shown: 3]',
		);
	});

	it('pass a question on, and an answer that did not come', async () => {
		disk = await workspaceOnDisk();
		assert.deepEqual(await disk.perform('user.ask', { question: 'which?', options: ['a', 'b'] }), { answer: 'a' });
		const askUser = () => Promise.reject(new ProwessError('APPROVAL_EXPIRED', 'nobody answered'));
		disk = await workspaceOnDisk({}, { askUser });
		await assert.rejects(disk.perform('user.ask', { question: 'which?', options: [] }), { code: 'APPROVAL_EXPIRED' });
	});

	it('note the to-do list as it was given', async () => {
		disk = await workspaceOnDisk();
		const items = [{ text: 'one', status: 'done' as const }];
		assert.deepEqual(await disk.perform('todo.write', { items }), { items });
	});

	it('search, find, list and read over several folders', async () => {
		const base = tempDir('multi');
		await writeFiles(base, { 'one/a.ts': 'needle', 'two/b.ts': 'needle', 'two/.env': 'needle' });
		const folders = ['one', 'two'].map((name) => ({ name, path: join(base, name) }));
		disk = await workspaceOnDisk({}, { paths: new WorkspacePaths({ folders }) });
		const wanted = {
			query: 'needle',
			literal: false,
			caseSensitive: false,
			path: '.',
			context: 0,
			namesOnly: false,
			limit: 10,
		};
		const found = await disk.perform('search.text', wanted);
		assert.deepEqual(
			found.matches.map((m) => m.path),
			['one/a.ts', 'two/b.ts'],
		);
		assert.deepEqual((await disk.perform('search.text', { ...wanted, limit: 1 })).truncated, true);
		assert.deepEqual((await disk.perform('fs.find', { pattern: '*.ts', path: 'two', limit: 10 })).paths, ['two/b.ts']);
		assert.deepEqual(
			(await disk.perform('fs.list', { path: '.' })).entries.map((e) => e.name),
			['one', 'two'],
		);
		assert.equal((await disk.perform('fs.read', { path: 'two/b.ts' })).text, 'needle');
		await assert.rejects(disk.perform('search.text', { ...wanted, path: 'two/nowhere' }), { code: 'NOT_FOUND' });
	});

	it('search for what is no pattern as for text, and say what was searched and where nothing was', async () => {
		disk = await workspaceOnDisk({ 'src/a.ts': 'f(x;\nb\nneedle\n', 'b.txt': 'foobar' });
		const plain = { literal: false, caseSensitive: false, path: '.', context: 0, namesOnly: false, limit: 10 };
		const search = async (params: Partial<OpParams<'search.text'>> & { query: string }) =>
			ops['search.text'].present(await disk.perform('search.text', { ...plain, ...params }));
		assert.match(
			await search({ query: 'f(x' }),
			/^src\/a\.ts:1: f\(x;\n\[searched as text, because it is no pattern: .+\]$/,
		);
		assert.equal(await search({ query: '(?<=foo)bar' }), 'b.txt:1: foobar');
		assert.equal(
			await search({ query: 'nobody|nothing', path: 'src', include: '*.ts' }),
			'No match of the pattern "nobody|nothing", in any case, in src, files *.ts. Ignored, binary and secret files are not searched, nor those above 10 MB.',
		);
		assert.equal(
			await search({ query: 'needle', include: '*.py' }),
			'No file in . matches *.py, so nothing was searched.',
		);
		assert.match(await search({ query: 'foo(baz)' }), /\. To search it as text, set literal\.$/);
		assert.doesNotMatch(await search({ query: 'foo(baz)', literal: true }), /set literal/);
		assert.match(await search({ query: 'a|b', regex: false }), /^No match of the text "a\|b"/);
		assert.equal(
			await search({ query: 'b', literal: true, caseSensitive: true, context: 1, path: 'src/a.ts' }),
			'src/a.ts-1- f(x;\nsrc/a.ts:2: b\nsrc/a.ts-3- needle',
		);
		assert.equal(await search({ query: 'needle|foo', namesOnly: true }), 'b.txt\nsrc/a.ts');
		assert.equal(await search({ query: 'needle', include: join(disk.root, 'src', '*.ts') }), 'src/a.ts:3: needle');
		assert.equal(
			await search({ query: 'needle', include: join(disk.root, '*.ts') }),
			`No file in . matches ${join(disk.root, '*.ts')}, so nothing was searched.`,
		);
	});

	it('mark a search of one file that holds secrets, so that it is asked about', async () => {
		disk = await workspaceOnDisk({ '.env': 'KEY=needle' });
		const params = {
			query: 'needle',
			literal: true,
			caseSensitive: false,
			context: 0,
			namesOnly: false,
			limit: 10,
		};
		const isSecret = async (path: string) =>
			(await disk.ops['search.text'].prepare({ ...params, path }, disk.context())).targets.map(
				(t) => t.kind === 'file' && t.isSecret,
			);
		assert.deepEqual([await isSecret('.env'), await isSecret('.')], [[true], [false]]);
		assert.deepEqual((await disk.perform('search.text', { ...params, path: '.' })).matches, []);
	});
});
