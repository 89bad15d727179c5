/**
 * Commands that do nothing but read inside the workspace, parsed whole: each flag must be in the table, each operand must be
 * a plain path inside that holds no secret. For machines without a sandbox, where all others are asked. What reads a whole
 * folder of files (`grep -r`, `git show` of a commit) is not here, because a secret may lie among them.
 */
import { isSecretName } from '../../machine/paths/secret-names.ts';
import type { Target } from '../../contract/target.ts';

interface Reading {
	/** Words after the program that choose what it does: `git log`. */
	readonly words?: readonly string[];
	/** Flags of one letter without a value, which may be written together: `-la`. */
	readonly letters?: string;
	/** Whole flags, with the value where one is written with `=`. */
	readonly flags?: RegExp;
	/** Flags whose value is the next word, or the rest of this one. */
	readonly valued?: readonly string[];
	/** At least one of these must be there. */
	readonly oneOf?: RegExp;
	/** `words`: names and patterns, of which nothing is opened; `word`: one of those; `pattern`: one, then paths. */
	readonly operands: 'paths' | 'pattern' | 'word' | 'words' | 'none';
	/** Without an operand it would look through the folder, unless it reads a pipe. */
	readonly onlyFed?: true;
}

const SHOWN = /^--(?:color|colour)(?:=\w+)?$/;
const COMMIT_FLAGS =
	/^--(?:oneline|graph|decorate(?:=\w+)?|all|branches|tags|remotes|no-merges|merges|first-parent|reverse|follow|stat|shortstat|numstat|name-only|name-status|summary|no-patch|date=[\w:-]+|since=[\w .:-]+|until=[\w .:-]+|after=[\w .:-]+|before=[\w .:-]+|author=[\w .@-]+|grep=[\w .@-]+|max-count=\d+|skip=\d+|abbrev-commit|no-color|no-decorate)$|^-\d+$/;
const SUMMARY = /^--(?:stat|shortstat|numstat|name-only|name-status|summary|no-patch)$|^-s$/;

const READINGS: Readonly<Record<string, readonly Reading[]>> = {
	pwd: [{ letters: 'LP', operands: 'none' }],
	whoami: [{ operands: 'none' }],
	uname: [{ letters: 'asrmnpio', operands: 'none' }],
	which: [{ letters: 'a', operands: 'words' }],
	echo: [{ letters: 'n', operands: 'words' }],
	ls: [{ letters: 'laAhRrtSs1dFGgopcuUXCmnNqQxk', flags: SHOWN, operands: 'paths' }],
	cat: [{ letters: 'AbeEnsTtuv', flags: /^--(?:number|show-all)$/, operands: 'paths' }],
	head: [{ letters: 'qv', valued: ['-n', '-c'], flags: /^-\d+$|^--(?:lines|bytes)=\d+$/, operands: 'paths' }],
	tail: [{ letters: 'qv', valued: ['-n', '-c'], flags: /^-\d+$|^--(?:lines|bytes)=\+?\d+$/, operands: 'paths' }],
	wc: [{ letters: 'lwcmL', flags: /^--(?:lines|words|bytes|chars)$/, operands: 'paths' }],
	grep: [
		{
			letters: 'inHhlLcowvxEFGPsqb',
			valued: ['-A', '-B', '-C', '-m'],
			flags:
				/^--(?:ignore-case|line-number|count|files-with-matches|only-matching|word-regexp|line-regexp|invert-match|fixed-strings|extended-regexp|colou?r(?:=\w+)?)$/,
			operands: 'pattern',
		},
	],
	rg: [
		{
			letters: 'inclowvxFsS',
			valued: ['-A', '-B', '-C', '-m'],
			flags: /^--(?:ignore-case|line-number|count|only-matching|fixed-strings|colou?r(?:=\w+)?)$/,
			operands: 'word',
			onlyFed: true,
		},
	],
	find: [
		{
			valued: ['-name', '-iname', '-path', '-ipath', '-type', '-maxdepth', '-mindepth', '-size', '-mtime', '-mmin'],
			flags: /^-(?:not|o|or|a|and|prune|print|print0|empty)$|^[!()]$/,
			operands: 'paths',
		},
	],
	node: [{ flags: /^(?:-v|--version)$/, oneOf: /./, operands: 'none' }],
	npm: [{ flags: /^(?:-v|--version)$/, oneOf: /./, operands: 'none' }],
	python3: [{ flags: /^(?:-V|--version)$/, oneOf: /./, operands: 'none' }],
	git: [
		{ flags: /^--version$/, oneOf: /./, operands: 'none' },
		{
			words: ['status'],
			letters: 'sbuv',
			flags: /^--(?:short|branch|porcelain(?:=v\d)?|ignored|untracked-files=\w+|show-stash)$/,
			operands: 'paths',
		},
		{ words: ['log'], letters: 's', valued: ['-n'], flags: COMMIT_FLAGS, operands: 'paths' },
		{ words: ['show'], letters: 's', flags: COMMIT_FLAGS, oneOf: SUMMARY, operands: 'paths' },
		{
			words: ['diff'],
			flags: /^--(?:stat|shortstat|numstat|name-only|name-status|summary|staged|cached)$/,
			oneOf: SUMMARY,
			operands: 'paths',
		},
		{
			words: ['branch'],
			letters: 'arv',
			flags: /^--(?:all|remotes|list|show-current|verbose|no-color)$/,
			operands: 'none',
		},
		{
			words: ['blame'],
			letters: 'lstfnwe',
			valued: ['-L'],
			flags: /^--(?:date=[\w:-]+|show-name|show-number)$/,
			operands: 'paths',
		},
		{
			words: ['rev-parse'],
			flags: /^--(?:show-toplevel|abbrev-ref|short|show-prefix|is-inside-work-tree)$/,
			operands: 'words',
		},
	],
};

