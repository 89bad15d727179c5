import { type ErrorCode, ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { StoreError } from '../../store/store-error.ts';

const storeErrorCodes: Record<StoreError['code'], ErrorCode> = {
	newer: 'STORE_NEWER',
	unavailable: 'STORE_UNAVAILABLE',
	busy: 'THREAD_BUSY',
	fenced: 'THREAD_BUSY',
	missing: 'THREAD_NOT_FOUND',
};

/** A failure of the store in the words of the protocol; other errors stay as they are. */
export function fromStore(error: unknown): unknown {
	if (error instanceof StoreError) {
		return new ProwessError(storeErrorCodes[error.code], error.message, error.facts, error);
	}
	// SQLite's own: the disk is full, gone or read-only.
	if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR') {
		return new ProwessError('STORE_UNAVAILABLE', `the threads cannot be stored: ${error.message}`, {}, error);
	}
	return error;
}

/** `owner`: name of the process that writes it. */
export function createBusyError(threadId: ThreadId, owner: string): ProwessError {
	return new ProwessError('THREAD_BUSY', `thread ${threadId} is written by another process`, { threadId, owner });
}

/** Runs `work` and translates what the store throws. */
export function callStore<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw fromStore(error);
	}
}
