/**
 * Tells that something in some folders has changed, as often as the system reports it. For a missing folder, it tells
 * when the folder appears. Where the system does not watch, `isComplete` is false, so that the caller scans again and
 * again.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../../../base/disposable.ts';
import { Pace } from './pace.ts';

/** Names in a folder that matter. */
type Names = Set<string> | 'all';

export class FolderWatch implements Disposable {
	readonly #most: number;
	readonly #onChange: () => void;
	readonly #watchers = new Map<string, FSWatcher>();
	#names = new Map<string, Names>();
	#isComplete = true;

	/** `most`: folders that the system is asked to watch. */
	constructor(most: number, onChange: () => void) {
		this.#most = most;
		this.#onChange = onChange;
	}

	/** False when one of the folders is not watched. */
	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** Watches these, and no others any more. True when one of them was not watched before; false when called again meanwhile. */
	async watch(folders: readonly string[]): Promise<boolean> {
		const names = new Map<string, Names>();
		this.#names = names;
		this.#isComplete = folders.length <= this.#most;
		const pace = new Pace();
		let isAnyNew = false;
		for (const folder of folders.slice(0, this.#most)) {
			await pace.take(() => {
				if (this.#names !== names) return;
				const there = this.#want(folder);
				if (!this.#watchers.has(there) && this.#add(there)) isAnyNew = true;
			});
			if (this.#names !== names) return false;
		}
		for (const [folder, watcher] of this.#watchers) {
			if (!names.has(folder)) this.#end(folder, watcher);
		}
		return isAnyNew;
	}

	dispose(): void {
		void this.watch([]);
	}

	/** The nearest folder that is there, and in it the name that would lead on. */
	#want(folder: string): string {
		let [there, name] = [folder, ''];
		while (!this.#watchers.has(there) && !existsSync(there) && dirname(there) !== there) {
			[there, name] = [dirname(there), basename(there)];
		}
		const names = this.#names.get(there);
		if (name === '') {
			this.#names.set(there, 'all');
		} else if (names !== 'all') {
			this.#names.set(there, new Set(names).add(name));
		}
		return there;
	}

	#add(folder: string): boolean {
		try {
			const watcher = watch(folder, { persistent: false }, (event, name) => {
				// A folder that goes or moves reports its own name; another folder may lie in its place already.
				if (event === 'rename' && name === basename(folder)) this.#end(folder, watcher);
				// Unknown: while it is found out what matters.
				const names = this.#names.get(folder) ?? 'all';
				if (names === 'all' || name === null || names.has(name)) this.#onChange();
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
		this.#end(folder, watcher);
		this.#isComplete = false;
		this.#onChange();
	}

	#end(folder: string, watcher: FSWatcher): void {
		watcher.close();
		if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder);
	}
}
