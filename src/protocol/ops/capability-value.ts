/** Worth of a capability at the beginning of a thread, and the use of it that adds to that. */
import * as z from '../text/zod.ts';

/** Use of a capability in the project at hand: what was wanted here will be wanted again. */
export const CapabilityUse = z.object({
	count: z.int().positive(),
	/** The last time, in milliseconds since 1970. */
	lastAt: z.number().nonnegative(),
	/** Each use counts 1 at first and fades. */
	weight: z.number().nonnegative(),
});
export type CapabilityUse = z.infer<typeof CapabilityUse>;

/** Uses in this project, by `type/name`. */
export type UsedHere = ReadonlyMap<string, CapabilityUse>;

export const NOTHING_USED: UsedHere = new Map();

/** Worth of a capability at the beginning of a thread. */
export const CapabilityValue = z.object({
	/** Above 0. */
	whole: z.number().positive(),
	/** Where it says only how it begins: enough to know that it is there, little for one that is wanted now. */
	short: z.number().positive(),
	/** The user names it. */
	isNamed: z.boolean(),
	/** Words of the user that its name or description has. */
	words: z.array(z.string()),
	/** In this project; absent: not yet. */
	used: CapabilityUse.optional(),
});
export type CapabilityValue = z.infer<typeof CapabilityValue>;
