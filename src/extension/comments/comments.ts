/** Places in the editor where comments can be written. The rest is loaded with the first one. */
import * as vscode from 'vscode';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { CommentCommandId } from '../editor/command-table.ts';
import { inBackground } from '../editor/signals.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';
import { WorkspaceMemory } from '../../machine/home-files/workspace-memory.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { LineComments } from './line-comments.ts';

interface CommentPorts {
	readonly log: LogPort;
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly chat: {
		insert(message: {
			readonly refs: readonly ContextRef[];
			readonly text: string;
			readonly send: true;
		}): Promise<void>;
	};
}

export class Comments {
	readonly #ports: CommentPorts;
	readonly #controller: vscode.CommentController;
	readonly #memory: WorkspaceMemory;
	#shown: Promise<LineComments> | undefined;

	constructor(ports: CommentPorts) {
		const { log, home, workspace } = ports;
		this.#ports = ports;
		this.#memory = new WorkspaceMemory(
			{ home, folders: workspace.folders.map(({ path }) => path), of: 'comments' },
			log,
		);
		this.#controller = vscode.comments.createCommentController('prowess.comments', 'Prowess');
		this.#controller.options = {
			prompt: vscode.l10n.t('Comment for the agent'),
			placeHolder: vscode.l10n.t('What should be done here, or what you want to know'),
		};
		this.#controller.commentingRangeProvider = {
			provideCommentingRanges: ({ uri, lineCount }) =>
				workspace.isTrusted && this.#pathOf(uri) !== undefined
					? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)]
					: [],
		};
		if (this.#memory.value !== undefined) inBackground(log, 'comments on lines', this.load());
	}

	/** Resolves with the same at each call. A load that fails is tried again by the next caller. */
	load(): Promise<LineComments> {
		this.#shown ??= this.#load();
		return this.#shown;
	}

	/** The buttons of a thread of the editor. */
	get commands(): { readonly [C in CommentCommandId]: (given: unknown) => Promise<void> } {
		return {
			'prowess.addComment': async (given) => (await this.load()).add(given as vscode.CommentReply),
			'prowess.sendComments': async (given) => (await this.load()).send((given ?? {}) as Partial<vscode.CommentReply>),
			'prowess.removeComment': async (given) => (await this.load()).remove(given as vscode.CommentThread),
			'prowess.fixComment': async (given) => (await this.load()).fix(given as vscode.CommentThread),
		};
	}

	/** Resolves when all that was kept is on the disk. */
	async settled(): Promise<void> {
		await this.#memory.settled();
	}

	dispose(): void {
		this.#controller.dispose();
		this.#shown?.then(
			(shown) => shown.dispose(),
			() => undefined,
		);
	}

	async #load(): Promise<LineComments> {
		try {
			const { LineComments } = await import('./line-comments.ts');
			return new LineComments({
				controller: this.#controller,
				memory: this.#memory,
				pathOf: (uri) => this.#pathOf(uri),
				send: (refs, text) => this.#ports.chat.insert({ refs, text, send: true }),
			});
		} catch (error) {
			this.#shown = undefined;
			throw error;
		}
	}

	#pathOf(uri: vscode.Uri): string | undefined {
		return uri.scheme === 'file' ? toWorkspacePath(this.#ports.workspace.folders, uri.fsPath) : undefined;
	}
}
