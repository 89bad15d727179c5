/**
 * The databases of a host, and what is asked of them. Synchronous, as node:sqlite is: whoever has them decides which thread
 * waits. Appends that are asked for together share one transaction.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { isDamageError } from '../../../../store/damage.ts';
import { knownEnds } from '../chain/anchor-check.ts';
import { Anchoring } from '../chain/anchoring.ts';
import { AnchorFile, ANCHORS_NAME, anchorText, readAnchors } from '../chain/anchors.ts';
import { salvageText, unsavedBeside } from '../chain/salvage.ts';
import { ForeignSchema } from '../chain/schema-watch.ts';
import { CHECKPOINT_SCHEMA, CheckpointStore } from '../checkpoint-store.ts';
import { type Append, LEDGER_SCHEMA, LedgerStore } from '../ledger-store.ts';
import { ANCHORED_VERSION, openHostDatabase, readSchemaVersion } from '../open-database.ts';
import { OpenedAtUse } from './opened-at-use.ts';
import { answerRequests, type CallHandlers } from '../../../../machine/threads/answer-calls.ts';
import { CLOSE, type ThreadReply, type ThreadRequest } from '../../../../machine/threads/call-messages.ts';
import type { StoreCalls, StoreEvents, StoreFaults, StoreStart } from './store-calls.ts';

type DatabaseCalls = CallHandlers<Omit<StoreCalls, 'append'>>;

export class Databases {
	readonly #home: string;
	readonly #writer: string;
	/** Takes what is to be told when nobody has asked. */
	readonly #tellUnasked: (reply: ThreadReply) => void;
	readonly #anchorFile: AnchorFile;
	readonly #ledger = new OpenedAtUse((isThorough) => this.#openLedgerStore(isThorough));
	readonly #checkpoints = new OpenedAtUse((isThorough) => this.#openCheckpointStore(isThorough));
	readonly #calls: DatabaseCalls = this.#createCalls();
	#anchoring: Anchoring | undefined;
	/** To what is being answered; undefined in between. */
	#replies: ThreadReply[] | undefined;

	constructor({ home, writer }: StoreStart, tellUnasked: (reply: ThreadReply) => void) {
		this.#home = home;
		this.#writer = writer;
		this.#tellUnasked = tellUnasked;
		this.#anchorFile = new AnchorFile(join(home, ANCHORS_NAME));
	}

	/** An answer to each, and before it what there was to tell. Never throws. */
	answer(requests: readonly ThreadRequest[]): readonly ThreadReply[] {
		const replies: ThreadReply[] = [];
		this.#replies = replies;
		let appends: ThreadRequest[] = [];
		for (const request of requests) {
			if (request.name === 'append') {
				appends.push(request);
				continue;
			}
			this.#appendAll(appends);
			appends = [];
			this.#answer(request.id, () => this.#run(request));
		}
		this.#appendAll(appends);
		this.#replies = undefined;
		return replies;
	}

	#run({ name, input }: ThreadRequest): unknown {
		return name === CLOSE ? this.#close() : this.#calls[name as keyof DatabaseCalls](input as never);
	}

	#close(): void {
		this.#anchoring?.write();
		this.#ledger.close();
		this.#checkpoints.close();
	}

	#tellEvent<N extends keyof StoreEvents>(name: N, value: StoreEvents[N]): void {
		this.#tell({ kind: 'event', name, value });
	}

	#tell(reply: ThreadReply): void {
		if (this.#replies === undefined) {
			this.#tellUnasked(reply);
		} else {
			this.#replies.push(reply);
		}
	}

	#createCalls(): DatabaseCalls {
		return {
			query: (query) => this.#ledger.get().query(query),
			acts: (query) => this.#ledger.get().acts(query),
			page: ({ filter, after, limit }) => this.#ledger.get().page(filter, after, limit),
			intentTimes: ({ op, since, limit, inputStart }) => this.#ledger.get().intentTimes(op, since, limit, inputStart),
			walk: ({ position, limit }) => this.#ledger.get().walk(position, limit),
			checkStarts: () => this.#ledger.get().checkStarts(),
			faults: () => {
				const store = this.#ledger.get();
				// Before the rows: those that are added meanwhile do no harm.
				const log = this.#anchorFile.read();
				const replaced = `${ANCHORS_NAME} was removed or replaced while Prowess was running`;
				return [...store.faults(), ...(log.isWhole ? [] : [replaced]), ...store.anchorFaults(log, ANCHORS_NAME)];
			},
			compareAnchors: ({ text, source }) => this.#ledger.get().anchorFaults(readAnchors(text), source),
			acknowledgeAnchors: () => {
				this.#ledger.get();
				this.#anchoring?.acknowledge();
			},
			prune: ({ entry, before, limit }) => this.#ledger.get().prune(entry, before, limit),
			keepBefore: (file) => this.#checkpoints.get().keepBefore(file),
			noteWritten: (written) => this.#checkpoints.get().noteWritten(written),
			noteNotShown: (file) => this.#checkpoints.get().noteNotShown(file),
			lastWritten: ({ owner, limit }) => this.#checkpoints.get().lastWritten(owner, limit),
			lastWrittenTo: ({ owner, absolutePath }) => this.#checkpoints.get().lastWrittenTo(owner, absolutePath),
			forgetWritten: (owner) => this.#checkpoints.get().forgetWritten(owner),
			setChange: (change) => this.#checkpoints.get().setChange(change),
			changedFiles: (owner) => this.#checkpoints.get().changedFiles(owner),
			changedFile: ({ owner, absolutePath }) => this.#checkpoints.get().changedFile(owner, absolutePath),
			ownersOf: (absolutePath) => this.#checkpoints.get().ownersOf(absolutePath),
			changingThreads: (limit) => this.#checkpoints.get().changingThreads(limit),
			changedByExecutions: (limit) => this.#checkpoints.get().changedByExecutions(limit),
			forget: ({ owner, absolutePaths }) => this.#checkpoints.get().forget(owner, absolutePaths),
			keepImage: (image) => this.#checkpoints.get().turns.keepImage(image),
			noteAfter: (after) => this.#checkpoints.get().turns.noteAfter(after),
			imagesSince: ({ threadId, turnId }) => this.#checkpoints.get().turns.imagesSince(threadId, turnId),
			imageBefore: ({ threadId, absolutePath, number }) =>
				this.#checkpoints.get().turns.imageBefore(threadId, absolutePath, number),
			blob: (hash) => this.#checkpoints.get().turns.blob(hash),
			beginRestore: (restore) => this.#checkpoints.get().turns.beginRestore(restore),
			turnRestore: (turn) => this.#checkpoints.get().turns.turnRestore(turn),
			dropRestore: (threadId) => this.#checkpoints.get().turns.dropRestore(threadId),
			restoreOf: (threadId) => this.#checkpoints.get().turns.restoreOf(threadId),
			endRestore: (end) => this.#checkpoints.get().turns.endRestore(end),
			forgetImages: (threadId) => this.#checkpoints.get().turns.forgetImages(threadId),
		};
	}

	#openLedgerStore(isThorough: boolean) {
		const path = join(this.#home, 'ledger.db');
		const { db, hasAnchors, versionBefore } = this.#openLedger(path, isThorough);
		try {
			const store = new LedgerStore(db, this.#writer, (removed) => this.#noteRemoval(removed));
			if (!hasAnchors && versionBefore < ANCHORED_VERSION) {
				this.#noteRemoval(store.removedDigest());
			}
			// Also one of which a host that was killed, or had no room, saved nothing.
			for (const file of unsavedBeside(path)) {
				const damaged = join(this.#home, file);
				this.#tellMovedAside(damaged, salvageText(store.recover(damaged, knownEnds(this.#anchorFile.read()))));
			}
			if (!hasAnchors && versionBefore >= ANCHORED_VERSION) {
				store.noteFault(ANCHORS_NAME, `${ANCHORS_NAME} was missing: rows that were cut off before cannot be found`);
			}
			const anchoring = new Anchoring({
				file: this.#anchorFile,
				store,
				onWritten: (text) => this.#tellEvent('anchored', text),
				onFailed: (why) => this.#tellEvent('notAnchored', why),
			});
			this.#anchoring = anchoring;
			const close = () => {
				anchoring.end();
				db.close();
			};
			return { store, close };
		} catch (error) {
			db.close();
			throw error;
		}
	}

	#noteRemoval(removed: string): void {
		const lines = [{ removed, at: new Date().toISOString() }];
		this.#anchorFile.append(lines);
		this.#tellEvent('anchored', anchorText(lines));
	}

	/** The file of anchors is there before the first database whose version says that it must be. */
	#openLedger(path: string, isThorough: boolean) {
		mkdirSync(this.#home, { recursive: true, mode: 0o700 });
		// Looked for first: another host may create both in between.
		const version = readSchemaVersion(path);
		const hasAnchors = !this.#anchorFile.begin();
		const { db, movedAside } = openHostDatabase(path, LEDGER_SCHEMA, isThorough);
		return { db, hasAnchors, versionBefore: movedAside === undefined ? version : 0 };
	}

	#openCheckpointStore(isThorough: boolean) {
		const { db, movedAside } = openHostDatabase(join(this.#home, 'checkpoints.db'), CHECKPOINT_SCHEMA, isThorough);
		if (movedAside !== undefined) {
			this.#tellMovedAside(movedAside, undefined);
		}
		return { store: new CheckpointStore(db), close: () => db.close() };
	}

	#tellMovedAside(path: string, saved: string | undefined): void {
		this.#tellEvent('movedAside', { path, saved });
	}

	#appendAll(requests: readonly ThreadRequest[]): void {
		if (requests.length === 0) {
			return;
		}
		try {
			const results = this.#ledger.get().append(requests.map(({ input }) => input as Append));
			this.#anchoring?.count(results.filter((result) => !(result instanceof Error)).length);
			for (const [index, { id }] of requests.entries()) {
				this.#answer(id, () => {
					const result = results[index];
					if (result instanceof Error) {
						throw result;
					}
					return result;
				});
			}
		} catch (error) {
			// A database that failed may be gone or replaced: the next use opens what is there then.
			this.#closeLedgerQuietly();
			for (const { id } of requests) {
				this.#answer(id, () => {
					throw error;
				});
			}
		}
	}

	#closeLedgerQuietly(): void {
		try {
			this.#ledger.close();
		} catch {
			// The database failed already, which is reported; closing has nothing left to save.
		}
	}

	#answer(id: number, run: () => unknown): void {
		try {
			this.#tell({ kind: 'result', id, result: run() });
		} catch (error) {
			const isFileDamaged = isDamageError(error) || error instanceof ForeignSchema;
			if (isFileDamaged) {
				this.#ledger.doubt();
				this.#checkpoints.doubt();
			}
			const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
			const facts = { isDuplicate: code === 19, isDamage: isFileDamaged } satisfies StoreFaults;
			this.#tell({ kind: 'error', id, message: toErrorMessage(error), facts });
		}
	}
}

/**
 * Answers what a host asks of its databases through a port, until the host closes them. Requests that have arrived
 * together are answered together: their appends share one transaction.
 */
export function answerStoreCalls(port: MessagePort, start: StoreStart): void {
	const databases = new Databases(start, (untold) => port.postMessage([untold]));
	answerRequests(port, (requests, post) => post(databases.answer(requests)));
}
