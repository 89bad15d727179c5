import assert from 'node:assert/strict';
import { basename } from 'node:path';
import {
	Diagnostic,
	DiagnosticSeverity,
	type Disposable,
	languages,
	Range,
	type TextDocument,
	Uri,
	window,
	workspace,
} from 'vscode';
import { createEditorPort } from '../../../src/extension/ports/editor-port.ts';
import { documentPort } from '../../../src/extension/ports/document-port.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createWorkspacePort } from '../../../src/extension/ports/workspace-port.ts';

const signal = new AbortController().signal;
const serverStartMs = 20_000;

/**
 * Starts a checker that acts like a language server: some time after each change it reports the lines that say "bad",
 * by their words.
 */
function startChecker(): Disposable {
	const collection = languages.createDiagnosticCollection('checker');
	const check = (document: TextDocument) =>
		collection.set(
			document.uri,
			document
				.getText()
				.split('\n')
				.flatMap((text, line) =>
					text.startsWith('bad')
						? [new Diagnostic(new Range(line, 0, line, 3), `not good: ${text}`, DiagnosticSeverity.Error)]
						: [],
				),
		);
	const checks = new Set<NodeJS.Timeout>();
	const listening = workspace.onDidChangeTextDocument(({ document }) => {
		checks.add(setTimeout(() => check(document), 150));
	});
	for (const document of workspace.textDocuments) check(document);
	return {
		dispose() {
			listening.dispose();
			for (const each of checks) clearTimeout(each);
			collection.dispose();
		},
	};
}

describe('The problems of a change', () => {
	const workspacePort = createWorkspacePort('/nowhere');
	const editor = createEditorPort(workspacePort, () => Promise.reject(new Error('shows no comment')));
	let checker: Disposable | undefined;

	async function file(name: string, text: string): Promise<Uri> {
		const [folder] = workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const uri = Uri.joinPath(folder.uri, name);
		await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		return uri;
	}

	afterEach(() => checker?.dispose());
	after(() => workspacePort.dispose());

	it('are those that were not there before, wherever the others have moved', async () => {
		const uri = await file('problems.txt', 'good\nbad one\n');
		await window.showTextDocument(uri);
		checker = startChecker();
		const text = 'good\nbetter\nbad one\nbad two\n';
		const change = () => documentPort.writeOpen(uri.fsPath, 'good\nbad one\n', text, signal);
		const { result, problems } = await editor.withNewProblems(uri.fsPath, change, signal);
		assert.equal(result, text);
		assert.deepEqual(
			problems.map(({ path, line, severity, message }) => [path, line, severity, message]),
			[['problems.txt', 4, 'error', 'not good: bad two']],
		);
	});

	it('are those of a language server of the editor', async () => {
		const before = '{\n\t"a": nothing\n}\n';
		const uri = await file('served.json', before);
		await window.showTextDocument(uri);
		// The language server starts with the first file of its language.
		await waitFor('the first problem', () => languages.getDiagnostics(uri).length > 0, serverStartMs);
		const text = '{\n\t"b": 1,\n\t"a": nothing,\n\t"c": [1\n}\n';
		const change = () => documentPort.writeOpen(uri.fsPath, before, text, signal);
		const { problems } = await editor.withNewProblems(uri.fsPath, change, signal);
		assert.deepEqual(
			problems.map(({ path, line, severity }) => [path, line, severity]),
			[['served.json', 5, 'error']],
		);
	});

	it('are waited for no longer than their limit, and not at all in a file that nobody looks at', async () => {
		const [open, closed] = [await file('open.txt', 'a\n'), await file('closed.txt', 'bad\n')];
		await window.showTextDocument(open);
		const ended: string[] = [];
		const change = async ({ fsPath }: Uri) => {
			const none = await editor.withNewProblems(fsPath, () => Promise.resolve(1), signal);
			assert.deepEqual(none, { result: 1, problems: [] });
			ended.push(basename(fsPath));
		};
		await Promise.all([change(open), change(closed)]);
		assert.deepEqual(ended, ['closed.txt', 'open.txt']);
	});

	it('do not hide that the change failed', async () => {
		const uri = await file('failed.txt', 'a\n');
		await window.showTextDocument(uri);
		const change = () => Promise.reject(new Error('no'));
		await assert.rejects(editor.withNewProblems(uri.fsPath, change, signal), { message: 'no' });
	});
});
