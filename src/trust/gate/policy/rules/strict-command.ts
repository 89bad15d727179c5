/**
 * Decides whether a command does what a rule that tightens names. Global flags, wrappers, aliases and abbreviations are
 * seen through; where code in an argument cannot be read, or a name may stand for anything, the answer is `maybe`.
 */
import { isAbsolute } from 'node:path';
import { type RuleWord, parseRuleWords } from './argv-pattern.ts';
import {
	ABBREVIATING,
	EQUIVALENTS,
	GIT_SUBCOMMANDS,
	LONG_FLAGS,
	SUBCOMMAND_ALIASES,
} from '../commands/command-names.ts';
import { isFilter } from '../commands/filters.ts';
import { INTERPRETERS, listNames, programName, runsOtherPrograms, SHELLS } from '../commands/indirect-commands.ts';

export type Cover = 'yes' | 'maybe' | 'no';

/** Programs that do not run their operands, so that a command named there is only a text. */
const TAKES_TEXTS = listNames(
	`echo printf ls cp mv ln mkdir touch rm rmdir git npm pnpm yarn gitk tig hub gh glab svn hg cargo pip brew apt apt-get
	zip unzip test true false which type date pwd stat file tree du df tsc eslint prettier pytest mocha jest vitest`,
);
const RUNS_SHELL_TEXT = new Set([...SHELLS, 'busybox', 'toybox', 'eval']);
const STRICT_CODE_FLAG =
	/^-[A-Za-z]*[cerpE]$|^--(?:eval|print|command|exec|execute)(?:=|$)|^-(?:Command|EncodedCommand)$/;
/** Most words of a line that are read: a longer line may do anything. */
const MAX_WORDS = 400;

export function strictlyCovered(pattern: string, argv: readonly string[]): Cover {
	const words = parseRuleWords(pattern);
	if (words === undefined || words.length === 0) {
		return 'no';
	}
	const { isBareStar = false, isDoubleStar = false } = words.at(-1) ?? {};
	const fixed = isBareStar || isDoubleStar ? words.slice(0, -1) : words;
	if (fixed.length === 0) {
		return 'yes';
	}
	const seen = commandsIn(argv);
	const rules = [fixed, ...listEquivalentRules(fixed)];
	const covers = seen.flatMap((command) => rules.map((rule) => wordsCover(rule, command)));
	if (covers.includes('yes')) {
		return 'yes';
	}
	return covers.includes('maybe') || isUnreadable(argv) ? 'maybe' : 'no';
}

