/** Use of a capability in the project at hand: what was wanted here will be wanted again. */
import * as z from '../text/zod.ts';

export const Used = z.object({
	count: z.int().positive(),
	/** The last time, in milliseconds since 1970. */
	lastAt: z.number().nonnegative(),
	/** Each use counts 1 at first and fades. */
	weight: z.number().nonnegative(),
});
export type Used = z.infer<typeof Used>;

/** Uses in this project, by `type/name`. */
export type UsedHere = ReadonlyMap<string, Used>;

export const NOTHING_USED: UsedHere = new Map();
