/**
 * Server → host: what requests to models use, and whether another one may be made. The server sends requests itself, so the host
 * binds it here: it counts, grants each invocation and each request of it, and hands out no key beyond a hard limit.
 */
import { AccessOfThread } from '../approvals/access.ts';
import { SubTurnId, ThreadId } from '../rpc/ids.ts';
import { SkillTools } from '../ops/skill-tools-left.ts';
import * as z from '../text/zod.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

export const QUOTA_KINDS = [
	'tokensPerHour',
	'toolCallsPerMinute',
	'dollarsPerHour',
	'dollarsPerDay',
	'dollarsPerMonth',
	'tokensPerThread',
	'dollarsPerThread',
	'tokensPerCapability',
	'dollarsPerCapability',
	'tokensPerSchedule',
	'dollarsPerSchedule',
] as const;
export const QuotaKind = z.enum(QUOTA_KINDS);
export type QuotaKind = z.infer<typeof QuotaKind>;

/** A limit that the user has set, and what is used of it now. */
export const QuotaUse = z.object({
	kind: QuotaKind,
	used: z.number().nonnegative(),
	limit: z.number().positive(),
	/** The capability or schedule that it is of, as users know it; absent: it is of none. */
	name: z.string().optional(),
});
export type QuotaUse = z.infer<typeof QuotaUse>;

/** Share of a limit from which on the user is warned. */
export const WARNED_SHARE = 0.8;

const InvocationId = z.string().max(64);

export const usageRequests = {
	/** Before the first request of a turn or sub-turn. Rejects with QUOTA_EXCEEDED and ACCESS_DENIED. `quotas`: those that are set, none when empty. */
	begin: defineRequest(
		'usage/begin',
		/** `threadId`: the thread that it works in; absent: in none. `subTurnId`: as the host has named it; absent: a turn. */
		z.object({ threadId: ThreadId.optional(), subTurnId: SubTurnId.optional() }),
		z.object({
			invocation: InvocationId,
			quotas: z.array(QuotaUse),
			/** Rights of those in whose name the thread works; absent: of none. */
			access: AccessOfThread.optional(),
			/** Tools that skills leave to the thread; absent: all. */
			skillTools: z.array(SkillTools).optional(),
		}),
	),
	/** Before each request of it while quotas are set. Rejects with QUOTA_EXCEEDED. */
	grant: defineRequest('usage/grant', z.object({ invocation: InvocationId }), z.object({ quotas: z.array(QuotaUse) })),
	/** US dollars that a thread has cost so far, with its sub-agents and capabilities, as far as prices are known. */
	spent: defineRequest('usage/spent', z.object({ threadId: ThreadId }), z.object({ cost: z.number().nonnegative() })),
} as const;

const usedTokens = z.int().nonnegative();

export const usageNotifications = {
	/** A request has ended, or was broken off: then the tokens are an estimate. */
	used: defineNotification(
		'usage/used',
		z.object({
			model: z.string().max(300),
			invocation: InvocationId.optional(),
			inputTokens: usedTokens,
			outputTokens: usedTokens,
			cost: z.number().nonnegative().optional(),
		}),
	),
} as const;
