/**
 * The ledger: an append-only, hash-chained record of decisions and effects. Each host process writes its own chain
 * (`writer`, `seq`, `prev`); several hosts share `ledger.db`. Rows are redacted before they are written.
 */
import * as z from '../text/zod.ts';
import { RiskLevel } from '../ops/risk.ts';

/** `intent` before an effect, `outcome` after it, `denial` where the gate said no, `note` for what is neither. */
export const LedgerKind = z.enum(['intent', 'outcome', 'denial', 'note']);
export type LedgerKind = z.infer<typeof LedgerKind>;

/** Columns of seed 0 (S0-20) and the trigger of seed 4 (S4-18). Summaries are at most 200 characters. */
export const LedgerRow = z.object({
	writer: z.string(),
	seq: z.int().positive(),
	prev: z.string(),
	hash: z.string(),
	/** Place in the order in which the rows of all writers were recorded. */
	id: z.int().positive(),
	at: z.iso.datetime(),
	kind: LedgerKind,
	opId: z.string().nullable(),
	op: z.string(),
	/**
	 * Cause of the row: `agent:thr_…`, `user`, `host`, or for a capability its name, op and run: `skill/greet:fs.read
	 * (cap_…)`.
	 */
	trigger: z.string(),
	threadId: z.string().nullable(),
	risk: RiskLevel.nullable(),
	/** Risk that the assessor saw in the params, for RESTRICTED and above (S0-21). */
	assessed: z.enum(['low', 'medium', 'high']).nullish(),
	/** Why it was allowed or denied: the rule, the grant or the user's answer. */
	decision: z.string(),
	/** sha256 of the canonical params: what was approved is what ran. */
	paramsHash: z.string().nullable(),
	input: z.string(),
	output: z.string().nullable(),
	status: z.string().nullable(),
	durationMs: z.number().nonnegative().nullable(),
});
export type LedgerRow = z.infer<typeof LedgerRow>;

/** The place of one row. */
const LedgerPlace = z.object({ writer: z.string(), seq: z.int() });

/** Which rows are meant: those that fit all that is given. */
export const LedgerFilter = z.object({
	row: LedgerPlace.optional(),
	opId: z.string().optional(),
	threadId: z.string().optional(),
	op: z.string().optional(),
	kind: LedgerKind.optional(),
	/** Doer: `agent`, `user` or `host`, or a capability as `skill/greet`. */
	doer: z.string().max(300).optional(),
	/** Recorded at that time or later. */
	since: z.iso.datetime().optional(),
	/** Recorded before that time. */
	until: z.iso.datetime().optional(),
	/** In op, input, output, decision, status or trigger, whatever the case of its letters. */
	text: z.string().max(500).optional(),
});
export type LedgerFilter = z.infer<typeof LedgerFilter>;

export const LedgerQuery = LedgerFilter.extend({
	limit: z.int().positive().max(10_000).default(20),
	before: LedgerPlace.optional(),
});
export type LedgerQuery = z.input<typeof LedgerQuery>;

/**
 * Record of one act: its first row, and its last one where there are more. An op has an intent and an outcome;
 * what was refused before it began, and a note, have one row.
 */
export interface RecordedAct {
	readonly first: LedgerRow;
	readonly last: LedgerRow | null;
}

/**
 * End of an act, as a search names it. `failed` includes commands that ended with an error; `open`: without an outcome.
 */
export const ActEnd = z.enum(['denied', 'failed', 'open']);
export type ActEnd = z.infer<typeof ActEnd>;

/** Which acts are meant: those of which a row fits, and all that is given here. */
export const ActFilter = LedgerFilter.extend({
	end: ActEnd.optional(),
	/** Also the agent's bookkeeping, in which nothing of the user's is touched. */
	withHousekeeping: z.boolean().optional(),
});
export type ActFilter = z.infer<typeof ActFilter>;

/** Acts, newest first. */
export interface ActPage {
	readonly acts: readonly RecordedAct[];
	/** Where older acts go on: the id of a row before which they lie. Null: there are none. */
	readonly next: number | null;
}

export interface LedgerVerification {
	readonly ok: boolean;
	readonly rows: number;
	readonly writers: number;
	/** Rows that were removed since, because they were older than they are kept. */
	readonly removed: number;
	/** The first row of each chain that does not fit, and why. */
	readonly problems: readonly { readonly writer: string; readonly seq: number; readonly problem: string }[];
	/** Faults of the ledger as a whole, in words. The user can acknowledge them. */
	readonly faults: readonly string[];
}
