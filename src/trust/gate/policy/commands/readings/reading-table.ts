/**
 * Table of commands that only read: programs, with the flags and operands under which they write nothing and start no
 * other program. A command outside the table is asked about.
 */
import { GIT_READINGS } from './git-readings.ts';
import { joinPatterns, GREP, NEAR, PATHS, PATTERN, type CommandReading, WORD_OPERANDS } from './reading.ts';
import { TOOL_READINGS } from './tool-readings.ts';

const COLOR = /^--(?:no-)?colou?r(?:=\w+)?$/;
const NO_OPERANDS: CommandReading = { operands: [] };
const LINES = { '-n': 'number', '-c': 'number', '--lines': 'number', '--bytes': 'number' } as const;
/** `-print`, `-name` and their kin; none of those that write, delete or run. */
const FOUND = /^-(?:not|o|or|a|and|prune|print|print0|empty|readable|writable|executable|true|false)$|^[!()]$/;

// Neither `-R` nor `rg -L`: links lead out of the workspace.
const GREP_FOLDERS = { ...NEAR, '--include': 'path', '--exclude': 'path', '--exclude-dir': 'path' } as const;
const RG =
	/^--(?:ignore-case|smart-case|case-sensitive|line-number|no-line-number|count|count-matches|files-with-matches|files-without-match|only-matching|word-regexp|line-regexp|invert-match|fixed-strings|pcre2|no-heading|heading|no-messages|multiline|json|stats|trim|vimgrep|column|null|sort=\w+|type=\w+|type-not=\w+|colou?r(?:=\w+)?)$/;
const RG_VALUES = {
	...NEAR,
	'-g': 'word',
	'--glob': 'word',
	'--iglob': 'word',
	'-t': 'word',
	'-T': 'word',
	'-d': 'number',
	'--max-depth': 'number',
	'--max-count': 'number',
	'--context': 'number',
} as const;

const SUM: readonly CommandReading[] = [{ letters: 'bt', operands: PATHS }];

