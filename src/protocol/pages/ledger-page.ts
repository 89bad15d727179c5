/**
 * The page of the ledger ↔ extension, over postMessage. The page holds a filter and asks for rows, in words, page by page;
 * it can open nothing but what such a row names. A page may be destroyed at any moment and keeps only its filter.
 */
import * as z from '../text/zod.ts';
import { ActEnd } from '../approvals/ledger.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** Filter of the page. Null: everything. */
export const LedgerPageFilter = z.object({
	/** Words and names as in `op:shell.run since:2026-11-20 git push`. */
	line: z.string().max(500),
	threadId: z.string().max(200).nullable(),
	/** `agent`, `user` or `host`, or a capability as `skill/greet`. */
	doer: z.string().max(300).nullable(),
	end: ActEnd.nullable(),
	withHousekeeping: z.boolean(),
});
export type LedgerPageFilter = z.infer<typeof LedgerPageFilter>;

export const NO_LEDGER_FILTER: LedgerPageFilter = {
	line: '',
	threadId: null,
	doer: null,
	end: null,
	withHousekeeping: false,
};

/** An effect with its result, or a note. Every text is shown as the text it is. */
export const LedgerPageRow = z.object({
	id: z.string(),
	/** In the order of all rows; a later one is higher. */
	place: z.int(),
	at: z.iso.datetime(),
	what: z.string(),
	/** Doer as in the filter. */
	doer: z.string(),
	/** Tool of a capability that runs in a worker. */
	tool: z.string().nullable(),
	end: z.enum(['done', 'failed', 'denied', 'stopped', 'open', 'note']),
	result: z.string(),
	decidedBy: z.string(),
	/** Title null: nobody can open it, because it is gone or was only the run of a script. */
	thread: z.object({ id: z.string(), title: z.string().nullable(), isOfScript: z.boolean() }).nullable(),
});
export type LedgerPageRow = z.infer<typeof LedgerPageRow>;

/** Row of the ledger, whole. */
const LedgerPageEntry = z.object({
	title: z.string(),
	facts: z.array(z.object({ label: z.string(), text: z.string() })),
	/** Values that tie it into its chain. */
	hashes: z.array(z.object({ label: z.string(), text: z.string() })),
});
export type LedgerPageEntry = z.infer<typeof LedgerPageEntry>;

/** Result of a check of all chains, in words. */
export const LedgerVerdict = z.object({
	state: z.enum(['intact', 'damaged', 'failed']),
	text: z.string(),
	problems: z.array(z.string()),
	advice: z.string(),
	/** True when there is something to acknowledge. */
	canAcknowledge: z.boolean(),
});
export type LedgerVerdict = z.infer<typeof LedgerVerdict>;

export const ledgerPageRequests = {
	/** First message of a (re)built page. */
	start: defineRequest(
		'ledger/start',
		z.object({}),
		z.object({
			filter: LedgerPageFilter,
			/** Translations of the page's own English strings; empty in English. */
			strings: z.record(z.string(), z.string()),
		}),
	),
	/** `before`: the `next` of the page before. */
	rows: defineRequest(
		'ledger/rows',
		z.object({ filter: LedgerPageFilter, before: z.int().nullable() }),
		z.object({
			rows: z.array(LedgerPageRow),
			next: z.int().nullable(),
			/** Threads to choose from, the newest first. */
			threads: z.array(z.object({ id: z.string(), title: z.string() })),
			/** Why the line of the filter cannot be read; there are no rows then. */
			problem: z.string().nullable(),
		}),
	),
	/** All that is recorded of one act, oldest first. */
	entries: defineRequest(
		'ledger/entries',
		z.object({ id: z.string().max(300) }),
		z.object({ entries: z.array(LedgerPageEntry) }),
	),
	verify: defineRequest('ledger/verify', z.object({}), LedgerVerdict),
	/** The editor asks where to, or whether. `done` is false when the user does not. */
	export: defineRequest('ledger/export', z.object({ filter: LedgerPageFilter }), z.object({})),
	acknowledge: defineRequest('ledger/acknowledge', z.object({}), z.object({ done: z.boolean() })),
	openThread: defineRequest('ledger/openThread', z.object({ threadId: z.string().max(200) }), z.object({})),
	copy: defineRequest('ledger/copy', z.object({ text: z.string().max(20_000) }), z.object({})),
} as const;

/** Extension → page. */
export const ledgerPageNotifications = {
	/** Something was recorded in this window since. */
	recorded: defineNotification('ledger/recorded', z.object({})),
	/** Shows what fits this. */
	filter: defineNotification('ledger/filter', z.object({ filter: LedgerPageFilter })),
	/** Puts the keyboard into the field of the filter. */
	search: defineNotification('ledger/search', z.object({})),
} as const;
