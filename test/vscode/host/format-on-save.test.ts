import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ConfigurationTarget, type Disposable, languages, Range, TextEdit, Uri, window, workspace } from 'vscode';
import type { OpContext } from '../../../src/contract/ops/op-implementation.ts';
import { fileOps } from '../../../src/ops/files/files.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { documentPort } from '../../../src/extension/ports/document-port.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';

/** State that was kept for undo, in the order it came. */
type Kept = { readonly before: string | undefined } | { readonly after: string | undefined };

const context: OpContext = {
	opId: newId('op'),
	caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') },
	signal: new AbortController().signal,
	limitMs: 0,
	emit() {},
	showSteps() {},
	isAllowed: () => true,
	waitForPerson: (_reason, wait) => wait(),
	readThread: () => Promise.resolve([]),
};

/** Puts a blank on both sides of each equals sign. */
function registerFormatter(): Disposable {
	return languages.registerDocumentFormattingEditProvider(
		{ pattern: '**/formatted-*' },
		{
			provideDocumentFormattingEdits(document) {
				const text = document.getText();
				const all = new Range(document.positionAt(0), document.positionAt(text.length));
				return [TextEdit.replace(all, text.replaceAll(/ ?= ?/gu, ' = '))];
			},
		},
	);
}

describe('A formatter on save', () => {
	let formatter: Disposable;

	before(async () => {
		formatter = registerFormatter();
		await workspace.getConfiguration('editor').update('formatOnSave', true, ConfigurationTarget.Global);
	});

	after(async () => {
		formatter.dispose();
		await workspace.getConfiguration('editor').update('formatOnSave', undefined, ConfigurationTarget.Global);
	});

	for (const op of ['fs.edit', 'fs.write'] as const) {
		it(`lets ${op} of an open file be done, with what was saved as its result and kept for undo`, async () => {
			const [folder] = workspace.workspaceFolders ?? [];
			assert.ok(folder);
			const name = `formatted-${op}.txt`;
			const uri = Uri.joinPath(folder.uri, name);
			await workspace.fs.writeFile(uri, new TextEncoder().encode('a = 1\nb = 2\n'));
			await window.showTextDocument(uri);

			const kept: Kept[] = [];
			const ops = fileOps({
				paths: new WorkspacePaths({ folders: [{ name: folder.name, path: folder.uri.fsPath }] }),
				documents: documentPort,
				ownFolders: () => Promise.resolve({ folders: [], data: [] }),
				editor: undefined,
				wall: { isPlaceholder: () => false, isHeld: () => false, held: () => [] },
				beforeImages: {
					keep: ({ before }) => Promise.resolve(void kept.push({ before })),
					written: ({ after }) => void kept.push({ after }),
					callerNow: (caller) => caller,
					swept: () => Promise.resolve(),
					lastWritten: () => Promise.resolve(undefined),
					changedSince: () => Promise.resolve([]),
				},
			});
			await (await ops['fs.read'].prepare({ path: name }, context)).run(context);
			const edits = [{ find: 'b = 2', replace: 'b=3', all: false }];
			const prepared = await (op === 'fs.edit'
				? ops[op].prepare({ path: name, edits }, context)
				: ops[op].prepare({ path: name, content: 'a = 1\nb=3\n' }, context));
			const { added, removed, onSave } = await prepared.run(context);

			assert.equal(readFileSync(uri.fsPath, 'utf8'), 'a = 1\nb = 3\n');
			assert.deepEqual(kept, [{ before: 'a = 1\nb = 2\n' }, { after: 'a = 1\nb = 3\n' }]);
			assert.deepEqual([added, removed], [1, 1]);
			assert.match(onSave?.patch ?? '', /\n-b=3\n\+b = 3\n/u);
		});
	}
});
