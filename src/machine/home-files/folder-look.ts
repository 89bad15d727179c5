/**
 * Check of a folder for entries that came or went, by a single `stat` of the folder in place of one for each entry.
 * Most of our files do not exist, and an error for each of them at each op took more time than all the rest of reading
 * them.
 */
import { stat } from 'node:fs/promises';

/** Systems that keep no parts of a second, and one that keeps even seconds only, may change a folder and leave its time. */
const SETTLED_COARSE_MS = 3_000;
/** The others count in ticks of their clock, 10 ms at most. */
const SETTLED_FINE_MS = 100;
const NS_PER_MS = 1_000_000n;

/** Looks that began in the current microtask, by path. */
const pendingLooks = new Map<string, Promise<string | undefined>>();

/**
 * Returns a fingerprint of the folder at `path` (absolute), taken no earlier than the call; it differs once an entry
 * has come or gone. Undefined: the folder is missing, or changed so recently that a further change might not show, or
 * the platform is Windows. Calls in the same moment share a single look.
 */
export function folderLook(path: string): Promise<string | undefined> {
	const begun = pendingLooks.get(path);
	if (begun !== undefined) {
		return begun;
	}
	const look = readFolderFingerprint(path);
	pendingLooks.set(path, look);
	queueMicrotask(() => pendingLooks.delete(path));
	return look;
}

async function readFolderFingerprint(path: string): Promise<string | undefined> {
	// Windows may have file systems whose folders keep no time of what comes and goes.
	if (process.platform === 'win32') {
		return undefined;
	}
	const now = BigInt(Date.now());
	try {
		const { dev, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
		const isFine = mtimeNs % 1_000_000_000n !== 0n;
		const ageMs = now - mtimeNs / NS_PER_MS;
		return ageMs > (isFine ? SETTLED_FINE_MS : SETTLED_COARSE_MS) ? [dev, ino, mtimeNs, ctimeNs].join(' ') : undefined;
	} catch {
		return undefined;
	}
}
