/**
 * Whether entries of a folder may have come or gone, by one look at it in place of one at each: most files of ours are not
 * there, and an error for each of them at each op took more time than all the rest of reading them.
 */
import { stat } from 'node:fs/promises';

/** Systems that keep no parts of a second, and one that keeps even seconds only, may change a folder and leave its time. */
const SETTLED_MS = 3_000;
/** The others count in ticks of their clock, 10 ms at most. */
const SETTLED_FINE_MS = 100;
const NS_PER_MS = 1_000_000n;

/** Those that began in this moment. */
const looks = new Map<string, Promise<string | undefined>>();

/**
 * What tells the folder at `path` (absolute) as it is no earlier than now from any other that its entries would make of it.
 * Undefined: it cannot be told, because it changed so lately that another change might not show, or it is not there. Those
 * who ask in one moment share one look.
 */
export function folderLook(path: string): Promise<string | undefined> {
	const begun = looks.get(path);
	if (begun !== undefined) {
		return begun;
	}
	const look = lookAt(path);
	looks.set(path, look);
	queueMicrotask(() => looks.delete(path));
	return look;
}

async function lookAt(path: string): Promise<string | undefined> {
	// Windows may have file systems whose folders keep no time of what comes and goes.
	if (process.platform === 'win32') {
		return undefined;
	}
	const now = BigInt(Date.now());
	try {
		const { dev, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
		const isFine = mtimeNs % 1_000_000_000n !== 0n;
		const ageMs = now - mtimeNs / NS_PER_MS;
		return ageMs > (isFine ? SETTLED_FINE_MS : SETTLED_MS) ? [dev, ino, mtimeNs, ctimeNs].join(' ') : undefined;
	} catch {
		return undefined;
	}
}
