/**
 * The page of traces ↔ extension, over postMessage: how the turns of a thread went. The page asks for one of them at a time,
 * and can open nothing but what its trace names. A page may be destroyed at any moment and keeps only which turn it shows.
 */
import * as z from '../text/zod.ts';
import { OpId, ThreadId, TurnId } from '../rpc/ids.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';
import { TurnTrace } from '../thread/turn-trace.ts';
import { ReplayedTurn } from '../turn/replayed-turn.ts';

/** Turn that the page shows; null: the last one of the thread. Thread null: one that does not exist yet. */
export const ShownTrace = z.object({ threadId: ThreadId.nullable(), turnId: TurnId.nullable() });
export type ShownTrace = z.infer<typeof ShownTrace>;

/** A turn to choose. */
const TraceChoice = TurnTrace.pick({ turnId: true, status: true, startedAt: true, endedAt: true });
export type TraceChoice = z.infer<typeof TraceChoice>;

export const tracePageRequests = {
	/** First message of a (re)built page. */
	start: defineRequest(
		'tracePage/start',
		z.object({}),
		z.object({
			shown: ShownTrace,
			/** Translations of the page's own English strings; empty in English. */
			strings: z.record(z.string(), z.string()),
		}),
	),
	/** The turns of a thread, newest first, and the trace of one of them; null: there is none. */
	read: defineRequest(
		'tracePage/read',
		ShownTrace,
		z.object({ turns: z.array(TraceChoice), trace: TurnTrace.nullable() }),
	),
	/** Finds whether the turn is recorded, so that it can be replayed. */
	findRecording: defineRequest(
		'tracePage/findRecording',
		z.object({ turnId: TurnId }),
		z.object({ isRecorded: z.boolean() }),
	),
	/** Runs the recorded turn again, without a network and without effects. */
	replay: defineRequest('tracePage/replay', z.object({ threadId: ThreadId, turnId: TurnId }), ReplayedTurn),
	/** Records the next turn of that thread, with a fresh server. Rejects with INVALID_STATE while a turn is under way. */
	recordNext: defineRequest('tracePage/recordNext', z.object({ threadId: ThreadId }), z.object({})),
	/** Shows in the ledger what is recorded of an op. */
	showRecorded: defineRequest('tracePage/showRecorded', z.object({ opId: OpId }), z.object({})),
	/** Copies the trace as `prowess trace show` writes it. */
	copyText: defineRequest('tracePage/copyText', z.object({ turnId: TurnId }), z.object({})),
	copy: defineRequest('tracePage/copy', z.object({ text: z.string().max(20_000) }), z.object({})),
} as const;

/** Extension → page. */
export const tracePageNotifications = {
	/** A turn began or ended. */
	changed: defineNotification('tracePage/changed', z.object({})),
	/** Shows this one. */
	show: defineNotification('tracePage/show', ShownTrace),
} as const;
