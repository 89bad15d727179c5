import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type CommentReply,
	comments,
	type CommentThread,
	CommentThreadState,
	Range,
	Uri,
	workspace,
	WorkspaceEdit,
} from 'vscode';
import { LineComments } from '../../../src/extension/comments/line-comments.ts';
import type { ContextRef } from '../../../src/protocol/thread/context.ts';

const TEXT = 'const one = 1;\nconst two = 2;\nconst three = 3;\n';

describe('Comments beside lines', () => {
	const controller = comments.createCommentController('prowess.comments.spec', 'Spec');
	const shown: CommentThread[] = [];
	const recording = {
		...controller,
		createCommentThread: (uri: Uri, range: Range) => {
			const thread = controller.createCommentThread(uri, range, []);
			shown.push(thread);
			return thread;
		},
	} as typeof controller;
	let kept: unknown;
	let sent: { readonly refs: readonly ContextRef[]; readonly text: string }[] = [];
	let folder = '';
	let path = '';
	let opened: LineComments | undefined;
	let isChatBroken = false;

	const open = () =>
		(opened = new LineComments({
			controller: recording,
			memory: {
				get value() {
					return kept;
				},
				set: (value: unknown) => void (kept = JSON.parse(JSON.stringify(value))),
			},
			pathOf: (uri) => (uri.fsPath.startsWith(folder) ? uri.fsPath.slice(folder.length + 1) : undefined),
			send: (refs, text) => {
				if (isChatBroken) return Promise.reject(new Error('the chat does not open'));
				sent.push({ refs, text });
				return Promise.resolve();
			},
		}));
	/** Returns the argument of a button below the input of a thread. */
	const reply = (line: number, text: string): CommentReply => ({
		thread: controller.createCommentThread(Uri.file(path), new Range(line - 1, 0, line - 1, 0), []),
		text,
	});
	const saidIn = ({ comments: all }: CommentThread) => all.map(({ body }) => body);

	beforeEach(() => {
		folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'commented');
		mkdirSync(folder, { recursive: true });
		path = join(folder, 'a.ts');
		writeFileSync(path, TEXT);
		kept = undefined;
		sent = [];
		isChatBroken = false;
		shown.splice(0);
	});
	afterEach(() => opened?.dispose());
	after(() => controller.dispose());

	it('refuse a line that a file does not have, and an answer to what is not there', async () => {
		const all = open();
		const finding = { absolutePath: path, path: 'a.ts', line: 9, text: 'a flaw' };
		await assert.rejects(all.write(finding), { code: 'INVALID_PARAMS', message: /a\.ts has 4 lines/ });
		await assert.rejects(all.write({ answers: 'c1', text: 'done' }), { code: 'NOT_FOUND' });
		assert.deepEqual(shown, []);
	});

	it('keep nothing of an empty comment, and send nothing where nothing was said', async () => {
		const all = open();
		await all.add(reply(1, '  \n'));
		await all.send({});
		assert.deepEqual([kept, sent], [undefined, []]);
	});

	it('are kept, then sent as one message with their lines, and answered below', async () => {
		const all = open();
		const [first, second] = [reply(1, 'why one?'), reply(3, 'rename it')];
		await all.add(first);
		assert.equal(first.thread.label, 'Not sent yet');
		await all.send(second);
		assert.deepEqual(
			sent.map(({ refs, text }) => [
				text,
				refs.map((ref) => ref.kind === 'comment' && [ref.name, ref.path, ref.code, ref.text]),
			]),
			[
				[
					'See my comments.',
					[
						['c1', 'a.ts', 'const one = 1;\n', 'why one?'],
						['c2', 'a.ts', 'const three = 3;\n', 'rename it'],
					],
				],
			],
		);
		assert.deepEqual(await all.write({ answers: 'c2', text: 'It is called third now.', resolved: true }), {
			comment: 'c2',
			path: 'a.ts',
			line: 3,
		});
		assert.deepEqual(saidIn(second.thread), ['rename it', 'It is called third now.']);
		assert.deepEqual([second.thread.label, second.thread.state], ['Resolved', CommentThreadState.Resolved]);
		assert.equal(first.thread.label, 'Sent to Prowess');
	});

	it('are not sent where the chat does not open, and go with the next message', async () => {
		const all = open();
		const first = reply(1, 'why one?');
		isChatBroken = true;
		await assert.rejects(all.send(first), /does not open/);
		assert.deepEqual([first.thread.label, first.thread.contextValue], ['Not sent yet', 'unsent']);
		isChatBroken = false;
		await all.send({});
		assert.deepEqual(
			sent.map(({ refs }) => refs.map((ref) => ref.kind === 'comment' && ref.text)),
			[['why one?']],
		);
	});

	it('are one comment for two clicks, and are kept also where the file cannot be read', async () => {
		const all = open();
		const twice = reply(1, 'why one?');
		await Promise.all([all.add(twice), all.add(twice)]);
		const gone = controller.createCommentThread(Uri.file(join(folder, 'gone.ts')), new Range(0, 0, 0, 0), []);
		await all.add({ thread: gone, text: 'why is it gone?' });
		assert.deepEqual(
			(kept as { readonly comments: readonly { readonly name: string; readonly code: string }[] }).comments.map(
				({ name, code }) => [name, code],
			),
			[
				['c1', 'const one = 1;\n'],
				['c2', ''],
			],
		);
	});

	it('leave no thread where one made room for another', async () => {
		const all = open();
		const finding = { absolutePath: path, path: 'a.ts', line: 1, text: 'a flaw' };
		for (let count = 1; count <= 300; count += 1) await all.write(finding);
		await all.write({ answers: 'c1', text: 'mended', resolved: true });
		let disposed = 0;
		const [first] = shown;
		assert.ok(first);
		const dispose = first.dispose.bind(first);
		first.dispose = () => {
			disposed += 1;
			dispose();
		};
		assert.equal((await all.write(finding)).comment, 'c301');
		assert.equal(disposed, 1);
	});

	it('show what the agent finds as a plain text, and hand it back to be fixed', async () => {
		const all = open();
		const markdown = '![x](https://example.com/x.png) is **wrong**';
		await all.write({ absolutePath: path, path: 'a.ts', line: 2, text: markdown, severity: 'error' });
		const [thread] = shown;
		assert.ok(thread);
		assert.deepEqual(
			[saidIn(thread), thread.comments[0]?.label, thread.contextValue],
			[[markdown], 'Error', 'finding'],
		);
		await all.fix(thread);
		assert.deepEqual(
			sent.map(({ refs, text }) => [text, refs.map((ref) => ref.kind === 'comment' && ref.text)]),
			[['Fix this.', [markdown]]],
		);
	});

	it('are there in the next window, at the lines to which their text has moved, until they are removed', async () => {
		const before = open();
		await before.add(reply(3, 'why three?'));
		const edit = new WorkspaceEdit();
		edit.insert(
			Uri.file(path),
			workspace.textDocuments[0]?.positionAt(0) ?? new Range(0, 0, 0, 0).start,
			'// a\n// b\n',
		);
		await workspace.applyEdit(edit);
		before.dispose();
		const after = open();
		const [thread] = shown;
		assert.deepEqual([thread && saidIn(thread), thread?.range?.start.line], [['why three?'], 4]);
		assert.ok(thread);
		after.remove(thread);
		assert.deepEqual(kept, { last: 1, comments: [] });
	});
});
