/** Looks at how much a command keeps in folders that are its own, and ends it before that is more than one command should. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../../base/disposable.ts';
import { FOLDER_WATCH_MS, WATCHED_FILES } from '../limits.ts';

/** Size that the system counts as a block of a file. */
const BLOCK_BYTES = 512;

interface FolderWatchOptions {
	/** Place that the sentence names. Default: "in its temporary folder". */
	readonly where?: string;
	/** Maximum number of files and folders that are looked at. Default: `WATCHED_FILES`. */
	readonly files?: number;
}

/**
 * Calls `onExceeded` once, with a sentence, when the content of the folders takes more than `limitBytes` of the disk.
 * Watches until disposed. The watch cannot see some files, such as open ones without a name; the look at the disk
 * itself ends a command that fills them.
 */
export function watchFolders(
	folders: readonly string[],
	limitBytes: number,
	onExceeded: (why: string) => void,
	{ where = 'in its temporary folder', files = WATCHED_FILES }: FolderWatchOptions = {},
): Disposable {
	let isOver = false;
	let timer: NodeJS.Timeout | undefined;
	const lookAtFolders = async () => {
		const bytes = await bytesIn(folders, limitBytes, files, () => isOver);
		if (isOver) return;
		if (bytes > limitBytes) {
			isOver = true;
			onExceeded(`The command was ended: it kept more than ${Math.round(limitBytes / 1_048_576)} MB ${where}.`);
			return;
		}
		scheduleLook();
	};
	// From the end of one look to the next: a large folder takes its time.
	const scheduleLook = () => {
		timer = setTimeout(() => void lookAtFolders(), FOLDER_WATCH_MS).unref();
	};
	scheduleLook();
	return {
		dispose: () => {
			isOver = true;
			clearTimeout(timer);
		},
	};
}

/** Looks no further once it is more than `enough`, or at so many files. */
async function bytesIn(
	folders: readonly string[],
	enough: number,
	most: number,
	isOver: () => boolean,
): Promise<number> {
	const waiting = [...folders];
	let [bytes, files] = [0, 0];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		for (const name of await listFolderNames(folder)) {
			if (isOver() || bytes > enough || files >= most) return bytes;
			files += 1;
			const path = join(folder, name);
			const stat = await lstat(path).catch(() => undefined);
			if (stat?.isDirectory() === true) waiting.push(path);
			bytes += (stat?.blocks ?? 0) * BLOCK_BYTES;
		}
	}
	return bytes;
}

async function listFolderNames(folder: string): Promise<readonly string[]> {
	// Gone, or one that even its owner may not read.
	return await readdir(folder).catch(() => []);
}
