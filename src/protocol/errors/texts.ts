import type { ErrorCode } from './errors.ts';

/** Texts of a code for its three audiences. */
export interface ErrorTexts {
	/** For the log: what kind of failure this is. The message and the facts follow it there. */
	readonly log: string;
	/** For the user: what happened and why, each text the key of its translation. The final full stop may be left to the last fact. */
	readonly user: string | readonly string[];
	/** For the user: what to do about it, where anything can be done. Chosen as the text above, and also a key. */
	readonly wayOut?: string | readonly string[];
	/** The user's text tells the whole story, although it names no fact: no detail is shown below it. */
	readonly isWhole?: true;
	/** For the model: what happened and what to do next. The code stands before it. */
	readonly model: string | readonly string[];
}

/** Texts of some codes; the catalogue has those of all. */
export type SomeErrorTexts = { readonly [C in ErrorCode]?: ErrorTexts };

/** Text for the model where the message is enough. */
export const messageOnly = '{message}';
