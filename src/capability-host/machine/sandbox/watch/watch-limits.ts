/** What one command in a sandbox may take of the machine. */
import { totalmem } from 'node:os';
import { DISK_RESERVE_BYTES, MAX_MEMORY_SHARE, MAX_OPEN_FILES, MAX_PROCESSES } from '../limits.ts';

export interface WatchLimits {
	readonly processes: number;
	readonly memoryBytes: number;
	/** Of all its processes together. */
	readonly openFiles: number;
	/** Left free on each disk that it writes to. */
	readonly diskReserveBytes: number;
}

export const WATCH_LIMITS: WatchLimits = {
	processes: MAX_PROCESSES,
	// In a container, of what it may use.
	memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) * MAX_MEMORY_SHARE,
	openFiles: MAX_OPEN_FILES,
	diskReserveBytes: DISK_RESERVE_BYTES,
};
