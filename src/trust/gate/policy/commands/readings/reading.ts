/** Form of a command that only reads, and the patterns that several of them share. */

/**
 * Allowed form of a flag's value or an operand. `number` may be signed; `path` lies in the workspace and holds no
 * secret by its name, and `revision` is such a path or the name of a commit.
 */
export type ReadingValue = 'number' | 'word' | 'path' | 'revision' | RegExp;

export interface CommandReading {
	/** Words after the program that choose what it does: `git log`. */
	readonly words?: readonly string[];
	/** Flags of one letter without a value, which may be written together: `-la`. */
	readonly letters?: string;
	/** Whole flags, with the value where one is written with `=`. */
	readonly flags?: RegExp;
	/** Flags whose value is the next word, follows `=`, or is the rest of a flag of one letter. */
	readonly valued?: Readonly<Record<string, ReadingValue>>;
	/** At least one of these flags must be there. */
	readonly oneOf?: RegExp;
	/** Allowed forms of the operands; the last one stands for all that follow. None: no operand is allowed. */
	readonly operands: readonly ReadingValue[];
	/** Least and most number of operands. */
	readonly count?: readonly [least: number, most: number];
	/**
	 * `fed`: it reads a pipe, and would look through the folder without one. `sandbox`: it may show what the words do not
	 * name, so it needs a sandbox. `hidden`: it reads whatever lies in a folder, so the sandbox must hide every secret file.
	 */
	readonly only?: 'fed' | 'sandbox' | 'hidden';
}

export const PATHS: readonly ReadingValue[] = ['path'];
export const WORD_OPERANDS: readonly ReadingValue[] = ['word'];
export const PATTERN: readonly ReadingValue[] = ['word', 'path'];
export const NEAR = { '-A': 'number', '-B': 'number', '-C': 'number', '-m': 'number' } as const;
export const GREP =
	/^--(?:ignore-case|line-number|count|files-with-matches|files-without-match|only-matching|word-regexp|line-regexp|invert-match|fixed-strings|extended-regexp|basic-regexp|perl-regexp|no-filename|with-filename|no-messages|quiet|colou?r(?:=\w+)?)$/;

/** Matches what any of them matches. */
export function joinPatterns(...patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'));
}
