import type { Event } from '../base/emitter.ts';
import type {
	ActFilter,
	ActPage,
	LedgerFilter,
	LedgerQuery,
	LedgerRow,
	LedgerVerification,
} from '../protocol/approvals/ledger.ts';

export type ExportFormat = 'jsonl' | 'csv';

/** Access of a host to the record of decisions and effects. Only the trusted base adds to it. */
export interface Ledger {
	/** Newest first. */
	query(query: LedgerQuery): Promise<LedgerRow[]>;
	/** Acts, newest first, `limit` of them unless there are fewer. `before`: the `next` of the page before. */
	acts(filter: ActFilter, limit: number, before: number | null, signal: AbortSignal): Promise<ActPage>;
	/** This host has recorded something. */
	readonly onDidRecord: Event<void>;
	/** Walks every chain. */
	verify(signal: AbortSignal): Promise<LedgerVerification>;
	/** Faults of the ledger as a whole that were not acknowledged, in words. */
	faults(signal: AbortSignal): Promise<readonly string[]>;
	/** Differences to anchors of the chains in a file that was kept elsewhere, in words. */
	compareAnchors(path: string): Promise<readonly string[]>;
	/** Records that the user has seen these faults: no check names them any more. Resolves with them. */
	acknowledge(signal: AbortSignal): Promise<readonly string[]>;
	/** The rows that are meant as a file, in pieces, in the order in which they were written. */
	export(format: ExportFormat, filter: LedgerFilter, signal: AbortSignal): AsyncIterable<string>;
	/** The same, written to a file that only the user can read, whole or not at all. */
	exportTo(path: string, format: ExportFormat, filter: LedgerFilter, signal: AbortSignal): Promise<void>;
}
