/** What one command in a sandbox, and one process of a capability, may take of the machine. */
import { totalmem } from 'node:os';
import {
	DISK_RESERVE_BYTES,
	EXECUTOR_MEMORY_MB,
	EXECUTOR_OPEN_FILES,
	EXECUTOR_PROCESSES,
	MAX_MEMORY_SHARE,
	MAX_OPEN_FILES,
	MAX_PROCESSES,
	MAX_TEMPORARY_BYTES,
	SHARED_FILES_SHARE,
} from '../limits.ts';
import { TRIED_BYTES } from '../copy/limits.ts';
import { type Text, text } from '../../../protocol/text/text.ts';

export const SHARED_FILES_BYTES = Math.round(totalmem() * SHARED_FILES_SHARE);

/** Of all its processes together. */
export interface ProcessLimits {
	readonly processes: number;
	/** With what the machine has come to hold in memory meanwhile and nobody says whose it is, such as files in `/dev/shm`. */
	readonly memoryBytes: number;
	/** Of what they have mapped, what several of them share counted once; absent: `memoryBytes` alone. */
	readonly mappedBytes?: number;
	readonly openFiles: number;
}

export interface WatchLimits extends ProcessLimits {
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

/** Of a process of a capability, with all that it starts. */
export const EXECUTOR_LIMITS: ProcessLimits = {
	processes: EXECUTOR_PROCESSES,
	memoryBytes: WATCH_LIMITS.memoryBytes,
	mappedBytes: EXECUTOR_MEMORY_MB * 1_048_576,
	openFiles: EXECUTOR_OPEN_FILES,
};

/** For the doctor; each as words. */
export function limitsInWords(limits: WatchLimits): readonly Text[] {
	const { processes, memoryBytes, openFiles } = limits;
	return [
		text('{n} processes', { n: processes }),
		text('{size} of memory, {part} of it for files in /dev/shm', {
			size: megabytes(memoryBytes),
			part: megabytes(SHARED_FILES_BYTES),
		}),
		text('{n} open files', { n: openFiles }),
		...diskLimitsInWords(limits),
	];
}

/** Those of them that concern the disk. */
export function diskLimitsInWords({ temporaryBytes, diskReserveBytes }: WatchLimits): readonly Text[] {
	return [
		text('{size} in its temporary folder', { size: megabytes(temporaryBytes) }),
		text('{size} left free on each disk', { size: megabytes(diskReserveBytes) }),
	];
}

function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1_048_576)} MB`;
}
