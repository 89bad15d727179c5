/** The worker thread that owns the memories of a host: a look at many of them must not stop the host's loop, nor its ledger. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/text/message-of.ts';
import { isProwessError } from '../../protocol/errors.ts';
import { openDatabase } from '../../store/open-database.ts';
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
const reply = (message: MemoryReply) => port.postMessage(message);

/** Opened at the first use, and again at the next one when that fails. */
let opened: { readonly store: MemoryStore; close(): void } | undefined;

function store(): MemoryStore {
	if (opened === undefined) {
		const { db, putAside } = openDatabase(path, memoryMigrations);
		if (putAside !== undefined) {
			reply({ kind: 'putAside', path: putAside });
		}
		opened = { store: new MemoryStore(db), close: () => db.dispose() };
	}
	return opened.store;
}

const calls: { readonly [N in MemoryCall]: (input: MemoryCallInput<N>) => MemoryCallResult<N> } = {
	note: (memory) => store().note(memory),
	accept: (id) => store().accept(id),
	forget: (id) => store().forget(id),
	get: (id) => store().get(id),
	list: (filter) => store().list(filter),
	recall: (recall) => store().recall(recall),
	unplaced: (asked) => store().unplaced(asked),
	placed: (given) => store().placed(given),
	close() {
		opened?.close();
		opened = undefined;
	},
};

port.on('message', ({ id, name, input }: MemoryRequest) => {
	try {
		reply({ kind: 'result', id, result: calls[name](input as never) });
	} catch (error) {
		const about = isProwessError(error) ? { code: error.code, facts: error.facts } : {};
		reply({ kind: 'error', id, message: messageOf(error), ...about });
	}
	if (name === 'close') {
		port.close();
	}
});
