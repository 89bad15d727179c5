/** Looks at the disks that a command writes to, and ends it before they are full: other programs need some of them. */
import { statfs } from 'node:fs/promises';
import type { Disposable } from '../../../base/disposable.ts';
import { DISK_USABLE_BYTES, DISK_WATCH_MS } from '../limits.ts';

/**
 * Calls `onExceeded` once, with a sentence, when less than `reserveBytes` is left where one of the folders lies. Where little
 * was left from the start, a command may still use a part of that. Until disposed.
 */
export function watchDisks(
	folders: readonly string[],
	reserveBytes: number,
	onExceeded: (why: string) => void,
): Disposable {
	const floors = new Map<string, number>();
	let isLooking = false;
	let isOver = false;
	// Never two at once: a disk of the network may take its time.
	const lookAtDisks = async () => {
		if (isLooking) return;
		isLooking = true;
		for (const folder of folders) {
			const free = await freeBytes(folder);
			const floor = floors.get(folder);
			if (free === undefined || isOver) continue;
			if (floor === undefined) {
				floors.set(folder, Math.min(reserveBytes, free - Math.min(DISK_USABLE_BYTES, free / 2)));
			} else if (free < floor) {
				endWatch();
				onExceeded(
					`The command was ended: less than ${Math.round(floor / 1_048_576)} MB was left on the disk of ${folder}.`,
				);
			}
		}
		isLooking = false;
	};
	const timer = setInterval(() => void lookAtDisks(), DISK_WATCH_MS).unref();
	const endWatch = () => {
		isOver = true;
		clearInterval(timer);
	};
	void lookAtDisks();
	return { dispose: endWatch };
}

/** Undefined where the system does not tell. */
async function freeBytes(folder: string): Promise<number | undefined> {
	try {
		const { bavail, bsize } = await statfs(folder);
		return bavail * bsize;
	} catch {
		// Gone, or not mounted any more.
		return undefined;
	}
}
