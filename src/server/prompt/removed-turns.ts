/** Tells the model that the user has gone back in the conversation, and that files did, or did not, go back with it. */
import { formatSection } from './section.ts';

const FILES_KEPT = 'Files and all else stay as they are now: read a file again before you rely on what you know of it.';
const RESTORED =
	'The files that you had changed since were put back to how they were then, as far as nobody else has changed them: read a file again before you rely on what you know of it. What commands did outside of files stays done.';

interface WentBack {
	readonly removedLater?: number | undefined;
	readonly isRestored?: boolean | undefined;
	readonly rewound?: { readonly turns: number; readonly files: 'restored' | 'kept' } | undefined;
}

/** To put after the user's text; empty in a conversation that only went on. */
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
