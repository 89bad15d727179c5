/**
 * This process as the holder of leases and claims. A process that can be seen from here has them until it ends, however long
 * it says nothing: it may be suspended. A process on another machine, in another container or from before a reboot cannot be
 * seen: such a process counts as alive while it is heard of, so its claims expire.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { storeLimits } from '../limits.ts';
import { isRunningSince, readProcessStart, visibleHere } from '../running-process.ts';
import type { ClaimHolder, HolderKind, LeaseHolder } from './lease-holder.ts';

interface ProcessName {
	readonly host: string;
	readonly pid: number;
	readonly id: string;
	readonly kind: HolderKind;
	/** Machine and process numbers that it sees, from `visibleHere`; undefined in names that older versions have written. */
	readonly place: string | undefined;
	/** Time of its start, from `readProcessStart`; undefined where the system does not say. */
	readonly start: string | undefined;
}

/** Parts of the name of a holder. A name without a kind is that of a window. */
export function parseProcessName(owner: string): ProcessName {
	const [host = '', pid = '', id = '', kind, place, start] = owner.split('/');
	return { host, pid: Number(pid), id, kind: kind === 'cli' ? 'cli' : 'editor', place, start: start || undefined };
}

/** For leases, which are renewed one by one. `measureSilence`: milliseconds since others heard of a holder, by one clock for all. */
export function processLeaseHolder(
	kind: HolderKind,
	measureSilence: (id: string) => number | undefined = () => undefined,
): LeaseHolder {
	const [host, here, start] = [hostname(), visibleHere(), readProcessStart(process.pid) ?? ''];
	const owner = [host, process.pid, randomUUID(), kind, here, start].join('/');
	return {
		owner,
		isAlive(other, heardAt) {
			if (other === owner) {
				return true;
			}
			const { place, start: since, ...named } = parseProcessName(other);
			const isOld = place === undefined;
			// Neither late nor early by more than that: a clock that was put back keeps no claim alive.
			const isHeardWithin = (ms: number) => Math.abs(measureSilence(named.id) ?? Date.now() - heardAt) <= ms;
			if (isOld ? named.host !== host : place !== here) {
				return isHeardWithin(storeLimits.claimMs);
			}
			// Our own number with another name: the process before us had it.
			const isThere = named.pid !== process.pid && isRunningSince(named.pid, since);
			// Without its start, a later process of that number looks the same; but nobody hears of that.
			return isThere && (isOld || since !== undefined || isHeardWithin(storeLimits.maxLeaseMs));
		},
		now: () => Date.now(),
	};
}

const HOLDERS_FOLDER = 'holders';
/** Names come from databases, and become paths. */
const HOLDER_ID = /^[0-9a-f-]{36}$/;

/**
 * For claims. From the first one on until it is disposed, the time of its file in `home` says when it was last heard of. The
 * file system gives that time, and the time it is compared with: the clocks of machines that share a disk may differ.
 */
export function processClaimHolder(
	kind: HolderKind,
	home: string,
	beatMs: number = storeLimits.beatMs,
): ClaimHolder & Disposable {
	const folder = join(home, HOLDERS_FOLDER);
	const readTime = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
	let timer: NodeJS.Timeout | undefined;
	/** Time of the file system now. A holder without claims leaves no file. */
	const readFolderClock = () => {
		try {
			writeBeat();
			return readTime(path);
		} catch {
			// A folder that cannot be written takes no claims either.
			return undefined;
		} finally {
			if (timer === undefined) {
				rmSync(path, { force: true });
			}
		}
	};
	const measureSilence = (id: string) => {
		const at = HOLDER_ID.test(id) ? readTime(join(folder, id)) : undefined;
		return at === undefined ? undefined : (readFolderClock() ?? Date.now()) - at;
	};
	const holder = processLeaseHolder(kind, measureSilence);
	const path = join(folder, parseProcessName(holder.owner).id);
	/** Writes a byte, because only what is written gets its time from the file system. */
	const writeBeat = () => {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		writeFileSync(path, '.', { mode: 0o600 });
	};
	return {
		...holder,
		beat() {
			if (timer !== undefined) {
				return;
			}
			writeBeat();
			removeForgotten(folder, readTime(path) ?? Date.now());
			timer = setInterval(() => {
				try {
					writeBeat();
				} catch {
					// The next beat tries again. A claim that is lost over this is noticed before the next write.
				}
			}, beatMs).unref();
		},
		dispose() {
			if (timer === undefined) {
				return;
			}
			clearInterval(timer);
			rmSync(path, { force: true });
		},
	};
}

/** Files of holders that were killed: without one, its claims have expired all the same. */
function removeForgotten(folder: string, now: number): void {
	for (const name of readdirSync(folder)) {
		const at = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
		if (now - at > storeLimits.maxLeaseMs) {
			rmSync(join(folder, name), { force: true });
		}
	}
}
