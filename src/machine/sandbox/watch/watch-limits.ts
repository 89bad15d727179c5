/** Limits on the machine's resources for a single command in a sandbox, and for a single process of a capability. */
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

/** Limits for all processes of a command together. */
export interface ProcessLimits {
	readonly processes: number;
	/** With what the machine has come to hold in memory meanwhile and nobody says whose it is, such as files in `/dev/shm`. */
	readonly memoryBytes: number;
	/**
	 * Limit on the memory that they have mapped, with shared memory counted once; absent: only `memoryBytes` counts.
	 */
	readonly mappedBytes?: number;
	readonly openFiles: number;
}

export interface SandboxWatchLimits extends ProcessLimits {
	/** Disk space for the command's temporary folder and home. */
	readonly temporaryBytes: number;
	/** Disk space for the copy of the workspace on which the command is tried, including the copied content. */
	readonly copyBytes: number;
	/** Left free on each disk that it writes to. */
	readonly diskReserveBytes: number;
}

export const WATCH_LIMITS: SandboxWatchLimits = {
	processes: MAX_PROCESSES,
	// In a container, of what it may use.
	memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) * MAX_MEMORY_SHARE,
	openFiles: MAX_OPEN_FILES,
	temporaryBytes: MAX_TEMPORARY_BYTES,
	copyBytes: TRIED_BYTES,
	diskReserveBytes: DISK_RESERVE_BYTES,
};

/** Limits for a process of a capability and all that it starts. */
export const EXECUTOR_LIMITS: ProcessLimits = {
	processes: EXECUTOR_PROCESSES,
	memoryBytes: WATCH_LIMITS.memoryBytes,
	mappedBytes: EXECUTOR_MEMORY_MB * 1_048_576,
	openFiles: EXECUTOR_OPEN_FILES,
};

/** For the doctor; each as words. */
export function limitsInWords(limits: SandboxWatchLimits): readonly Text[] {
	const { processes, memoryBytes, openFiles } = limits;
	return [
		text('{n} processes', { n: processes }),
		text('{size} of memory, {part} of it for files in /dev/shm', {
			size: formatMegabytes(memoryBytes),
			part: formatMegabytes(SHARED_FILES_BYTES),
		}),
		text('{n} open files', { n: openFiles }),
		...diskLimitsInWords(limits),
	];
}

/** Returns the limits that concern the disk, in words. */
export function diskLimitsInWords({ temporaryBytes, diskReserveBytes }: SandboxWatchLimits): readonly Text[] {
	return [
		text('{size} in its temporary folder', { size: formatMegabytes(temporaryBytes) }),
		text('{size} left free on each disk', { size: formatMegabytes(diskReserveBytes) }),
	];
}

function formatMegabytes(bytes: number): string {
	return `${Math.round(bytes / 1_048_576)} MB`;
}
