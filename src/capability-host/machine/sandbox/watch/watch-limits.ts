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
import { type Text, text } from '../../../../protocol/text/text.ts';

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
