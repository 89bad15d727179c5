/** Notes behind the user's words, which stay as they are: about going back, and about the strategy of a turn. */
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';

/** A part of a message that is not the user's words, with its name around it. */
export function formatSection(name: string, about: string, text: string): string {
	return `<${name}${about === '' ? '' : ` ${about}`}>\n${text}\n</${name}>`;
}

const FILES_KEPT = 'Files and all else stay as they are now: read a file again before you rely on what you know of it.';
const RESTORED =
	'The files that you had changed since were put back to how they were then, as far as nobody else has changed them: read a file again before you rely on what you know of it. What commands did outside of files stays done.';

interface WentBack {
	readonly removedLater?: number | undefined;
	readonly isRestored?: boolean | undefined;
	readonly rewound?: { readonly turns: number; readonly files: 'restored' | 'kept' } | undefined;
}

/**
 * Tells the model that the user has gone back in the conversation, and that files did, or did not, go back with it.
 * Empty in a conversation that only went on.
 */
export function wentBackNote({ removedLater = 0, isRestored = false, rewound }: WentBack): string {
	const notes = [
		isRestored ? 'The user took a retry back: another course of this conversation is gone.' : '',
		removedLater > 0
			? `The user went back to this message: what came after it (${removedLater === 1 ? '1 later message' : `${removedLater} later messages`} with your work on them) is gone from this conversation.`
			: '',
		rewound === undefined
			? ''
			: `The user went back in this conversation: ${rewound.turns === 1 ? '1 message' : `${rewound.turns} messages`} with your work on them is gone from it.`,
	].filter((note) => note !== '');
	const files = rewound?.files === 'restored' ? RESTORED : FILES_KEPT;
	return notes.length === 0 ? '' : `\n\n${formatSection('went-back', '', [...notes, files].join('\n'))}`;
}

/** Tells the model how to answer the comments that came with a message, where the user sees them beside the lines. */
export function commentsNote(refs: readonly ContextRef[], hasEditor: boolean): string {
	return hasEditor && refs.some(({ kind }) => kind === 'comment')
		? `\n\n${formatSection('comments', '', 'Look at each comment at its lines. Do what it asks for, or answer it, then call editor_comment with its name: in a sentence or two what you did or found; "resolved" where nothing is left.')}`
		: '';
}

const STRATEGY_NOTES: { readonly [S in Strategy]?: string } = {
	GOAL: 'This has several steps. Where each is work of its own, look at what you need to plan, propose them with goal_start, each on its own and with an outcome that can be checked, "(after 1, 2)" at the end of one that does not wait for the one before; end your turn once the plan is approved. Where they are small, or a goal cannot be started, first state them with todo_write: at most 8, each with an outcome that can be checked, in an order in which each has what it needs. Check that plan once against the message before you begin. Keep it up to date after each step. When a step fails, try it once more in another way; change the plan at most 3 times, then ask the user.',
	SCHEDULED_TASK:
		'The user wants this at set times, or once something happens. Watch nothing yourself and do not poll: find out how it can be seen, as a command that only reads, a file, an address or a branch, and propose it with schedule_add, which waits at no cost. Ask the user where you cannot find out.',
	GOAL_STEP:
		'This is one step of a goal. Before you end, call goal_verdict once: "done" only where results of your calls show it, else "notDone" with what is missing, or "needsYou" with what the user has to do or decide.',
	SCRIPT:
		'This is the same work for many things. Look at a few of them. Where ops can do it, give script_run one script for all of them; in "with", ${id.field} is what a step gave and ${item} the round of its "for". After a failure, the same text goes on at that step. Otherwise write one script (or one command) that does all of them the same way, can be run again without harm, and prints what it changed. Run it once through, and report what it could not do.',
};

/** Tells the model how to follow a strategy; empty for the direct answer. */
export function strategyNote({ strategy }: { readonly strategy?: Strategy | undefined }): string {
	const note = strategy === undefined ? undefined : STRATEGY_NOTES[strategy];
	return note === undefined ? '' : `\n\n${formatSection('strategy', '', note)}`;
}
