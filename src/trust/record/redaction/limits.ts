/** Shorter values are not taken as secrets: `test` or `ollama` would be struck out of every text. */
export const MIN_SECRET_LENGTH = 8;

/**
 * True for a value that other texts hold by chance: it is struck out of them, too, since a password may well be a plain word.
 * The user is told when it is stored.
 */
export function isCommonValue(value: string): boolean {
	const plain = value.trim();
	return (
		plain.length >= MIN_SECRET_LENGTH &&
		(/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(plain) ? plain.length < 20 : new Set(plain).size < 4)
	);
}

/** Most characters a stream may hold back while it waits to see whether they are a secret. */
export const MAX_HELD_CHARS = 32_768;

/** A last line without an end is held back up to this length; longer ones go out at a blank, where no secret goes on. */
export const MAX_HELD_LINE_CHARS = 4_096;

/** Nesting of results that is looked into; deeper is replaced, because it could not be checked. */
export const MAX_REDACT_DEPTH = 64;

/** Time limit of one pattern of the user on one text. */
export const PATTERN_BUDGET_MS = 250;

/** Shorter texts need no watch: a pattern that passed its trial is done with them in time. */
export const WATCHED_CHARS = 256;

/** Length of each text of the trial. */
export const TRIAL_CHARS = 20_000;

/** Highest number in `{n,m}` of a pattern of the user. */
export const MAX_PATTERN_REPEAT = 1_000;

/** Most characters of a secret that only its label gives away. */
export const MAX_VALUE_CHARS = 400;

/** Most further characters of a name that begins with a label: `secretForTests`. */
export const MAX_NAME_AFTER_LABEL = 32;

/** Most characters before the label in the name of an option: `--db-password`. */
export const MAX_NAME_BEFORE_LABEL = 40;

/** Values looked at in one run of characters; from the next one on the run is struck out. */
export const MAX_LABELS_IN_A_RUN = 8;

/** Most characters of a command, up to the end of the option that holds its password. */
export const MAX_COMMAND = 400;

/** Most characters of a token before its mark. */
export const MAX_BEFORE_MARK = 64;
