/** Tells that one of some files of our home was written, whichever process did it. Each is replaced whole, so its folder is watched. */
import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Disposable } from '../../base/disposable.ts';

interface Watching extends Disposable {
	/** Resolves when no later change is missed. */
	readonly started: Promise<void>;
}

/** `names` undefined: any file. Where the system does not watch, nothing is told. */
export function watchFiles(folder: string, names: readonly string[] | undefined, onChange: () => void): Watching {
	let watcher: FSWatcher | undefined;
	let isOver = false;
	const startWatching = async () => {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		if (isOver) {
			return;
		}
		watcher = watch(folder, { persistent: false }, (_event, name) => {
			if (name === null || names?.includes(name) !== false) {
				onChange();
			}
		});
		watcher.on('error', () => watcher?.close());
	};
	return {
		started: startWatching().catch(() => undefined),
		dispose() {
			isOver = true;
			watcher?.close();
		},
	};
}
