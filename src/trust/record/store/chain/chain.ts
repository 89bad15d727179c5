/**
 * Chain of one writer (one host process). Each row's hash covers the row and the hash before it, so a row cannot be
 * changed, removed or put in between without every later hash failing. A chain cannot show by itself that its last
 * rows, or all of it, were taken away, or that it was calculated anew. Anchors show that.
 */
import type { LedgerRow } from '../../../../protocol/approvals/ledger.ts';
import { sha256 } from './canonical-json.ts';

/** A row before it has its place in the chain. */
export type LedgerEntry = Omit<LedgerRow, 'writer' | 'seq' | 'prev' | 'hash' | 'id' | 'assessed'> & {
	readonly assessed: NonNullable<LedgerRow['assessed']> | null;
};

/** The end of a chain: what the next row is tied to. */
export interface ChainEnd {
	readonly writer: string;
	readonly seq: number;
	readonly hash: string;
}

/** Changing the serialisation below needs a new version here, or old rows no longer verify. */
const CHAIN_VERSION = 'prowess-ledger-2';

/** Rows of this version do not cover `id`. Chains of every version begin with it. */
const FIRST_VERSION = 'prowess-ledger-1';

export function createGenesis(writer: string): ChainEnd {
	return { writer, seq: 0, hash: sha256(JSON.stringify([FIRST_VERSION, writer])) };
}

const HASHED_BUT_LAST = [
	'writer',
	'seq',
	'prev',
	'id',
	'at',
	'kind',
	'opId',
	'op',
	'trigger',
	'threadId',
	'risk',
	'assessed',
	'decision',
	'paramsHash',
	'input',
	'output',
	'status',
] as const satisfies readonly (keyof LedgerRow)[];

/** Columns that the hash of a row covers, in its order. */
export const HASHED_COLUMNS = [...HASHED_BUT_LAST, 'durationMs'] as const satisfies readonly (keyof LedgerRow)[];

/**
 * SQL for a quick look at a row: what is hashed as one text, without the last value, because SQLite may write a number in
 * another way; that value; and the hash.
 */
export const QUICK_COLUMNS = [
	`json_array('${CHAIN_VERSION}', ${HASHED_BUT_LAST.join(', ')})`,
	'durationMs',
	'hash',
] as const;
export type QuickLook = readonly [text: string | null, durationMs: number | null, hash: string | null];

/** Returns the beginning of the text of each row of a writer. */
export function createRowTextHead(writer: string): string {
	return `${JSON.stringify([CHAIN_VERSION, writer]).slice(0, -1)},`;
}

/**
 * True when the row surely continues the chain. `head`: the beginning that `createRowTextHead` gives for the writer. False leaves
 * it open: only `findChainProblem` decides then, by the values of the row.
 */
export function surelyFollows({ seq, hash }: ChainEnd, head: string, [text, durationMs, own]: QuickLook): boolean {
	const place = `${seq + 1},"`;
	const prevAt = head.length + place.length;
	return (
		text !== null &&
		// In pieces, because putting them together takes longer than to compare them.
		text.startsWith(head) &&
		text.startsWith(place, head.length) &&
		text.startsWith(hash, prevAt) &&
		text.startsWith('",', prevAt + hash.length) &&
		own === sha256(`${text.slice(0, -1)},${durationMs}]`)
	);
}

/** `id`: the row's place in the order of all chains. */
export function linkEntry(end: ChainEnd, entry: LedgerEntry, id: number): LedgerRow {
	const row = { ...entry, writer: end.writer, seq: end.seq + 1, prev: end.hash, id, hash: '' };
	row.hash = computeRowHash(HASHED_COLUMNS.map((column) => row[column]));
	return row;
}

/** Undefined when the row continues the chain. `hashed`: the values of `HASHED_COLUMNS`. */
export function findChainProblem(end: ChainEnd, hashed: readonly unknown[], hash: unknown): string | undefined {
	const [, seq, prev] = hashed;
	if (seq !== end.seq + 1) {
		return `row ${end.seq + 1} is missing: the next one is ${String(seq)}`;
	}
	if (prev !== end.hash) {
		return 'it does not follow the row before it';
	}
	return isRowHash(hashed, hash) ? undefined : 'its content does not match its hash';
}

/** True when `hash` is that of a row with these values of `HASHED_COLUMNS`. */
export function isRowHash(hashed: readonly unknown[], hash: unknown): boolean {
	// JSON has one text for every number that is none and for null.
	const isOneText = hashed.every((value) => typeof value !== 'number' || Number.isFinite(value));
	return isOneText && (hash === computeRowHash(hashed) || hash === computeFirstRowHash(hashed));
}

/** A list in a fixed order is its own canonical form. */
function computeRowHash(hashed: readonly unknown[]): string {
	return sha256(JSON.stringify([CHAIN_VERSION, ...hashed]));
}

function computeFirstRowHash(hashed: readonly unknown[]): string {
	return sha256(JSON.stringify([FIRST_VERSION, ...hashed.toSpliced(HASHED_COLUMNS.indexOf('id'), 1)]));
}