type Command = Extract<Target, { kind: 'command' }>;

export function isReadingCommand({ argv, cwd, strays, fedBy, isInPlainRepository }: Command): boolean {
	const [program = '', ...rest] = argv;
	const readings = Object.hasOwn(READINGS, program) ? (READINGS[program] ?? []) : [];
	if (strays !== undefined || (program === 'git' && rest[0] !== '--version' && isInPlainRepository !== true)) {
		return false;
	}
	return readings.some((reading) => fits(reading, rest, cwd, fedBy !== undefined));
}

function fits(reading: Reading, given: readonly string[], cwd: string, isFed: boolean): boolean {
	const { words = [], valued = [], flags, letters = '', oneOf, operands, onlyFed } = reading;
	if (words.some((word, index) => word !== given[index]) || (onlyFed === true && !isFed)) {
		return false;
	}
	const rest = given.slice(words.length);
	const left: string[] = [];
	for (let index = 0; index < rest.length; index++) {
		const argument = rest[index] ?? '';
		if (argument === '--') {
			// What follows are operands, whatever they look like: one that looks like a flag is not plain.
			left.push(...rest.slice(index + 1));
			break;
		}
		if (valued.includes(argument)) {
			index++;
			if (rest[index] === undefined || !isPlain(rest[index] ?? '')) return false;
		} else if (!isFlag(argument, valued, flags, letters)) {
			left.push(argument);
		}
	}
	return (oneOf === undefined || rest.some((argument) => oneOf.test(argument))) && areOperands(left, operands, cwd);
}

function isFlag(argument: string, valued: readonly string[], flags: RegExp | undefined, letters: string): boolean {
	const isBundle =
		/^-[A-Za-z0-9]+$/.test(argument) && [...argument.slice(1)].every((letter) => letters.includes(letter));
	return (
		isBundle || flags?.test(argument) === true || valued.some((flag) => flag.length === 2 && isNumbered(flag, argument))
	);
}

/** `-n20` is `-n 20`. */
function isNumbered(flag: string, argument: string): boolean {
	return argument.startsWith(flag) && /^\d+$/.test(argument.slice(flag.length));
}

function areOperands(given: readonly string[], kind: Reading['operands'], cwd: string): boolean {
	const [first, ...others] = given;
	switch (kind) {
		case 'none':
			return given.length === 0;
		case 'word':
			return given.length === 1 && given.every(isPlain);
		case 'words':
			return given.every(isPlain);
		case 'pattern':
			return first !== undefined && isInside(first, cwd) && others.every((path) => isInside(path, cwd));
		case 'paths':
			return given.every((path) => isInside(path, cwd));
	}
}

function isPlain(argument: string): boolean {
	return argument !== '' && !/^-|[\p{C}\p{Zl}\p{Zp}]/u.test(argument);
}

/** `HEAD:.env` names a file, too. */
function isInside(argument: string, cwd: string): boolean {
	const segments = (path: string) => path.split(/[/\\]/).filter((name) => name !== '' && name !== '.');
	const base = segments(cwd);
	return (
		isPlain(argument) &&
		!/^[+@!~/\\]|^[A-Za-z]:[/\\]/.test(argument) &&
		[argument, ...argument.split(/[:=,]/)].every((path) => {
			const names = segments(path);
			return !names.includes('..') && !isSecretName([...base, ...names]);
		})
	);
}
