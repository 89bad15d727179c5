/** Tells that one of some files of our home was written, whichever process did it. Each is replaced whole, so its folder is watched. */
import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Disposable } from '../../base/disposable.ts';

/** Where the system does not watch, nothing is told. */
export function watchFiles(folder: string, names: readonly string[], onChange: () => void): Disposable {
	let watcher: FSWatcher | undefined;
	let isOver = false;
	const startWatching = async () => {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		if (isOver) {
			return;
		}
		watcher = watch(folder, { persistent: false }, (_event, name) => {
			if (name === null || names.includes(name)) {
				onChange();
			}
		});
		watcher.on('error', () => watcher?.close());
	};
	startWatching().catch(() => undefined);
	return {
		dispose() {
			isOver = true;
			watcher?.close();
		},
	};
}
