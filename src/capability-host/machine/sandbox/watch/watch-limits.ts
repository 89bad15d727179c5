/** What one command in a sandbox may take of the machine. */
import { totalmem } from 'node:os';
import {
	DISK_RESERVE_BYTES,
	MAX_MEMORY_SHARE,
	MAX_OPEN_FILES,
	MAX_PROCESSES,
	MAX_TEMPORARY_BYTES,
	SHARED_FILES_SHARE,
} from '../limits.ts';
import { TRIED_BYTES } from '../copy/limits.ts';

export const SHARED_FILES_BYTES = Math.round(totalmem() * SHARED_FILES_SHARE);

export interface WatchLimits {
	readonly processes: number;
	readonly memoryBytes: number;
	/** Of all its processes together. */
	readonly openFiles: number;
	/** Of the disk, for its temporary folder and its home. */
	readonly temporaryBytes: number;
	/** Of the disk, for the copy of the workspace that it is tried on, with what was copied. */
	readonly copyBytes: number;
	/** Left free on each disk that it writes to. */
	readonly diskReserveBytes: number;
}

export const WATCH_LIMITS: WatchLimits = {
	processes: MAX_PROCESSES,
	// In a container, of what it may use.
	memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) * MAX_MEMORY_SHARE,
	openFiles: MAX_OPEN_FILES,
	temporaryBytes: MAX_TEMPORARY_BYTES,
	copyBytes: TRIED_BYTES,
	diskReserveBytes: DISK_RESERVE_BYTES,
};

/** For the doctor; each as words. */
export function limitsInWords(limits: WatchLimits): readonly string[] {
	const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
	return [
		`${limits.processes} processes`,
		`${megabytes(limits.memoryBytes)} of memory, ${megabytes(SHARED_FILES_BYTES)} of it for files in /dev/shm`,
		`${limits.openFiles} open files`,
		`${megabytes(limits.temporaryBytes)} in its temporary folder`,
		`${megabytes(limits.diskReserveBytes)} left free on each disk`,
	];
}
