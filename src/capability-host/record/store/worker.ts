/**
 * The worker thread of a host that owns its databases: node:sqlite is synchronous and must not stop the host's loop.
 * Appends that arrive together share one transaction.
 */
import { messageOf } from '../../../base/text/message-of.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { knownEnds } from './chain/anchor-check.ts';
import { Anchoring } from './chain/anchoring.ts';
import { AnchorFile, ANCHORS_NAME, anchorText, readAnchors } from './chain/anchors.ts';
import { CHECKPOINT_SCHEMA, CheckpointStore } from './checkpoint-store.ts';
import { isDamage } from '../../../store/damage.ts';
import { type Append, LEDGER_SCHEMA, LedgerStore } from './ledger-store.ts';
import { ANCHORED_VERSION, openDatabase, versionOf } from './open-database.ts';
import { salvageText, unsavedBeside } from './chain/salvage.ts';
import { ForeignSchema } from './chain/schema-watch.ts';
import type { CallInput, CallName, CallResult, WorkerReply, WorkerRequest, WorkerStart } from './worker-calls.ts';

const port = parentPort;
if (port === null) {
	throw new Error('the store worker runs as a worker thread only');
}
const { home, writer } = workerData as WorkerStart;

/** To what came in together. */
let replies: WorkerReply[] = [];
const reply = (message: WorkerReply) => void replies.push(message);

const anchorFile = new AnchorFile(join(home, ANCHORS_NAME));
let anchoring: Anchoring | undefined;

/** Also when nobody has asked for anything. */
function tell(message: WorkerReply): void {
	if (isAnswering) {
		reply(message);
	} else {
		port?.postMessage([message]);
	}
}
let isAnswering = false;

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
	const { db, hasAnchors, versionBefore } = openLedger(path, isThorough);
	try {
		const store = new LedgerStore(db, writer, noteRemoval);
		if (!hasAnchors && versionBefore < ANCHORED_VERSION) {
			noteRemoval(store.removedDigest());
		}
		// Also one of which a host that was killed, or had no room, saved nothing.
		for (const file of unsavedBeside(path)) {
			const damaged = join(home, file);
			tellMovedAside(damaged, salvageText(store.recover(damaged, knownEnds(anchorFile.read()))));
		}
		if (!hasAnchors && versionBefore >= ANCHORED_VERSION) {
			store.noteFault(ANCHORS_NAME, `${ANCHORS_NAME} was missing: rows that were cut off before cannot be found`);
		}
		anchoring = new Anchoring({
			file: anchorFile,
			store,
			onWritten: (text) => tell({ kind: 'anchored', text }),
			onFailed: (why) => tell({ kind: 'notAnchored', why }),
		});
		return { store, close: () => db.close() };
	} catch (error) {
		db.close();
		throw error;
	}
});

function noteRemoval(removed: string): void {
	const lines = [{ removed, at: new Date().toISOString() }];
	anchorFile.append(lines);
	tell({ kind: 'anchored', text: anchorText(lines) });
}

/** The file of anchors is there before the first database whose version says that it must be. */
function openLedger(path: string, isThorough: boolean) {
	mkdirSync(home, { recursive: true, mode: 0o700 });
	// Looked for first: another host may create both in between.
	const version = versionOf(path);
	const hasAnchors = !anchorFile.begin();
	const { db, movedAside } = openDatabase(path, LEDGER_SCHEMA, isThorough);
	return { db, hasAnchors, versionBefore: movedAside === undefined ? version : 0 };
}

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
	acts: (query) => ledger.get().acts(query),
	page: ({ filter, after, limit }) => ledger.get().page(filter, after, limit),
	intentTimes: ({ op, since, limit, inputStart }) => ledger.get().intentTimes(op, since, limit, inputStart),
	walk: ({ position, limit }) => ledger.get().walk(position, limit),
	checkStarts: () => ledger.get().checkStarts(),
	faults() {
		const store = ledger.get();
		// Before the rows: those that are added meanwhile do no harm.
		const log = anchorFile.read();
		const replaced = `${ANCHORS_NAME} was removed or replaced while Prowess was running`;
		return [...store.faults(), ...(log.isWhole ? [] : [replaced]), ...store.anchorFaults(log, ANCHORS_NAME)];
	},
	compareAnchors: ({ text, source }) => ledger.get().anchorFaults(readAnchors(text), source),
	acknowledgeAnchors() {
		ledger.get();
		anchoring?.acknowledge();
	},
	prune: ({ entry, before, limit }) => ledger.get().prune(entry, before, limit),
	keepBefore: (file) => checkpoints.get().keepBefore(file),
	noteWritten: (written) => checkpoints.get().noteWritten(written),
	lastWritten: ({ owner, limit }) => checkpoints.get().lastWritten(owner, limit),
	lastWrittenTo: ({ owner, absolutePath }) => checkpoints.get().lastWrittenTo(owner, absolutePath),
	forgetWritten: (owner) => checkpoints.get().forgetWritten(owner),
	setChange: (change) => checkpoints.get().setChange(change),
	changedFiles: (owner) => checkpoints.get().changedFiles(owner),
	changedFile: ({ owner, absolutePath }) => checkpoints.get().changedFile(owner, absolutePath),
	ownersOf: (absolutePath) => checkpoints.get().ownersOf(absolutePath),
	changingThreads: (limit) => checkpoints.get().changingThreads(limit),
	changedByExecutions: (limit) => checkpoints.get().changedByExecutions(limit),
	forget: ({ owner, absolutePaths }) => checkpoints.get().forget(owner, absolutePaths),
	keepImage: (image) => checkpoints.get().turns.keepImage(image),
	noteAfter: (after) => checkpoints.get().turns.noteAfter(after),
	imagesSince: ({ threadId, turnId }) => checkpoints.get().turns.imagesSince(threadId, turnId),
	imageBefore: ({ threadId, absolutePath, number }) =>
		checkpoints.get().turns.imageBefore(threadId, absolutePath, number),
	blob: (hash) => checkpoints.get().turns.blob(hash),
	beginRestore: (restore) => checkpoints.get().turns.beginRestore(restore),
	turnRestore: (turn) => checkpoints.get().turns.turnRestore(turn),
	dropRestore: (threadId) => checkpoints.get().turns.dropRestore(threadId),
	restoreOf: (threadId) => checkpoints.get().turns.restoreOf(threadId),
	endRestore: (end) => checkpoints.get().turns.endRestore(end),
	forgetImages: (threadId) => checkpoints.get().turns.forgetImages(threadId),
	close() {
		anchoring?.write();
		ledger.close();
		checkpoints.close();
	},
};

port.on('message', (first: readonly WorkerRequest[]) => {
	const batch = [...first];
	for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
		batch.push(...(more.message as readonly WorkerRequest[]));
	}
	isAnswering = true;
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
	isAnswering = false;
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
		anchoring?.count(results.filter((result) => !(result instanceof Error)).length);
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
