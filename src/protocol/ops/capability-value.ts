/** Worth of a capability at the beginning of a thread. */
import * as z from '../text/zod.ts';
import { CapabilityUse } from './used-here.ts';

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
