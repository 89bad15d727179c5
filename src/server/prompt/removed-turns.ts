/** What the model is told when the user has gone back in the conversation, because its files did not go back. */
import { section } from './section.ts';

const FILES = 'Files and all else stay as they are now: read a file again before you rely on what you know of it.';

/** To put after the user's text; empty in a conversation that only went on. */
export function wentBackNote({
	removedLater = 0,
	isRestored = false,
}: {
	readonly removedLater?: number | undefined;
	readonly isRestored?: boolean | undefined;
}): string {
	const notes = [
		isRestored ? 'The user took a retry back: another course of this conversation is gone.' : '',
		removedLater > 0
			? `The user went back to this message: what came after it (${removedLater === 1 ? '1 later message' : `${removedLater} later messages`} with your work on them) is gone from this conversation.`
			: '',
	].filter((note) => note !== '');
	return notes.length === 0 ? '' : `\n\n${section('went-back', '', [...notes, FILES].join('\n'))}`;
}
