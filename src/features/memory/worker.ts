/** The worker thread that owns the memories of a host: a look at many of them must not stop the host's loop, nor its ledger. */
import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls, tellHost } from '../../machine/threads/answer-calls.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { MemoryStore } from './memory-store.ts';
import type { MemoryCalls, MemoryEvents, MemoryWorkerStart } from './memory-worker.ts';

const port = parentPort;
if (port === null) {
	throw new Error('the memory worker runs as a worker thread only');
}
const { path } = workerData as MemoryWorkerStart;
const tellPutAside = (at: string) => tellHost<MemoryEvents, 'putAside'>(port, 'putAside', at);

/** Opened at the first use, and again at the next one when that fails. */
let openedMemories: { readonly store: MemoryStore; close(): void } | undefined;

function openMemoryStore(): MemoryStore {
	if (openedMemories === undefined) {
		const { db, putAside } = openMigratedDatabase(path, memoryMigrations);
		if (putAside !== undefined) {
			tellPutAside(putAside);
		}
		openedMemories = { store: new MemoryStore(db), close: () => db.dispose() };
	}
	return openedMemories.store;
}

function closeMemoryStore(): void {
	openedMemories?.close();
	openedMemories = undefined;
}

answerCalls<MemoryCalls>(
	port,
	{
		note: (memory) => openMemoryStore().note(memory),
		accept: (id) => openMemoryStore().accept(id),
		forget: (id) => openMemoryStore().forget(id),
		get: (id) => openMemoryStore().get(id),
		list: (filter) => openMemoryStore().list(filter),
		recall: (recall) => openMemoryStore().recall(recall),
		unplaced: (asked) => openMemoryStore().unplaced(asked),
		placed: (given) => openMemoryStore().placed(given),
	},
	closeMemoryStore,
);
