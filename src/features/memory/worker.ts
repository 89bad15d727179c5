/** The worker thread that owns the memories of a host: a look at many of them must not stop the host's loop, nor its ledger. */
import { parentPort, workerData } from 'node:worker_threads';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError } from '../../protocol/errors.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { MemoryStore } from './memory-store.ts';
import type {
	MemoryCall,
	MemoryCallInput,
	MemoryCallResult,
	MemoryReply,
	MemoryRequest,
	MemoryWorkerStart,
} from './worker-calls.ts';

const port = parentPort;
if (port === null) {
	throw new Error('the memory worker runs as a worker thread only');
}
const { path } = workerData as MemoryWorkerStart;
const postReply = (message: MemoryReply) => port.postMessage(message);

/** Opened at the first use, and again at the next one when that fails. */
let openedMemories: { readonly store: MemoryStore; close(): void } | undefined;

function openMemoryStore(): MemoryStore {
	if (openedMemories === undefined) {
		const { db, putAside } = openMigratedDatabase(path, memoryMigrations);
		if (putAside !== undefined) {
			postReply({ kind: 'putAside', path: putAside });
		}
		openedMemories = { store: new MemoryStore(db), close: () => db.dispose() };
	}
	return openedMemories.store;
}

const memoryCalls: { readonly [N in MemoryCall]: (input: MemoryCallInput<N>) => MemoryCallResult<N> } = {
	note: (memory) => openMemoryStore().note(memory),
	accept: (id) => openMemoryStore().accept(id),
	forget: (id) => openMemoryStore().forget(id),
	get: (id) => openMemoryStore().get(id),
	list: (filter) => openMemoryStore().list(filter),
	recall: (recall) => openMemoryStore().recall(recall),
	unplaced: (asked) => openMemoryStore().unplaced(asked),
	placed: (given) => openMemoryStore().placed(given),
	close() {
		openedMemories?.close();
		openedMemories = undefined;
	},
};

port.on('message', ({ id, name, input }: MemoryRequest) => {
	try {
		postReply({ kind: 'result', id, result: memoryCalls[name](input as never) });
	} catch (error) {
		const about = isProwessError(error) ? { code: error.code, facts: error.facts } : {};
		postReply({ kind: 'error', id, message: toErrorMessage(error), ...about });
	}
	if (name === 'close') {
		port.close();
	}
});
