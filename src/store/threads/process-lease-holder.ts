/** This process as the holder of leases. On the same machine the death of a holder is seen at once, elsewhere its lease runs out. */
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { isRunning } from '../running-process.ts';
import type { HolderKind, LeaseHolder } from './lease-holder.ts';

export function processLeaseHolder(kind: HolderKind): LeaseHolder {
	const owner = `${hostname()}/${process.pid}/${randomUUID()}/${kind}`;
	return {
		owner,
		isAlive(other) {
			const [host, pid] = other.split('/');
			if (other === owner || host !== hostname()) {
				return true;
			}
			// Our own number with another name: the process before us had it.
			return Number(pid) !== process.pid && isRunning(Number(pid));
		},
		now: () => Date.now(),
	};
}

/** Kind of the process of that name; one that does not say so counts as a window. */
export function kindOfHolder(owner: string): HolderKind {
	return owner.split('/').at(3) === 'cli' ? 'cli' : 'editor';
}
