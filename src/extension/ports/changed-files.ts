/** Follows which files change, and which of them the person has edited in this window: for the changes of threads and for watches. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { extensionLimits } from '../editor/limits.ts';

export class ChangedFiles {
	readonly #store = new DisposableStore();
	readonly #edited = new Set<string>();
	readonly #waiting = new Set<string>();
	#timer: ReturnType<typeof setTimeout> | undefined;
	#told: Pick<TrustedBase, 'changes' | 'schedules'> | undefined;

	constructor() {
		const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher('**/*'));
		const onDisk = (uri: vscode.Uri) => this.#changedOnDisk(uri);
		this.#store.add(watcher.onDidChange(onDisk));
		this.#store.add(watcher.onDidCreate(onDisk));
		this.#store.add(watcher.onDidDelete(onDisk));
		this.#store.add(
			vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
				if (document.uri.scheme === 'file' && (contentChanges.length > 0 || document.isDirty)) {
					// A document that is read again from the disk is not dirty. After its first edit, one is dirty only in the
					// event that follows, which has no changes.
					this.#note(document.uri.fsPath, document.isDirty);
				}
			}),
		);
		this.#store.add(
			vscode.workspace.onDidSaveTextDocument(({ uri: { scheme, fsPath } }) => {
				// At once: a short command may end before the watcher tells of it, and would get what was saved.
				if (scheme === 'file') this.#told?.changes.look([fsPath]);
			}),
		);
	}

	/** From now on the base is told what changed, a moment after it did. */
	follow(base: Pick<TrustedBase, 'changes' | 'schedules'>): Disposable {
		this.#told = base;
		return toDisposable(() => (this.#told = undefined));
	}

	/** True when the last change of the file was made in an editor of this window. */
	isEdited(absolutePath: string): boolean {
		return this.#edited.has(absolutePath);
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#store.dispose();
	}

	/** Notes a change on the disk. The document of an open file says who changed it; saving it is no change. */
	#changedOnDisk({ scheme, fsPath }: vscode.Uri): void {
		const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === scheme && uri.fsPath === fsPath);
		this.#note(fsPath, isOpen && this.#edited.has(fsPath));
	}

	#note(path: string, isByPerson: boolean): void {
		if (isByPerson) {
			this.#edited.add(path);
		} else {
			this.#edited.delete(path);
		}
		this.#waiting.add(path);
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			const paths = [...this.#waiting];
			this.#waiting.clear();
			this.#told?.changes.look(paths);
			this.#told?.schedules.noteChanges(paths);
		}, extensionLimits.changedFilesPauseMs);
	}
}
