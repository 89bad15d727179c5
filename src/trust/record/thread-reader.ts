/**
 * Reads threads where no server can: it keeps crashing, and what it has written is there all the same. Each reading opens
 * the file for itself and changes nothing; a file that another version wrote is not read.
 */
import { join } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import {
	atRest,
	itemAtRest,
	readStoredItem,
	toThreadSnapshot,
	storedInfo,
} from '../../protocol/thread/stored-thread.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { Database } from '../../store/database.ts';
import { schemaVersion } from '../../store/migrate.ts';
import { takingBack } from '../../store/taking-back.ts';
import { threadMigrations } from '../../store/threads/thread-migrations.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';

export type ThreadReader = Pick<RequestHandlers<typeof threadRequests>, 'list' | 'open' | 'earlier'>;

/** Claim holder for reading only: no reader writes, so none holds a thread. */
const readingClaimHolder = { owner: '', isAlive: () => false, now: () => 0 };

/** Rejects with THREAD_NOT_FOUND, and STORE_UNAVAILABLE when the file cannot be read. */
export function createThreadReader(home: string): ThreadReader {
	const readThreads = <T>(work: (store: ThreadStore) => T) =>
		new Promise<T>((resolve) => resolve(readFrom(join(home, 'threads.db'), work)));
	return {
		list: ({ query, limit }) =>
			readThreads((store) => ({
				threads: store.list(query, limit).map((row) => ({ ...storedInfo(row), running: false })),
			})),
		open: ({ threadId, items }) =>
			readThreads((store) => {
				const row = store.thread(threadId) ?? refuseUnknownThread(threadId);
				return atRest(toThreadSnapshot(row, storedInfo(row), row.seq, store.lastItems(threadId, items)));
			}),
		earlier: ({ threadId, before, limit }) =>
			readThreads((store) => {
				const found = store.itemsBefore(threadId, before, limit) ?? refuseUnknownThread(threadId);
				return { items: found.items.map(readStoredItem).map(itemAtRest), earlier: found.earlier };
			}),
	};
}

function readFrom<T>(path: string, work: (store: ThreadStore) => T): T {
	try {
		return takingBack(path, () => readOnce(path, work));
	} catch (error) {
		throw isProwessError(error)
			? error
			: new ProwessError('STORE_UNAVAILABLE', `${path} cannot be read: ${(error as Error).message}`, { path }, error);
	}
}

function readOnce<T>(path: string, work: (store: ThreadStore) => T): T {
	const db = new Database(path, { readOnly: true });
	try {
		if (schemaVersion(db) !== threadMigrations.length) {
			throw new ProwessError('STORE_UNAVAILABLE', `${path} was written by another version`, { path });
		}
		return work(new ThreadStore(db, readingClaimHolder));
	} finally {
		db.dispose();
	}
}

function refuseUnknownThread(threadId: ThreadId): never {
	throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${threadId}`, { threadId });
}
