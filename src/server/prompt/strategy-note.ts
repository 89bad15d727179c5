/**
 * Note for the model on how to follow a strategy other than the direct answer; stands behind the user's words, which
 * stay as they are.
 */
import type { Strategy } from '../../protocol/thread/strategy.ts';
import { formatSection } from './section.ts';

const STRATEGY_NOTES: { readonly [S in Strategy]?: string } = {
	GOAL: 'This has several steps. Where each is work of its own, look at what you need to plan, propose them with goal_start, each on its own and with an outcome that can be checked, "(after 1, 2)" at the end of one that does not wait for the one before; end your turn once the plan is approved. Where they are small, or a goal cannot be started, first state them with todo_write: at most 8, each with an outcome that can be checked, in an order in which each has what it needs. Check that plan once against the message before you begin. Keep it up to date after each step. When a step fails, try it once more in another way; change the plan at most 3 times, then ask the user.',
	SCRIPT:
		'This is the same work for many things. Look at a few of them. Where ops can do it, give script_run one script for all of them; in "with", ${id.field} is what a step gave and ${item} the round of its "for". After a failure, the same text goes on at that step. Otherwise write one script (or one command) that does all of them the same way, can be run again without harm, and prints what it changed. Run it once through, and report what it could not do.',
};

/** Empty for what is answered directly. */
export function strategyNote({ strategy }: { readonly strategy?: Strategy | undefined }): string {
	const note = strategy === undefined ? undefined : STRATEGY_NOTES[strategy];
	return note === undefined ? '' : `\n\n${formatSection('strategy', '', note)}`;
}