export const READINGS: Readonly<Record<string, readonly CommandReading[]>> = {
	...TOOL_READINGS,
	git: GIT_READINGS,
	pwd: [{ letters: 'LP', operands: [] }],
	whoami: [NO_OPERANDS],
	hostname: [NO_OPERANDS],
	uname: [{ letters: 'asrmnpio', operands: [] }],
	date: [
		{ letters: 'uR', flags: /^--(?:utc|iso-8601(?:=\w+)?)$|^-I\w*$/, operands: [/^\+[\w %:./-]+$/], count: [0, 1] },
	],
	id: [{ letters: 'ugnG', operands: [] }],
	env: [NO_OPERANDS],
	printenv: [{ operands: WORD_OPERANDS }],
	which: [{ letters: 'a', operands: WORD_OPERANDS }],
	echo: [{ letters: 'n', operands: WORD_OPERANDS }],
	seq: [{ operands: [/^\d{1,6}$/], count: [1, 3] }],
	true: [NO_OPERANDS],
	false: [NO_OPERANDS],
	nproc: [NO_OPERANDS],
	arch: [NO_OPERANDS],
	uptime: [{ letters: 'ps', operands: [] }],
	free: [{ letters: 'bkmght', operands: [] }],
	test: [
		{
			valued: { '-e': 'path', '-f': 'path', '-d': 'path', '-s': 'path', '-r': 'path', '-w': 'path', '-x': 'path' },
			oneOf: /^-[efdsrwx]$/,
			operands: [],
		},
	],
	sleep: [{ operands: [/^\d{1,2}(?:\.\d+)?$/], count: [1, 1] }],
	basename: [{ operands: WORD_OPERANDS }],
	dirname: [{ operands: WORD_OPERANDS }],
	realpath: [{ operands: PATHS }],
	readlink: [{ letters: 'f', operands: PATHS }],
	ls: [
		{
			letters: 'laAhRrtSs1dFGgopcuUXCmnNqQxki',
			flags:
				/^--(?:colou?r(?:=\w+)?|all|almost-all|human-readable|recursive|reverse|sort=\w+|time=\w+|group-directories-first)$/,
			operands: PATHS,
		},
	],
	tree: [{ letters: 'adfhpsDiF', valued: { '-L': 'number', '-I': 'word', '-P': 'word' }, operands: PATHS }],
	du: [
		{
			letters: 'shackmbx',
			valued: { '-d': 'number', '--max-depth': 'number' },
			flags: /^--(?:summarize|human-readable|all|total)$/,
			operands: PATHS,
		},
	],
	df: [{ letters: 'hiTkm', operands: PATHS }],
	stat: [{ letters: 'L', valued: { '-c': 'word', '--format': 'word' }, operands: PATHS }],
	file: [{ letters: 'biL', flags: /^--(?:brief|mime(?:-type|-encoding)?)$/, operands: PATHS }],
	cat: [{ letters: 'AbeEnsTtuv', flags: /^--(?:number|show-all|number-nonblank|squeeze-blank)$/, operands: PATHS }],
	nl: [{ letters: 'p', valued: { '-b': 'word', '-w': 'number' }, operands: PATHS }],
	tac: [{ operands: PATHS }],
	head: [{ letters: 'qv', valued: LINES, flags: /^-\d+$/, operands: PATHS }],
	tail: [{ letters: 'qv', valued: LINES, flags: /^-\d+$/, operands: PATHS }],
	wc: [{ letters: 'lwcmL', flags: /^--(?:lines|words|bytes|chars)$/, operands: PATHS }],
	sort: [
		{
			letters: 'bdfghiMnRrVu',
			valued: { '-k': /^[\d.,bdfghiMnRrV]+$/, '-t': 'word', '--key': /^[\d.,bdfghiMnRrV]+$/ },
			flags: /^--(?:numeric-sort|reverse|unique|ignore-case|human-numeric-sort|version-sort)$/,
			operands: PATHS,
		},
	],
	// A second operand would be written.
	uniq: [
		{ letters: 'cdDui', valued: { '-f': 'number', '-s': 'number', '-w': 'number' }, operands: PATHS, count: [0, 1] },
	],
	cut: [
		{
			letters: 's',
			valued: { '-d': 'word', '-f': /^[\d,-]+$/, '-c': /^[\d,-]+$/, '-b': /^[\d,-]+$/ },
			flags: /^--(?:delimiter=.|fields=[\d,-]+|characters=[\d,-]+|complement)$/,
			operands: PATHS,
		},
	],
	tr: [{ letters: 'cdst', flags: /^--(?:delete|squeeze-repeats|complement)$/, operands: WORD_OPERANDS, count: [1, 2] }],
	paste: [{ letters: 's', valued: { '-d': 'word' }, operands: PATHS }],
	column: [{ letters: 't', valued: { '-s': 'word' }, operands: PATHS }],
	fold: [{ letters: 's', valued: { '-w': 'number' }, operands: PATHS }],
	rev: [{ operands: PATHS }],
	unzip: [{ letters: 'l', oneOf: /^-l$/, operands: PATHS, count: [1, 1] }],
	cmp: [{ letters: 'ls', operands: PATHS, count: [2, 2] }],
	comm: [{ letters: '123', operands: PATHS, count: [2, 2] }],
	diff: [
		{
			letters: 'uNqBbwiycsa',
			valued: { '-U': 'number' },
			flags:
				/^--(?:unified(?:=\d+)?|brief|side-by-side|ignore-all-space|ignore-space-change|ignore-blank-lines|no-dereference|colou?r(?:=\w+)?)$/,
			operands: PATHS,
			count: [2, 2],
			only: 'hidden',
		},
	],
	jq: [
		{
			letters: 'rcMSsejan',
			flags: /^--(?:raw-output|compact-output|monochrome-output|sort-keys|slurp|tab|exit-status)$/,
			operands: [
				/^(?!.*\b(?:import|include|input\w*|env|debug|get_search_list|modulemeta)\b)[\w .[\]|(),"'@?*+=<>!:;{}/-]+$/,
				'path',
			],
			count: [1, 20],
		},
	],
	md5sum: SUM,
	sha1sum: SUM,
	sha256sum: SUM,
	sha512sum: SUM,
	cksum: [{ operands: PATHS }],
	sed: [{ letters: 'nE', oneOf: /^-n$/, operands: [/^(?:\d+|\$)(?:,(?:\d+|\$))?p$/, 'path'], count: [1, 20] }],
	awk: [
		{
			valued: { '-F': 'word' },
			operands: [/^\{ ?print(?: \$(?:\d+|NF)(?:, ?\$(?:\d+|NF))*)? ?\}$/, 'path'],
			count: [1, 20],
		},
	],
	xargs: [{ valued: { '-n': 'number' }, operands: [/^echo$/], count: [1, 1] }],
	grep: [
		{ letters: 'inHhlLcowvxEFGPsqb', valued: NEAR, flags: GREP, operands: PATTERN, count: [2, 100] },
		{ letters: 'inHhlLcowvxEFGPsqb', valued: NEAR, flags: GREP, operands: PATHS, count: [1, 1], only: 'fed' },
		{
			letters: 'inHhlLcowvxEFGPsqbrI',
			valued: GREP_FOLDERS,
			flags: joinPatterns(GREP, /^--recursive$/),
			operands: PATTERN,
			count: [2, 100],
			only: 'hidden',
		},
	],
	rg: [
		{
			letters: 'inclowvxFsS',
			valued: NEAR,
			flags: /^--(?:ignore-case|line-number|count|only-matching|fixed-strings|colou?r(?:=\w+)?)$/,
			operands: PATHS,
			count: [1, 1],
			only: 'fed',
		},
		// Names of files alone.
		{
			valued: { '-g': 'word', '--glob': 'word', '-t': 'word', '-T': 'word' },
			flags: /^--(?:files|hidden|sort=\w+)$/,
			oneOf: /^--files$/,
			operands: PATHS,
		},
		{ letters: 'inclowvxFsSPNHIU0', valued: RG_VALUES, flags: RG, operands: PATTERN, only: 'hidden' },
	],
	find: [
		{
			valued: {
				'-name': 'word',
				'-iname': 'word',
				'-path': 'word',
				'-ipath': 'word',
				'-wholename': 'word',
				'-regex': 'word',
				'-iregex': 'word',
				'-type': /^[a-z](?:,[a-z])*$/,
				'-maxdepth': 'number',
				'-mindepth': 'number',
				'-size': 'number',
				'-mtime': 'number',
				'-mmin': 'number',
				'-newer': 'path',
			},
			flags: FOUND,
			operands: PATHS,
		},
	],
	fd: [
		{
			letters: 'HIuasigFp0',
			valued: { '-e': 'word', '-t': /^[a-z]$/, '-d': 'number', '-E': 'word', '--extension': 'word', '--type': /^\w+$/ },
			flags: COLOR,
			operands: PATTERN,
		},
	],
	ps: [{ letters: 'efAaxulj', operands: [/^(?:a?u?x|aux|axu|ef)$/], only: 'sandbox' }],
	lsof: [{ letters: 'nPt', valued: { '-i': /^:?\d+$/ }, oneOf: /^-i/, operands: [], only: 'sandbox' }],
};
