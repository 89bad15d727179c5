/**
 * Comments beside lines, in the editor's own threads: what the user says is kept, then sent to the agent as one message; what
 * the agent says stands below it, or at a line of its own. They are there again in the next window.
 */
import * as vscode from 'vscode';
import type { WrittenComment } from '../../contract/ports/ports.ts';
import type { WorkspaceMemory } from '../../machine/home-files/workspace-memory.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { type Comment, CommentList, type CommentedPlace, isUnsent, type SaidInComment } from './comment-list.ts';

export interface LineCommentPorts {
	readonly controller: vscode.CommentController;
	readonly memory: Pick<WorkspaceMemory, 'value' | 'set'>;
	/** Returns the name by which the agent knows a file; undefined: it is none of the workspace. */
	pathOf(uri: vscode.Uri): string | undefined;
	send(refs: readonly ContextRef[], text: string): Promise<void>;
}

/** Most references of comments in one message: half of what a draft holds, which may have others. */
const MAX_SENT = 50;

export class LineComments {
	readonly #ports: LineCommentPorts;
	readonly #list: CommentList;
	readonly #threads = new Map<string, vscode.CommentThread>();
	readonly #followed: vscode.Disposable;

	constructor(ports: LineCommentPorts) {
		this.#ports = ports;
		this.#list = new CommentList(ports.memory.value);
		this.#followed = vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
			// Other documents have the path of a file, too: the side of a diff that is not on the disk.
			if (uri.scheme === 'file') this.#follow(uri.fsPath, contentChanges);
		});
		for (const comment of this.#list.all) this.#draw(comment);
	}

	/** Keeps what the user has written: in a new thread of the editor, or below a comment. */
	async add({ thread, text }: vscode.CommentReply): Promise<void> {
		const words: SaidInComment = { by: 'user', text: text.trim(), isSent: false };
		if (words.text === '') return;
		const place = this.#nameOf(thread) === undefined ? await this.#placeOf(thread) : undefined;
		// A second click while its place was read finds it here.
		const name = this.#nameOf(thread);
		if (name !== undefined) {
			this.#keep(this.#list.add(name, words));
		} else if (place !== undefined) {
			const comment = this.#list.begin(place, words);
			this.#threads.set(comment.name, thread);
			this.#keep(comment);
		}
	}

	/** Sends what was not sent yet, with what the user has just written, as one message. */
	async send(reply: Partial<vscode.CommentReply>): Promise<void> {
		if (reply.thread !== undefined) await this.add({ thread: reply.thread, text: reply.text ?? '' });
		const { refs, giveBack } = this.#list.takeUnsent(MAX_SENT);
		if (refs.length === 0) return;
		const names = new Set(refs.map((ref) => ref.name));
		this.#keepAll(names);
		const text = names.size === 1 ? vscode.l10n.t('See my comment.') : vscode.l10n.t('See my comments.');
		try {
			await this.#ports.send(refs, text);
		} catch (error) {
			giveBack();
			this.#keepAll(names);
			throw error;
		}
	}

	remove(thread: vscode.CommentThread): void {
		const name = this.#nameOf(thread);
		thread.dispose();
		if (name === undefined) return;
		this.#threads.delete(name);
		this.#list.remove(name);
		this.#save();
	}

	/** Has the agent mend what it has found. */
	async fix(thread: vscode.CommentThread): Promise<void> {
		const name = this.#nameOf(thread);
		const ref = name === undefined ? undefined : this.#list.refTo(name);
		if (ref !== undefined) await this.#ports.send([ref], vscode.l10n.t('Fix this.'));
	}

	/** Shows what the agent says. Rejects as the port does. */
	async write(written: WrittenComment): Promise<OpResult<'editor.comment'>> {
		const { severity, resolved = false } = written;
		const words: SaidInComment = { by: 'agent', text: written.text, isSent: true, ...(severity && { severity }) };
		const comment =
			'answers' in written
				? this.#list.add(written.answers, words, resolved)
				: this.#list.begin(await readPlace(written), words);
		this.#keep(comment);
		return { comment: comment.name, path: comment.path, line: comment.startLine };
	}

	dispose(): void {
		this.#followed.dispose();
		for (const thread of this.#threads.values()) thread.dispose();
	}

	async #placeOf({ uri, range }: vscode.CommentThread): Promise<CommentedPlace> {
		const path = this.#ports.pathOf(uri);
		if (path === undefined) {
			throw new ProwessError('INVALID_STATE', vscode.l10n.t('This file is not part of the workspace.'));
		}
		const [first, last] = [range?.start.line ?? 0, range?.end.line ?? 0];
		// A comment is kept without its lines rather than lost with them.
		const code = await vscode.workspace.openTextDocument(uri).then(
			(document) => document.getText(new vscode.Range(first, 0, last + 1, 0)),
			() => '',
		);
		return { absolutePath: uri.fsPath, path, startLine: first + 1, endLine: last + 1, code };
	}

	#nameOf(thread: vscode.CommentThread): string | undefined {
		return [...this.#threads].find(([, each]) => each === thread)?.[0];
	}

	#keep({ name }: Comment): void {
		this.#keepAll([name]);
	}

	/** Draws and saves those that are there; the thread of one that made room for another goes. */
	#keepAll(names: Iterable<string>): void {
		for (const name of names) {
			const comment = this.#list.get(name);
			if (comment !== undefined) this.#draw(comment);
		}
		for (const [name, thread] of this.#threads) {
			if (this.#list.get(name) !== undefined) continue;
			thread.dispose();
			this.#threads.delete(name);
		}
		this.#save();
	}

	#draw(comment: Comment): void {
		const thread = this.#threads.get(comment.name) ?? this.#openThread(comment);
		const isFound = comment.said[0]?.by === 'agent';
		thread.comments = comment.said.map(drawSaid);
		thread.label = describeCommentState(comment);
		thread.contextValue = comment.said.some(isUnsent)
			? 'unsent'
			: isFound && !comment.isResolved
				? 'finding'
				: 'comment';
		thread.state = comment.isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
	}

	#openThread(comment: Comment): vscode.CommentThread {
		const uri = vscode.Uri.file(comment.absolutePath);
		const thread = this.#ports.controller.createCommentThread(uri, toCommentRange(comment), []);
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
		this.#threads.set(comment.name, thread);
		return thread;
	}

	#follow(absolutePath: string, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
		// From the end of the file, so that no change moves the place of the next one.
		const ordered = changes.toSorted((a, b) => b.range.start.compareTo(a.range.start));
		for (const { range, text } of ordered) {
			const moved = this.#list.shift(absolutePath, { start: range.start, end: range.end, text });
			for (const each of moved) {
				const thread = this.#threads.get(each.name);
				if (thread !== undefined) thread.range = toCommentRange(each);
			}
			if (moved.length > 0) this.#save();
		}
	}

	#save(): void {
		this.#ports.memory.set(this.#list.kept);
	}
}

