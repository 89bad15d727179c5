/** Entries of the home that belong to one process each, and are removed by others when that is gone. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessRunning, visibleHere } from './running-process.ts';

/** Entries of processes that cannot be seen from here, in another container or before a reboot, are left for so long. */
export const LEFT_ELSEWHERE_MS = 7 * 24 * 3_600_000;
/** Number of the process, where that number means something, and a name. Older versions wrote the number alone. */
const OWN_NAME = /^(\d+)(?:@([0-9a-f]{4}))?-/;

let tag: string | undefined;

/** Begins the name of an entry of this process. */
export function ownName(): string {
	// Short: paths of sockets below have an end.
	tag ??= createHash('sha256').update(visibleHere()).digest('hex').slice(0, 4);
	return `${process.pid}@${tag}-`;
}

/** Names of the entries whose process is gone. `prefix`: what stands before `ownName()`, in a folder that others use, too. */
export function listLeftBehind(folder: string, prefix = ''): string[] {
	try {
		return readdirSync(folder).filter((name) => name.startsWith(prefix) && isLeftBehind(folder, name, prefix.length));
	} catch {
		// None was ever made.
		return [];
	}
}

function isLeftBehind(folder: string, name: string, at: number): boolean {
	const [own, pid, place] = OWN_NAME.exec(name.slice(at)) ?? [];
	if (own === undefined) {
		return false;
	}
	if (place === undefined || ownName().endsWith(`@${place}-`)) {
		return !isProcessRunning(Number(pid));
	}
	const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
	return Date.now() - changedAt > LEFT_ELSEWHERE_MS;
}
