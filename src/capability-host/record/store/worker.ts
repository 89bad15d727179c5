/**
 * The worker thread of a host that owns its databases: node:sqlite is synchronous and must not stop the host's loop.
 * Appends that arrive together share one transaction.
 */
import { messageOf } from '../../../base/message-of.ts';
import { join } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CHECKPOINT_SCHEMA, CheckpointStore } from './checkpoint-store.ts';
import { isDamage } from '../../../store/damage.ts';
import { type Append, LEDGER_SCHEMA, LedgerStore } from './ledger-store.ts';
import { openDatabase } from './open-database.ts';
import { salvageText, unsavedBeside } from './salvage.ts';
import { ForeignSchema } from './schema-watch.ts';
import type { CallInput, CallName, CallResult, WorkerReply, WorkerRequest, WorkerStart } from './worker-calls.ts';

const port = parentPort;
if (port === null) {
	throw new Error('the store worker runs as a worker thread only');
}
const { home, writer } = workerData as WorkerStart;

/** To what came in together. */
let replies: WorkerReply[] = [];
const reply = (message: WorkerReply) => void replies.push(message);

/** Opened at the first use, and again at the next one when that fails: a full disk may have room later. */
function opened<S>(open: (isThorough: boolean) => { store: S; close(): void }) {
	let current: { store: S; close(): void } | undefined;
	let isDoubted = false;
	return {
		get(): S {
			current ??= open(isDoubted);
			isDoubted = false;
			return current.store;
		},
		close(): void {
			current?.close();
			current = undefined;
		},
		/** The next use looks at the file thoroughly before it trusts it again. */
		doubt(): void {
			isDoubted = true;
			try {
				current?.close();
			} catch {
				// It failed already and is reported; there is nothing left to save.
			}
			current = undefined;
		},
	};
}

const ledger = opened((isThorough) => {
	const path = join(home, 'ledger.db');
	const { db } = openDatabase(path, LEDGER_SCHEMA, isThorough);
	try {
		const store = new LedgerStore(db, writer);
		// Also one of which a host that was killed, or had no room, saved nothing.
		for (const file of unsavedBeside(path)) {
			const damaged = join(home, file);
			tellMovedAside(damaged, salvageText(store.recover(damaged, new Map())));
		}
		return { store, close: () => db.close() };
	} catch (error) {
		db.close();
		throw error;
	}
});
const checkpoints = opened((isThorough) => {
	const { db, movedAside } = openDatabase(join(home, 'checkpoints.db'), CHECKPOINT_SCHEMA, isThorough);
	if (movedAside !== undefined) {
		tellMovedAside(movedAside, undefined);
	}
	return { store: new CheckpointStore(db), close: () => db.close() };
});

function tellMovedAside(path: string, saved: string | undefined): void {
	reply({ kind: 'movedAside', path, saved });
}

const calls: { readonly [N in Exclude<CallName, 'append'>]: (input: CallInput<N>) => CallResult<N> } = {
	query: (query) => ledger.get().query(query),
	page: ({ filter, after, limit }) => ledger.get().page(filter, after, limit),
	intentTimes: ({ op, since, limit, inputStart }) => ledger.get().intentTimes(op, since, limit, inputStart),
	walk: ({ position, limit }) => ledger.get().walk(position, limit),
	checkStarts: () => ledger.get().checkStarts(),
	faults: () => ledger.get().faults(),
	prune: ({ entry, before, limit }) => ledger.get().prune(entry, before, limit),
	keepBefore: (file) => checkpoints.get().keepBefore(file),
	noteWritten: ({ owner, absolutePath, afterHash }) => checkpoints.get().noteWritten(owner, absolutePath, afterHash),
	changedFiles: (owner) => checkpoints.get().changedFiles(owner),
	changedByExecutions: (limit) => checkpoints.get().changedByExecutions(limit),
	forget: ({ owner, absolutePaths }) => checkpoints.get().forget(owner, absolutePaths),
	close() {
		ledger.close();
		checkpoints.close();
	},
};

port.on('message', (first: readonly WorkerRequest[]) => {
	const batch = [...first];
	for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
		batch.push(...(more.message as readonly WorkerRequest[]));
	}
	let appends: WorkerRequest[] = [];
	for (const request of batch) {
		if (request.name === 'append') {
			appends.push(request);
			continue;
		}
		appendAll(appends);
		appends = [];
		answer(request.id, () => calls[request.name as keyof typeof calls](request.input as never));
	}
	appendAll(appends);
	port.postMessage(replies);
	replies = [];
	if (batch.some(({ name }) => name === 'close')) {
		port.close();
	}
});

function appendAll(requests: readonly WorkerRequest[]): void {
	if (requests.length === 0) {
		return;
	}
	try {
		const results = ledger.get().append(requests.map(({ input }) => input as Append));
		for (const [index, { id }] of requests.entries()) {
			answer(id, () => {
				const result = results[index];
				if (result instanceof Error) {
					throw result;
				}
				return result;
			});
		}
	} catch (error) {
		// A database that failed may be gone or replaced: the next use opens what is there then.
		closeQuietly();
		for (const { id } of requests) {
			answer(id, () => {
				throw error;
			});
		}
	}
}

function closeQuietly(): void {
	try {
		ledger.close();
	} catch {
		// It failed already and is reported; there is nothing left to save.
	}
}

function answer(id: number, run: () => unknown): void {
	try {
		reply({ kind: 'result', id, result: run() });
	} catch (error) {
		const isFileDamaged = isDamage(error) || error instanceof ForeignSchema;
		if (isFileDamaged) {
			ledger.doubt();
			checkpoints.doubt();
		}
		const message = messageOf(error);
		const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
		reply({ kind: 'error', id, message, isDuplicate: code === 19, isDamage: isFileDamaged });
	}
}
