/**
 * The chain of one writer (one host process). Each row's hash covers the row and the hash before it, so a row cannot be
 * changed, removed or put in between without every later hash failing. What a chain cannot show: that its last rows, or
 * all of it, were taken away.
 */
import type { LedgerRow } from '../../protocol/ledger.ts';
import { sha256 } from './canonical-json.ts';

/** A row before it has its place in the chain. */
export type LedgerEntry = Omit<LedgerRow, 'writer' | 'seq' | 'prev' | 'hash' | 'assessed'> & {
	readonly assessed: NonNullable<LedgerRow['assessed']> | null;
};

/** The end of a chain: what the next row is tied to. */
export interface ChainEnd {
	readonly writer: string;
	readonly seq: number;
	readonly hash: string;
}

/** Changing the serialisation below needs a new version here, or old rows no longer verify. */
const VERSION = 'prowess-ledger-1';

export function genesis(writer: string): ChainEnd {
	return { writer, seq: 0, hash: sha256(JSON.stringify([VERSION, writer])) };
}

export function link(end: ChainEnd, entry: LedgerEntry): LedgerRow {
	const row = { ...entry, writer: end.writer, seq: end.seq + 1, prev: end.hash, hash: '' };
	return { ...row, hash: hashOf(row) };
}

/** Undefined when the row continues the chain. */
export function problemOf(end: ChainEnd, row: LedgerRow): string | undefined {
	if (row.seq !== end.seq + 1) {
		return `row ${end.seq + 1} is missing: the next one is ${row.seq}`;
	}
	if (row.prev !== end.hash) {
		return 'it does not follow the row before it';
	}
	if (row.hash !== hashOf(row)) {
		return 'its content does not match its hash';
	}
	return undefined;
}

/** A list in a fixed order is its own canonical form. */
function hashOf(row: LedgerRow): string {
	return sha256(
		JSON.stringify([
			VERSION,
			row.writer,
			row.seq,
			row.prev,
			row.at,
			row.kind,
			row.opId,
			row.op,
			row.trigger,
			row.threadId,
			row.risk,
			row.assessed ?? null,
			row.decision,
			row.paramsHash,
			row.input,
			row.output,
			row.status,
			row.durationMs,
		]),
	);
}
