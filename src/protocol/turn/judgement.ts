/**
 * Judgements of ours that users overrule: a fast path that answered, a strategy that was followed, a loop that was stopped, a claim
 * that was doubted, a memory that was kept. The host counts them for each project; the server asks before it follows one.
 */
import * as z from '../text/zod.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

export const Judgement = z.object({
	kind: z.enum(['fastPath', 'strategy', 'loop', 'claim', 'memory']),
	/** Name of the fast path or the strategy; empty for the other kinds. */
	name: z.string().max(60),
});
export type Judgement = z.infer<typeof Judgement>;

/** Fast paths and strategies that were overruled so often in a project are off there. */
export const OVERRULES_UNTIL_OFF = 3;

export const JudgementStanding = z.object({
	isOff: z.boolean(),
	/** True while it is off and nobody has told the user. */
	isNews: z.boolean(),
});
export type JudgementStanding = z.infer<typeof JudgementStanding>;

/** Count of a judgement that was overruled in a project. */
export interface OverruledJudgement extends Judgement {
	/** Folder of the project; empty: no folder was open. */
	readonly project: string;
	readonly times: number;
	readonly isOff: boolean;
}

/** Server → host. Answered also where nothing can be read or written: then everything is on. */
export const judgementRequests = {
	/** Before a fast path or a strategy is followed. */
	standing: defineRequest('judgement/standing', Judgement, JudgementStanding),
	/** The user has overruled it. `occasion`: the turn; told twice, it counts once. */
	overruled: defineRequest(
		'judgement/overruled',
		z.object({ judgement: Judgement, occasion: z.string().max(100) }),
		JudgementStanding,
	),
	/** The user wants it back: it is on, and counted from nothing. */
	restored: defineRequest('judgement/restored', Judgement, z.object({})),
} as const;

export const judgementNotifications = {
	/** The user has been told that it is off. */
	told: defineNotification('judgement/told', Judgement),
} as const;