async function readPlace(written: Extract<WrittenComment, { readonly line: number }>): Promise<CommentedPlace> {
	const { absolutePath, path, line } = written;
	const document = await vscode.workspace.openTextDocument(vscode.Uri.file(absolutePath));
	if (line > document.lineCount) {
		throw new ProwessError('INVALID_PARAMS', `${path} has ${document.lineCount} lines, so there is no line ${line}`, {
			said: text('{path} has {count} lines, so there is no line {line}.', { path, count: document.lineCount, line }),
		});
	}
	return { absolutePath, path, startLine: line, endLine: line, code: document.lineAt(line - 1).text };
}

function toCommentRange({ startLine, endLine }: Pick<Comment, 'startLine' | 'endLine'>): vscode.Range {
	return new vscode.Range(startLine - 1, 0, endLine - 1, 0);
}

/** The body is a plain text: Markdown of a model could load pictures by their addresses. */
function drawSaid({ by, text, isSent, severity }: SaidInComment): vscode.Comment {
	const label = by === 'user' && !isSent ? vscode.l10n.t('not sent') : severity && SEVERITIES[severity]();
	return {
		body: text,
		mode: vscode.CommentMode.Preview,
		author: { name: by === 'user' ? vscode.l10n.t('You') : 'Prowess' },
		...(label === undefined ? {} : { label }),
	};
}

const SEVERITIES = {
	error: () => vscode.l10n.t('Error'),
	warning: () => vscode.l10n.t('Warning'),
	note: () => vscode.l10n.t('Note'),
} as const;

function describeCommentState({ said, isResolved }: Comment): string {
	if (isResolved) return vscode.l10n.t('Resolved');
	const last = said.at(-1);
	if (last?.by === 'agent') return said.length === 1 ? vscode.l10n.t('Found by Prowess') : vscode.l10n.t('Answered');
	return last?.isSent === true ? vscode.l10n.t('Sent to Prowess') : vscode.l10n.t('Not sent yet');
}
