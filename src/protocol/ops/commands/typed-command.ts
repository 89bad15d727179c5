/**
 * A command as somebody would type it in a shell: in quotes that leave everything between them as it is, where a word needs
 * them. For people to read; nothing is run from it.
 */
import { type CommandChain, joinCommands, type SimpleCommand } from './command-chain.ts';
import { redirectText } from './redirect.ts';

/** Shell whose quotes are used. */
type Notation = 'sh' | 'powershell';

/** Half-open range of characters in one of the words. */
interface ArgumentRange {
	readonly argument: number;
	readonly start: number;
	readonly end: number;
}

interface CommandPiece {
	readonly text: string;
	readonly isMarked: boolean;
}

const UNQUOTED_WORD = { sh: /^[\w@%+=:,./-]+$/, powershell: /^[\w+=:./\\-]+$/ } as const;
const QUOTE = { sh: String.raw`'\''`, powershell: "''" } as const;

export function typedCommand(argv: readonly string[], notation: Notation = 'sh'): string {
	return typedPieces(argv, [], notation)
		.map(({ text }) => text)
		.join('');
}

/** The commands of a chain in one line. */
export function typedCommands({ notation, ...commands }: CommandChain & { notation?: Notation | undefined }): string {
	return joinCommands(commands, (command) => [
		typedCommand(command.argv, notation),
		...typedRedirects(command, notation),
	]);
}

/** The same below a prompt, as a shell shows it: a word of several lines goes on behind a sign of its own, so that none of it passes for ours. */
export function promptedCommands(command: Parameters<typeof typedCommands>[0]): string {
	return `$ ${typedCommands(command).replaceAll('\n', '\n> ')}`;
}

/** Each as it follows the words of its command. */
export function typedRedirects({ redirects = [] }: SimpleCommand, notation?: Notation): readonly string[] {
	return redirects.map((redirect) => redirectText(redirect, (path) => typedWord(path, notation)));
}

function typedWord(word: string, notation: Notation = 'sh'): string {
	return UNQUOTED_WORD[notation].test(word) ? word : `'${word.replaceAll("'", QUOTE[notation])}'`;
}

/** The same in pieces, with what lies in a range apart. */
export function typedPieces(
	argv: readonly string[],
	ranges: readonly ArgumentRange[],
	notation: Notation = 'sh',
): readonly CommandPiece[] {
	return argv.flatMap((word, argument) => {
		const isPlain = UNQUOTED_WORD[notation].test(word);
		const here = ranges.filter((range) => range.argument === argument && range.end > range.start);
		const isWhole = here.some(({ start, end }) => start === 0 && end >= word.length);
		const quote = isPlain ? [] : [{ text: "'", isMarked: isWhole }];
		// PowerShell takes a quoted word for a text unless it is told to run it.
		const call = argument === 0 && !isPlain && notation === 'powershell' ? '& ' : '';
		return [
			{ text: (argument === 0 ? '' : ' ') + call, isMarked: false },
			...quote,
			...cutAtRanges(word, here).map(({ text, isMarked }) => ({
				text: text.replaceAll("'", QUOTE[notation]),
				isMarked,
			})),
			...quote,
		].filter(({ text }) => text !== '');
	});
}

function cutAtRanges(word: string, ranges: readonly ArgumentRange[]): readonly CommandPiece[] {
	const ends = ranges.flatMap(({ start, end }) => [start, Math.min(end, word.length)]);
	const at = [...new Set([0, ...ends, word.length])].toSorted((a, b) => a - b);
	return at.slice(1).map((end, index) => {
		const start = at[index] ?? 0;
		return {
			text: word.slice(start, end),
			isMarked: ranges.some((range) => range.start <= start && end <= range.end),
		};
	});
}

/** Letters that look like Latin ones, and signs that look like those of a shell. */
const LOOK_ALIKE = /[\u0370-\u052f\u2010-\u2015\u2018-\u201f\u2032-\u2037\u2044\u2212\u2215\u2223\uff00-\uffee]/gu;

/** Characters of a word that are easily taken for others, each once, such as `а (U+0430)`. */
export function lookAlikes(word: string): readonly string[] {
	const found = /[\w-]/.test(word) ? (word.match(LOOK_ALIKE) ?? []) : [];
	return [...new Set(found)].map(
		(character) => `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`,
	);
}

/**
 * Returns true when quotes do not show what the word is: nothing at all, an escape, characters that look like others.
 */
export function isMisleading(word: string): boolean {
	return word === '' || word.includes(String.raw`\u{`) || lookAlikes(word).length > 0;
}
