/** Which capabilities a model would be told of with a thread's first message, and why. Conversation with a server about it. */
import { CapabilitySummary } from '../capability/capability-ops.ts';
import { CapabilityUse } from '../ops/capability-value.ts';
import { defineRequest } from '../rpc/message.ts';
import * as z from '../text/zod.ts';

const OfferedCapability = CapabilitySummary.omit({ description: true, requires: true }).extend({
	/** Whole, as it begins, or not at all. */
	told: z.enum(['whole', 'short', 'left']),
	/** Worth at the beginning of the thread: those are told that are worth the most together. */
	value: z.number(),
	/** Tokens of the whole; absent: others are worth so much more that it was not weighed. */
	tokens: z.int().positive().optional(),
	/** The prompt names it. */
	isNamed: z.boolean(),
	/** Words of the prompt that its name or description has. */
	words: z.array(z.string()),
	/** In this project; absent: not yet. */
	used: CapabilityUse.optional(),
	/** Names of what it needs and there is not: it is left out for that. Absent without any. */
	missing: z.array(z.string()).optional(),
	/** Told capabilities that need it, as `type/name`; absent without any. */
	neededBy: z.array(z.string()).optional(),
});
export type OfferedCapability = z.infer<typeof OfferedCapability>;

const CapabilityOffer = z.object({
	/** Context window of the model that would be asked, in tokens. */
	contextWindow: z.int().positive(),
	/** Tokens that the list may take, and takes. */
	room: z.int().positive(),
	tokens: z.int().nonnegative(),
	/** Share by which any other choice could be worth more; 0: it is the best, else the search was cut off. */
	gap: z.number().nonnegative(),
	/** In the order in which they would be told. */
	capabilities: z.array(OfferedCapability),
});
export type CapabilityOffer = z.infer<typeof CapabilityOffer>;

export const offerRequests = {
	explain: defineRequest(
		'offer/explain',
		z.object({
			capabilities: z.array(CapabilitySummary),
			/** The user's words with which the thread would begin. */
			text: z.string().max(128_000),
			/** Files that are shown or added. */
			paths: z.array(z.string()).default([]),
			/** In this project, by `type/name`. */
			used: z.array(z.tuple([z.string(), CapabilityUse])).default([]),
		}),
		CapabilityOffer,
	),
} as const;
