/** End of a command at its time limit (S0-10). */
import * as z from '../../text/zod.ts';

/** Programs that ran when a time limit was reached (all of a pipe), and the limit (S0-10). */
export const OverTime = z.object({ program: z.string(), limitMs: z.number().nonnegative() });
export type OverTime = z.infer<typeof OverTime>;

/** Returns which program reached which time limit, as a part of a sentence in English. Undefined: of an older host, which does not say. */
export function describeOverTime(overTime: OverTime | undefined): string {
	return overTime === undefined
		? 'the time limit was reached'
		: `${overTime.program} reached the time limit of ${overTime.limitMs / 1_000} s`;
}
