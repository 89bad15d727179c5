/** Modes of threads: their names for people, and what an agent may ask for in each. */
import type { OpDef } from '../ops/define-op.ts';
import { type Text, text } from '../text/text.ts';
import type { Mode } from './thread.ts';

export const MODE_NAMES: { readonly [M in Mode]: Text } = {
	agent: text('Agent'),
	ask: text('Ask'),
	plan: text('Plan'),
};

/** Why the host refuses an op there. */
export const MODE_REFUSALS: { readonly [M in Exclude<Mode, 'agent'>]: Text } = {
	ask: text('The mode Ask only reads. Switch to the mode Agent for changes and commands.'),
	plan: text('The mode Plan only reads until you approve a plan.'),
};

/** Op by which a plan is proposed. */
export const PLAN_OP = 'plan.write';

/**
 * Returns true when an op can be asked for in a thread of the mode. The host refuses all others; the server does not
 * offer them.
 */
export function isPartOfMode(mode: Mode, op: string, { effect }: Pick<OpDef, 'effect'>): boolean {
	if (op === PLAN_OP) {
		// At Agent a plan may be asked about once more: its answer was lost with a server.
		return mode !== 'ask';
	}
	return mode === 'agent' || effect === 'read' || effect === 'interact';
}
