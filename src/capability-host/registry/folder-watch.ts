/**
 * Tells that something in some folders has changed, as often as the system tells it. Of a folder that is not there yet, it
 * tells when it appears. Where the system does not watch, it says so, to be looked at again and again.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { MAX_WATCHED_FOLDERS } from './limits.ts';

/** Names in a folder that matter. */
type Names = Set<string> | 'all';

export class FolderWatch implements Disposable {
	readonly #onChange: () => void;
	readonly #watchers = new Map<string, FSWatcher>();
	#names = new Map<string, Names>();
	#isComplete = true;

	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	/** False when one of the folders is not watched. */
	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** Watches these, and no others any more. True when one of them was not watched before. */
	watch(folders: readonly string[]): boolean {
		this.#names = new Map();
		for (const folder of folders.slice(0, MAX_WATCHED_FOLDERS)) {
			this.#want(folder);
		}
		for (const [folder, watcher] of this.#watchers) {
			if (!this.#names.has(folder)) {
				watcher.close();
				this.#watchers.delete(folder);
			}
		}
		this.#isComplete = folders.length <= MAX_WATCHED_FOLDERS;
		const added = [...this.#names.keys()].filter((folder) => !this.#watchers.has(folder) && this.#add(folder));
		return added.length > 0;
	}

	dispose(): void {
		this.watch([]);
	}

	/** The nearest folder that is there, and in it the name that would lead on. */
	#want(folder: string): void {
		let [there, name] = [folder, ''];
		while (!existsSync(there) && dirname(there) !== there) {
			[there, name] = [dirname(there), basename(there)];
		}
		const names = this.#names.get(there);
		if (name === '') {
			this.#names.set(there, 'all');
		} else if (names !== 'all') {
			this.#names.set(there, new Set(names).add(name));
		}
	}

	#add(folder: string): boolean {
		try {
			const watcher = watch(folder, { persistent: false }, (_, name) => {
				const names = this.#names.get(folder);
				if (names === 'all' || name === null || names?.has(name)) this.#onChange();
			});
			watcher.on('error', () => this.#lose(folder, watcher));
			this.#watchers.set(folder, watcher);
			return true;
		} catch {
			// Not readable, or the system watches no more than it does.
			this.#isComplete = false;
			return false;
		}
	}

	#lose(folder: string, watcher: FSWatcher): void {
		watcher.close();
		this.#watchers.delete(folder);
		this.#isComplete = false;
		this.#onChange();
	}
}
