/** Use of a capability in the project at hand: what was wanted here will be wanted again. */
import * as z from '../text/zod.ts';

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
