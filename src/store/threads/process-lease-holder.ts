/**
 * This process as the holder of leases and claims. A process that can be seen from here has them until it ends, however long
 * it says nothing: it may be suspended. A process on another machine, in another container or from before a reboot cannot be
 * seen: such a process counts as alive while it is heard of, so its claims expire.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

/** For leases, which are renewed one by one. */
export function processLeaseHolder(kind: HolderKind, heardOf = (_id: string) => 0): LeaseHolder {
	const [host, here, start] = [hostname(), visibleHere(), readProcessStart(process.pid) ?? ''];
	const owner = [host, process.pid, randomUUID(), kind, here, start].join('/');
	const isWithin = (heardAt: number, ms: number) => Math.abs(Date.now() - heardAt) <= ms;
	return {
		owner,
		isAlive(other, heardAt) {
			if (other === owner) {
				return true;
			}
			const { place, start: since, ...named } = parseProcessName(other);
			const isOld = place === undefined;
			const lastAt = () => Math.max(heardAt, heardOf(named.id));
			if (isOld ? named.host !== host : place !== here) {
				// Neither late nor early by more than that: a clock that was put back keeps no claim alive.
				return isWithin(lastAt(), storeLimits.claimMs);
			}
			// Our own number with another name: the process before us had it.
			const isThere = named.pid !== process.pid && isRunningSince(named.pid, since);
			// Without its start, a later process of that number looks the same; but nobody hears of that.
			return isThere && (isOld || since !== undefined || isWithin(lastAt(), storeLimits.maxLeaseMs));
		},
		now: () => Date.now(),
	};
}

const HOLDERS_FOLDER = 'holders';
/** Names come from databases, and become paths. */
const HOLDER_ID = /^[0-9a-f-]{36}$/;

/** For claims. From the first one on until it is disposed, the time of its file in `home` says when it was last heard of. */
export function processClaimHolder(
	kind: HolderKind,
	home: string,
	beatMs: number = storeLimits.beatMs,
): ClaimHolder & Disposable {
	const folder = join(home, HOLDERS_FOLDER);
	const readHeardAt = (id: string) =>
		HOLDER_ID.test(id) ? (statSync(join(folder, id), { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
	const holder = processLeaseHolder(kind, readHeardAt);
	const path = join(folder, parseProcessName(holder.owner).id);
	let timer: NodeJS.Timeout | undefined;
	const writeBeat = () => {
		const now = holder.now() / 1_000;
		try {
			utimesSync(path, now, now);
		} catch {
			// The first time, or somebody has tidied up.
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(path, '', { mode: 0o600 });
		}
	};
	return {
		...holder,
		beat() {
			if (timer !== undefined) {
				return;
			}
			writeBeat();
			removeForgotten(folder);
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
function removeForgotten(folder: string): void {
	for (const name of readdirSync(folder)) {
		const at = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
		if (Date.now() - at > storeLimits.maxLeaseMs) {
			rmSync(join(folder, name), { force: true });
		}
	}
}
