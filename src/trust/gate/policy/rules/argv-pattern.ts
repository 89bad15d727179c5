/**
 * Rules for commands, as the user reads and writes them: words, quoted where needed. A rule allows exactly its words;
 * with ` *` at its end also any further arguments that are plain operands; for ` **` see `open-words.ts`. A flag or an
 * assignment that the rule does not name is never covered by ` *`, because flags turn harmless programs into interpreters; nor is a path that the file ops would not
 * pass without a question: out of the workspace, a secret, or a file that steers what runs.
 */
import { runsOtherPrograms } from '../commands/indirect-commands.ts';
import { areOpenWords } from '../commands/open-words.ts';
import { isPlainOperand } from '../commands/plain-operand.ts';

/** The pattern that allows exactly this command. */
export function exactArgvPattern(argv: readonly string[]): string {
	return argv.map(quoteRuleWord).join(' ');
}

/** `exact`: by its very words; `open`: the end of it by the ` *` of the pattern. `cwd`: where it would run, relative to the workspace. */
export function argvCover(pattern: string, argv: readonly string[], cwd: string): 'exact' | 'open' | 'none' {
	const words = parseRuleWords(pattern);
	if (words === undefined || words.length === 0) {
		return 'none';
	}
	const isFullyOpen = words.length > 1 && words.at(-1)?.isDoubleStar === true;
	const isOpen = isFullyOpen || (words.length > 1 && words.at(-1)?.isBareStar === true);
	const fixed = isOpen ? words.slice(0, -1) : words;
	if (fixed.some((word, index) => word.text !== argv[index]) || argv.length < fixed.length) {
		return 'none';
	}
	const rest = argv.slice(fixed.length);
	if (!isOpen) {
		return rest.length === 0 ? 'exact' : 'none';
	}
	if (isFullyOpen) {
		const said = fixed.map(({ text }) => text);
		return areOpenWords(said, rest, cwd) ? 'open' : 'none';
	}
	const isCovered = rest.every((argument) => isPlainOperand(argument, cwd)) && !runsOtherPrograms(argv);
	return isCovered ? 'open' : 'none';
}

function quoteRuleWord(word: string): string {
	return word !== '' && /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

export interface RuleWord {
	readonly text: string;
	/** An unquoted `*` of its own. */
	readonly isBareStar: boolean;
	/** An unquoted `**` of its own. */
	readonly isDoubleStar: boolean;
}

/** Undefined when a quote is not closed. */
export function parseRuleWords(pattern: string): RuleWord[] | undefined {
	const words: RuleWord[] = [];
	const lexer = /\s+|"(?:[^"\\]|\\.)*"(?=\s|$)|[^\s"]+(?=\s|$)/gy;
	let at = 0;
	for (const [token] of pattern.matchAll(lexer)) {
		at += token.length;
		if (/^\s/.test(token)) {
			continue;
		}
		const text = token.startsWith('"') ? unquoteRuleWord(token) : token;
		if (text === undefined) {
			return undefined;
		}
		words.push({ text, isBareStar: token === '*', isDoubleStar: token === '**' });
	}
	return at === pattern.length ? words : undefined;
}

function unquoteRuleWord(token: string): string | undefined {
	try {
		const text: unknown = JSON.parse(token);
		return typeof text === 'string' ? text : undefined;
	} catch {
		// Not a string as we write them: the rule matches nothing.
		return undefined;
	}
}
