/** This process as the holder of leases. On the same machine the death of a holder is seen at once, elsewhere its lease runs out. */
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { isRunning } from '../running-process.ts';
import type { LeaseHolder } from './lease-holder.ts';

export function processLeaseHolder(): LeaseHolder {
	const owner = `${hostname()}/${process.pid}/${randomUUID()}`;
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
