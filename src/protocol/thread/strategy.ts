/** Strategy: the way a message is worked on, chosen before any model is asked (S0-03), from a closed set. */
import * as z from '../text/zod.ts';

export const Strategy = z.enum(['DIRECT_RESPONSE', 'GOAL', 'SCHEDULED_TASK', 'SUB_AGENT', 'SCRIPT']);
export type Strategy = z.infer<typeof Strategy>;
