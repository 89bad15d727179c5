/** Table of the calls of a host to its databases, with their results. Both ends compile against it. */
import type { Receipt } from '../../../../protocol/turn/broker.ts';
import type { LedgerFilter, LedgerQuery, LedgerRow } from '../../../../protocol/approvals/ledger.ts';
import type {
	ChangedFile,
	ChangingExecution,
	FileWrite,
	LastWritten,
	NewChange,
	WrittenFile,
} from '../checkpoint-store.ts';
import type {
	ImageAfter,
	NewRestore,
	NewTurnImage,
	RestoreEnd,
	RestoreRow,
	RestoreTurn,
	TurnImage,
} from '../image-rows.ts';
import type { LedgerEntry } from '../chain/chain.ts';
import type { ActStep, ActStepQuery } from '../recorded-acts.ts';
import type { WalkPosition, WalkStep } from '../chain/chain-walk.ts';
import type { Append } from '../ledger-store.ts';

export interface StoreCalls {
	append(append: Append): Receipt;
	query(query: LedgerQuery): LedgerRow[];
	acts(query: ActStepQuery): ActStep;
	page(from: { readonly filter: LedgerFilter; readonly after: number; readonly limit: number }): {
		readonly rows: LedgerRow[];
		readonly last: number;
	};
	intentTimes(what: {
		readonly op: string;
		readonly since: string;
		readonly limit: number;
		readonly inputStart: string;
	}): string[];
	walk(from: { readonly position: WalkPosition | undefined; readonly limit: number }): WalkStep;
	checkStarts(nothing: null): { readonly removed: number; readonly problem: string | undefined };
	faults(nothing: null): string[];
	/** Differences to anchors that were kept elsewhere. */
	compareAnchors(kept: { readonly text: string; readonly source: string }): string[];
	acknowledgeAnchors(nothing: null): void;
	prune(what: { readonly entry: LedgerEntry; readonly before: string; readonly limit: number }): number;
	keepBefore(file: FileWrite): void;
	noteWritten(written: WrittenFile): void;
	noteNotShown(file: Pick<FileWrite, 'owner' | 'absolutePath'>): void;
	setChange(change: NewChange): void;
	lastWritten(what: { readonly owner: string; readonly limit: number }): LastWritten[];
	lastWrittenTo(what: { readonly owner: string; readonly absolutePath: string }): string | undefined;
	forgetWritten(owner: string): void;
	changedFiles(owner: string): ChangedFile[];
	changedFile(what: { readonly owner: string; readonly absolutePath: string }): ChangedFile | undefined;
	ownersOf(absolutePath: string): string[];
	changingThreads(limit: number): string[];
	changedByExecutions(limit: number): ChangingExecution[];
	forget(what: { readonly owner: string; readonly absolutePaths: readonly string[] }): void;
	keepImage(image: NewTurnImage): void;
	noteAfter(after: ImageAfter): void;
	imagesSince(what: { readonly threadId: string; readonly turnId: string }): TurnImage[];
	imageBefore(what: {
		readonly threadId: string;
		readonly absolutePath: string;
		readonly number: number;
	}): TurnImage | undefined;
	blob(hash: string): Uint8Array | undefined;
	beginRestore(restore: NewRestore): void;
	turnRestore(turn: RestoreTurn): void;
	dropRestore(threadId: string): void;
	restoreOf(threadId: string): RestoreRow | undefined;
	endRestore(end: RestoreEnd): void;
	forgetImages(threadId: string): void;
}

export type StoreCall = keyof StoreCalls;
export type StoreInput<N extends StoreCall> = Parameters<StoreCalls[N]>[0];
export type StoreResult<N extends StoreCall> = ReturnType<StoreCalls[N]>;

/** Events that a store reports without being asked. */
export interface StoreEvents {
	/** Anchors that were written into the home just now. */
	readonly anchored: string;
	/** Why anchors could not be written. */
	readonly notAnchored: string;
	/** A database that was no good lies there now. `saved`: in words, what was saved of it, when the ledger holds that already. */
	readonly movedAside: { readonly path: string; readonly saved: string | undefined };
}

/** Facts of an error of the store. */
export interface StoreFaults {
	/** The row is there already: an op's second intent. */
	readonly isDuplicate: boolean;
	/** The file is damaged: the next call looks at it thoroughly, and puts it aside. */
	readonly isDamage: boolean;
}

export interface StoreStart {
	readonly home: string;
	readonly writer: string;
}
