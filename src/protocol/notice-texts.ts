/** What the server says in a thread by itself, in English; each text is also the key of its translation. */
export const NOTICE_TEXTS = {
	interrupted: 'This turn was interrupted. Nothing was run again; what is shown above is what happened.',
	tooLong: 'The answer is longer than the model may write; this is a part of it.',
} as const;
