/** Places in the editor where comments can be written. The rest is loaded with the first one. */
import * as vscode from 'vscode';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { CommentCommandId } from '../editor/command-table.ts';
import { inBackground } from '../editor/signals.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';
import type { LineCommentPorts, LineComments } from './line-comments.ts';

interface CommentPorts extends Pick<LineCommentPorts, 'memory' | 'send'> {
	readonly log: LogPort;
	readonly workspace: WorkspacePort;
}

export class Comments {
	readonly #ports: CommentPorts;
	readonly #controller: vscode.CommentController;
	#shown: Promise<LineComments> | undefined;

	constructor(ports: CommentPorts) {
		this.#ports = ports;
		this.#controller = vscode.comments.createCommentController('prowess.comments', 'Prowess');
		this.#controller.options = {
			prompt: vscode.l10n.t('Comment for the agent'),
			placeHolder: vscode.l10n.t('What should be done here, or what you want to know'),
		};
		this.#controller.commentingRangeProvider = {
			provideCommentingRanges: ({ uri, lineCount }) =>
				ports.workspace.isTrusted && this.#pathOf(uri) !== undefined
					? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)]
					: [],
		};
		if (ports.memory.value !== undefined) inBackground(ports.log, 'comments on lines', this.load());
	}

	load(): Promise<LineComments> {
		this.#shown ??= import('./line-comments.ts').then(
			({ LineComments }) =>
				new LineComments({ ...this.#ports, controller: this.#controller, pathOf: (uri) => this.#pathOf(uri) }),
		);
		return this.#shown;
	}

	/** The buttons of a thread of the editor. */
	get commands(): { readonly [C in CommentCommandId]: (given: unknown) => Promise<void> } {
		return {
			'prowess.addComment': async (given) => (await this.load()).add(given as vscode.CommentReply),
			'prowess.sendComments': async (given) => (await this.load()).send(given as vscode.CommentReply),
			'prowess.removeComment': async (given) => (await this.load()).remove(given as vscode.CommentThread),
			'prowess.fixComment': async (given) => (await this.load()).fix(given as vscode.CommentThread),
		};
	}

	dispose(): void {
		this.#controller.dispose();
		void this.#shown?.then((shown) => shown.dispose());
	}

	#pathOf(uri: vscode.Uri): string | undefined {
		return uri.scheme === 'file' ? toWorkspacePath(this.#ports.workspace.folders, uri.fsPath) : undefined;
	}
}
