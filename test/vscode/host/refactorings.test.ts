import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
	CodeAction,
	type Disposable,
	languages,
	Position,
	Range,
	TextEdit,
	Uri,
	window,
	workspace,
	WorkspaceEdit,
} from 'vscode';
import type { EditorPort } from '../../../src/contract/ports/ports.ts';
import { createEditorPort } from '../../../src/extension/ports/editor-port.ts';
import { createWorkspacePort } from '../../../src/extension/ports/workspace-port.ts';
import { waitFor } from '../../support/wait-for.ts';

const signal = new AbortController().signal;
/** The language server starts with the first file of its language, and then reads the project. */
const serverStartMs = 60_000;

const names = (found: Awaited<ReturnType<EditorPort['references']>>) =>
	found.references.map(({ path, line, text }) => `${path}:${line}: ${text}`);

describe('The language of a file', () => {
	const workspacePort = createWorkspacePort('/nowhere');
	const editor = createEditorPort(workspacePort, () => Promise.reject(new Error('shows no comment')));
	const registered: Disposable[] = [];
	let folder = '';

	function file(name: string, text: string): string {
		const path = join(folder, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		return path;
	}

	before(() => {
		folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		assert.notEqual(folder, '');
	});
	afterEach(() => registered.splice(0).forEach((each) => each.dispose()));
	after(() => workspacePort.dispose());

	describe('served by the TypeScript of the editor', function () {
		this.timeout(serverStartMs + 30_000);
		let shapes = '';
		let use = '';

		before(async () => {
			file('ts/tsconfig.json', '{ "compilerOptions": { "strict": true, "module": "esnext" }, "include": ["*.ts"] }\n');
			shapes = file(
				'ts/shapes.ts',
				'export interface Shape { size: number }\nexport class Square implements Shape {\n\tsize = 1;\n}\n// size of a box\nconst other = { size: 2 };\nexport const text = "size";\nexport const sum = other.size;\n',
			);
			use = file(
				'ts/use.ts',
				'import { Square, type Shape } from "./shapes";\nconst square: Shape = new Square();\nconst { size } = square;\nconsole.log(square.size, size);\n',
			);
			await window.showTextDocument(Uri.file(use));
			let found: readonly string[] = [];
			await waitFor(
				'the language server',
				async () => {
					found = names(
						await editor.references({ absolutePath: use, line: 4, symbol: 'square', what: 'definition' }, signal),
					);
					return found.length > 0;
				},
				serverStartMs,
			);
			assert.deepEqual(found, ['ts/use.ts:2: const square: Shape = new Square();']);
		});

		it('knows where a symbol, its type and its implementations are', async () => {
			const ask = async (line: number, symbol: string, what: 'definition' | 'type' | 'implementation') =>
				names(await editor.references({ absolutePath: use, line, symbol, what }, signal));
			assert.deepEqual(await ask(2, 'Square', 'definition'), [
				'ts/shapes.ts:2: export class Square implements Shape {',
			]);
			assert.deepEqual(await ask(4, 'square', 'type'), ['ts/shapes.ts:1: export interface Shape { size: number }']);
			assert.deepEqual(await ask(2, 'Shape', 'implementation'), [
				'ts/shapes.ts:2: export class Square implements Shape {',
			]);
			const { outside, references } = await editor.references(
				{ absolutePath: use, line: 4, symbol: 'log', what: 'definition' },
				signal,
			);
			assert.ok((outside ?? 0) > 0, 'a library of the editor lies beyond the workspace');
			assert.deepEqual(references, []);
		});

		it('renames in all files what is that symbol, and nothing that only reads like it', async () => {
			const { files } = await editor.refactor(
				{ absolutePath: shapes, what: 'rename', line: 1, symbol: 'size', to: 'side' },
				signal,
			);
			assert.deepEqual(
				new Map(files.map(({ absolutePath, after }) => [absolutePath, after])),
				new Map([
					[
						shapes,
						'export interface Shape { side: number }\nexport class Square implements Shape {\n\tside = 1;\n}\n// size of a box\nconst other = { size: 2 };\nexport const text = "size";\nexport const sum = other.size;\n',
					],
					[
						use,
						'import { Square, type Shape } from "./shapes";\nconst square: Shape = new Square();\nconst { side: size } = square;\nconsole.log(square.side, size);\n',
					],
				]),
			);
			assert.match(readFileSync(shapes, 'utf8'), /Shape \{ size: number \}/, 'nothing is changed by itself');
		});

		it('says why it does not rename what a library declares', async () => {
			await assert.rejects(
				editor.refactor({ absolutePath: use, what: 'rename', line: 4, symbol: 'log', to: 'tell' }, signal),
				{ code: 'INVALID_STATE', message: /the language server refuses it: You cannot rename/ },
			);
		});

		it('applies a fix by its title, and names those that there are', async () => {
			const lacking = file('ts/lacking.ts', 'export const box = new Square();\n');
			await window.showTextDocument(Uri.file(lacking));
			await waitFor('the problem', () => languages.getDiagnostics(Uri.file(lacking)).length > 0, serverStartMs);
			const fix = { absolutePath: lacking, what: 'fix', line: 1, symbol: 'Square' } as const;
			const title = 'Add import from "./shapes"';
			await assert.rejects(editor.refactor(fix, signal), { code: 'INVALID_PARAMS', message: /Add import from/ });
			await assert.rejects(editor.refactor({ ...fix, title: 'Other' }, signal), {
				message: /no fix at line 1 is called "Other"; there are: "Add import from/,
			});
			const { files } = await editor.refactor({ ...fix, title }, signal);
			assert.deepEqual(
				files.map(({ after }) => after),
				['import { Square } from "./shapes";\n\nexport const box = new Square();\n'],
			);
		});

		it('formats a file', async () => {
			const untidy = file('ts/untidy.ts', 'export  const   a=1\r\nfunction f( ){return a}\r\n');
			const { files } = await editor.refactor({ absolutePath: untidy, what: 'format' }, signal);
			assert.deepEqual(
				files.map(({ before, after }) => [before.includes('\r'), after]),
				[[false, 'export const a = 1\nfunction f() { return a }\n']],
			);
		});
	});

	describe('served by an extension that means no good', () => {
		const selector = { pattern: '**/hostile/*' };
		const wanted = (absolutePath: string) =>
			({ absolutePath, what: 'rename', line: 1, symbol: 'name', to: 'other' }) as const;

		function renames(edit: (uri: Uri) => WorkspaceEdit | Promise<WorkspaceEdit>): string {
			const path = file('hostile/a.txt', 'name\n');
			registered.push(languages.registerRenameProvider(selector, { provideRenameEdits: ({ uri }) => edit(uri) }));
			return path;
		}

		it('changes nothing beyond the workspace', async () => {
			const path = renames(() => {
				const edit = new WorkspaceEdit();
				edit.insert(Uri.file(join(tmpdir(), 'elsewhere.txt')), new Position(0, 0), 'x');
				return edit;
			});
			await assert.rejects(editor.refactor(wanted(path), signal), { code: 'PATH_OUTSIDE_WORKSPACE' });
		});

		it('deletes, moves and creates no file', async () => {
			const path = renames((uri) => {
				const edit = new WorkspaceEdit();
				edit.insert(uri, new Position(0, 0), 'x');
				edit.deleteFile(uri);
				return edit;
			});
			await assert.rejects(editor.refactor(wanted(path), signal), {
				code: 'INVALID_STATE',
				message: /more than texts/,
			});
		});

		it('changes no 10,000 places at once', async () => {
			const path = renames((uri) => {
				const edit = new WorkspaceEdit();
				for (let n = 0; n < 10_000; n += 1) edit.insert(uri, new Position(0, 0), 'x');
				return edit;
			});
			await assert.rejects(editor.refactor(wanted(path), signal), {
				code: 'INVALID_STATE',
				message: /10000 places in 1 files; at most 5000 in 200/,
			});
		});

		it('gives no edits that overlap', async () => {
			const path = renames((uri) => {
				const edit = new WorkspaceEdit();
				edit.replace(uri, new Range(0, 0, 0, 3), 'x');
				edit.replace(uri, new Range(0, 2, 0, 4), 'y');
				return edit;
			});
			await assert.rejects(editor.refactor(wanted(path), signal), { message: /overlap/ });
		});

		it('is left where it does not answer', async () => {
			const path = renames(() => new Promise(() => {}));
			await assert.rejects(editor.refactor(wanted(path), AbortSignal.timeout(300)), { name: 'TimeoutError' });
		});

		it('is not believed where the text has moved on since', async () => {
			const path = renames(async (uri) => {
				const typed = new WorkspaceEdit();
				typed.insert(uri, new Position(0, 0), 'typed ');
				await workspace.applyEdit(typed);
				const edit = new WorkspaceEdit();
				edit.replace(uri, new Range(0, 0, 0, 4), 'other');
				return edit;
			});
			await window.showTextDocument(Uri.file(path));
			await assert.rejects(editor.refactor(wanted(path), signal), { code: 'FILE_CHANGED' });
			await (await workspace.openTextDocument(path)).save();
		});

		it('runs none of its commands', async () => {
			const path = file('hostile/b.txt', 'name\n');
			const only = new CodeAction('Only a command');
			only.command = { command: 'workbench.action.reloadWindow', title: 'x' };
			const both = new CodeAction('Text and a command');
			both.command = { command: 'workbench.action.reloadWindow', title: 'x' };
			both.edit = new WorkspaceEdit();
			both.edit.set(Uri.file(path), [TextEdit.replace(new Range(0, 0, 0, 4), 'other')]);
			registered.push(languages.registerCodeActionsProvider(selector, { provideCodeActions: () => [only, both] }));
			const fix = { absolutePath: path, what: 'fix', line: 1 } as const;
			await assert.rejects(editor.refactor({ ...fix, title: 'Only a command' }, signal), {
				message: /runs a command of an extension/,
			});
			const { files, notRun } = await editor.refactor({ ...fix, title: 'Text and a command' }, signal);
			assert.deepEqual([files.map(({ after }) => after), notRun], [['other\n'], 'workbench.action.reloadWindow']);
		});
	});

	it('needs a symbol that is on the line, and a formatter that there is', async () => {
		const path = file('plain/a.txt', 'names name\n');
		const rename = { absolutePath: path, what: 'rename', line: 1, symbol: 'gone', to: 'x' } as const;
		await assert.rejects(editor.refactor(rename, signal), {
			code: 'INVALID_PARAMS',
			message: 'editor.refactor: "gone" is not on line 1: names name',
		});
		await assert.rejects(editor.refactor({ ...rename, line: 9 }, signal), { message: /line 9: the file has 2 lines/ });
		await assert.rejects(editor.refactor({ absolutePath: path, what: 'format' }, signal), {
			message: /no formatter of the editor is for plaintext/,
		});
		const places: Position[] = [];
		registered.push(
			languages.registerRenameProvider(
				{ pattern: '**/plain/*' },
				{
					provideRenameEdits(_document, position) {
						places.push(position);
						return new WorkspaceEdit();
					},
				},
			),
		);
		await editor.refactor({ ...rename, symbol: 'name' }, signal);
		assert.deepEqual(places, [new Position(0, 6)], 'not within "names"');
	});
});