/** The command itself, and every one that its words may name. */
function commandsIn(argv: readonly string[]): readonly (readonly string[])[] {
	const program = programName(argv[0] ?? '');
	const isIndirect = runsOtherPrograms(argv);
	if (!isIndirect && (TAKES_TEXTS.has(program) || isFilter(argv))) {
		return [argv];
	}
	const written = argv.slice(0, MAX_WORDS);
	if (!isIndirect) {
		return listSuffixes(written);
	}
	const separators = /[\s;&|()<>{}"'`$=,[\]]+/;
	const splitParts = (words: readonly string[]) =>
		words.flatMap((word) => word.split(separators)).filter((part) => part !== '');
	// Quotes and backslashes inside of a word change nothing for a shell: `gi""t`, `g\it`.
	const plain = written.map((word) => word.replaceAll(/["'\\]/g, ''));
	return [written, splitParts(written), splitParts(plain)].flatMap((words) => listSuffixes(words.slice(0, MAX_WORDS)));
}

function listSuffixes(words: readonly string[]): readonly (readonly string[])[] {
	return words.map((_word, start) => words.slice(start));
}

/** Code of which the words do not say what it runs. */
function isUnreadable(argv: readonly string[]): boolean {
	if (argv.length > MAX_WORDS) {
		return true;
	}
	return argv.some((word, index) => {
		const program = programName(word);
		const rest = argv.slice(index + 1);
		if (index > 0 && !runsOtherPrograms(argv)) return false;
		if (RUNS_SHELL_TEXT.has(program)) {
			return rest.some((argument) => /[$`*?[\\~]|\b(?:eval|alias|source|base64|xxd)\b/.test(argument));
		}
		const runsCode = runsOtherPrograms([program]) && rest.some((argument) => STRICT_CODE_FLAG.test(argument));
		const isAwk = /^[gmn]?awk$/.test(program) && rest.some((argument) => /system|getline|\|/.test(argument));
		return isAwk || (runsCode && INTERPRETERS.has(program));
	});
}

function wordsCover(rule: readonly RuleWord[], argv: readonly string[]): Cover {
	const [first, ...others] = rule;
	const [program = '', ...args] = argv;
	if (first === undefined) {
		return 'no';
	}
	const name = programName(program);
	const isNamed = first.isBareStar || first.text === program || programName(first.text) === name;
	// A program of the workspace can be a link to any other.
	const isAnyProgram = !isNamed && others.length > 0 && /[/\\]/.test(program) && !isAbsolute(program);
	if (!isNamed && !isAnyProgram) {
		return 'no';
	}
	const rest = restCover(name, others, args);
	return rest === 'yes' && isAnyProgram ? 'maybe' : rest;
}

function restCover(program: string, rule: readonly RuleWord[], args: readonly string[]): Cover {
	let at = 0;
	let isSure = true;
	for (const [index, word] of rule.entries()) {
		if (isFlagWord(word.text)) {
			if (!hasFlag(word.text, args)) return 'no';
			continue;
		}
		let found = -1;
		for (let position = at; position < args.length && found === -1; position++) {
			const same = word.isBareStar ? 'yes' : sameWord(program, index, word.text, args[position] ?? '');
			if (same !== 'no') {
				found = position;
				isSure &&= same === 'yes';
			} else if (!isPassedOver(args, position)) {
				return 'no';
			}
		}
		if (found === -1) return 'no';
		at = found + 1;
	}
	return isSure ? 'yes' : 'maybe';
}

/** A flag, or a word that may be the value of the flag before it. */
function isPassedOver(args: readonly string[], position: number): boolean {
	const before = args[position - 1];
	return isFlagWord(args[position] ?? '') || (before !== undefined && isFlagWord(before) && !before.includes('='));
}

function sameWord(program: string, index: number, wanted: string, given: string): Cover {
	if (wanted === given) {
		return 'yes';
	}
	if (index > 0) {
		return 'no';
	}
	const folded = given.toLowerCase().replaceAll('-', '');
	const isBeginning = ABBREVIATING.has(program) && folded.length > 1 && wanted.replaceAll('-', '').startsWith(folded);
	if (
		isBeginning ||
		(Object.hasOwn(SUBCOMMAND_ALIASES, wanted) && SUBCOMMAND_ALIASES[wanted]?.includes(given) === true)
	) {
		return 'yes';
	}
	const isAlias = program === 'git' && /^[a-z]/i.test(given) && !GIT_SUBCOMMANDS.has(given);
	return isAlias ? 'maybe' : 'no';
}

function hasFlag(wanted: string, args: readonly string[]): boolean {
	if (args.includes(wanted)) {
		return true;
	}
	const short = /^-(?<letters>[A-Za-z]{1,3})$/.exec(wanted)?.groups?.['letters'];
	if (short !== undefined) {
		return [...short].every((letter) =>
			args.some((arg) => isShort(letter, arg) || isLong(LONG_FLAGS[letter] ?? [], arg)),
		);
	}
	const name = wanted.replace(/^--/, '').replace(/=.*$/s, '');
	const letters = Object.keys(LONG_FLAGS).filter((letter) => LONG_FLAGS[letter]?.includes(name) === true);
	return args.some(
		(arg) =>
			isLong([name], arg) ||
			letters.some((letter) => isShort(letter, arg)) ||
			(name === 'force' && arg.startsWith('+')),
	);
}

function isShort(letter: string, arg: string): boolean {
	// Only `r` and `R` are compared without case: other letters that mean the same in most programs do not differ in
	// case.
	return /^-[A-Za-z]/.test(arg) && (letter === 'r' || letter === 'R' ? /r/i.test(arg) : arg.includes(letter));
}

/** Also abbreviated, and with more to its name: `--forc`, `--force-with-lease`. */
function isLong(names: readonly string[], arg: string): boolean {
	const given = /^--(?<name>[\w-]+)/.exec(arg)?.groups?.['name'];
	return (
		given !== undefined && given.length > 1 && names.some((name) => name.startsWith(given) || given.startsWith(name))
	);
}

function isFlagWord(word: string): boolean {
	return word.length > 1 && word.startsWith('-');
}

function listEquivalentRules(rule: readonly RuleWord[]): readonly (readonly RuleWord[])[] {
	const plain = rule.filter(({ text }) => !isFlagWord(text));
	return EQUIVALENTS.filter(([words]) =>
		words.every((word, index) => programName(plain[index]?.text ?? '') === word),
	).flatMap(([words, others]) => {
		const operands = plain.slice(words.length);
		return others.map((other) => [
			...other.map((text) => ({ text, isBareStar: false, isDoubleStar: false })),
			...operands,
		]);
	});
}
