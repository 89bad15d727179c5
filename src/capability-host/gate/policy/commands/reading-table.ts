/**
 * The table of commands that only read: programs, with the flags and operands under which they write nothing and start no
 * other program. What is not in it is asked for.
 */

/**
 * What a flag or an operand may be. `number` may be signed; `path` lies in the workspace and holds no secret by its name, and
 * `revision` is such a path or the name of a commit.
 */
type Value = 'number' | 'word' | 'path' | 'revision' | RegExp;

export interface Reading {
	/** Words after the program that choose what it does: `git log`. */
	readonly words?: readonly string[];
	/** Flags of one letter without a value, which may be written together: `-la`. */
	readonly letters?: string;
	/** Whole flags, with the value where one is written with `=`. */
	readonly flags?: RegExp;
	/** Flags whose value is the next word, follows `=`, or is the rest of a flag of one letter. */
	readonly valued?: Readonly<Record<string, Value>>;
	/** At least one of these flags must be there. */
	readonly oneOf?: RegExp;
	/** What the operands may be; the last one stands for all that follow. None: there is no operand. */
	readonly operands: readonly Value[];
	/** How many there must be at least and may be at most. */
	readonly count?: readonly [least: number, most: number];
	/**
	 * `fed`: it reads a pipe, and would look through the folder without one. `sandbox`: it may show what the words do not
	 * name, so it needs a sandbox. `hidden`: it reads whatever lies in a folder, so the sandbox must hide every secret file.
	 */
	readonly only?: 'fed' | 'sandbox' | 'hidden';
}

const COLOR = /^--(?:no-)?colou?r(?:=\w+)?$/;
const VERSION: Reading = { flags: /^(?:-v|-V|--version)$/, oneOf: /./, operands: [] };
const ABOUT: readonly Reading[] = [{ flags: /^--version$/, oneOf: /./, operands: [] }];
const NOTHING: Reading = { operands: [] };
const PATHS: readonly Value[] = ['path'];
const WORDS: readonly Value[] = ['word'];
const PATTERN: readonly Value[] = ['word', 'path'];
const LINES = { '-n': 'number', '-c': 'number', '--lines': 'number', '--bytes': 'number' } as const;
const NEAR = { '-A': 'number', '-B': 'number', '-C': 'number', '-m': 'number' } as const;
/** `-print`, `-name` and their kin; none of those that write, delete or run. */
const FOUND = /^-(?:not|o|or|a|and|prune|print|print0|empty|readable|writable|executable|true|false)$|^[!()]$/;

const GREP =
	/^--(?:ignore-case|line-number|count|files-with-matches|files-without-match|only-matching|word-regexp|line-regexp|invert-match|fixed-strings|extended-regexp|basic-regexp|perl-regexp|no-filename|with-filename|no-messages|quiet|colou?r(?:=\w+)?)$/;
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

/** Of commits, without the text of files. */
const COMMITS =
	/^--(?:oneline|graph|decorate(?:=\w+)?|all|branches|tags|remotes|no-merges|merges|first-parent|reverse|follow|stat|shortstat|numstat|dirstat|name-only|name-status|summary|no-patch|date=[\w:-]+|since=[\w .:-]+|until=[\w .:-]+|after=[\w .:-]+|before=[\w .:-]+|author=[\w .@-]+|committer=[\w .@-]+|grep=[\w .@-]+|max-count=\d+|skip=\d+|abbrev-commit|abbrev=\d+|relative-date|topo-order|date-order|pretty=(?:oneline|short|medium|full|fuller)|(?:pretty=|pretty=format:|format=)(?:%(?!G)|[\w :,.()|*#@<>/-])+|no-color|no-decorate|color(?:=\w+)?)$|^-\d+$/;
const SUMMARY = /^--(?:stat|shortstat|numstat|dirstat|name-only|name-status|summary|no-patch)$|^-s$/;
const CHANGES =
	/^--(?:stat|shortstat|numstat|dirstat|name-only|name-status|summary|staged|cached|merge-base|quiet|exit-code|no-color|color(?:=\w+)?|diff-filter=[A-Za-z]+)$/;
/** How the text of a change is shown. Not among them: what runs a program, writes a file or shows a file as bytes. */
const PATCH =
	/^--(?:patch|unified=\d+|word-diff(?:=\w+)?|color-words|minimal|patience|histogram|ignore-all-space|ignore-space-change|ignore-blank-lines|ignore-space-at-eol|function-context|find-renames(?:=\d+%?)?|no-renames|no-prefix|relative|no-ext-diff|no-textconv|inter-hunk-context=\d+)$|^-U\d+$|^-M\d*%?$/;

function either(...patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'));
}

const REVISIONS: readonly Value[] = ['revision'];

const GIT: readonly Reading[] = [
	{ flags: /^--version$/, oneOf: /./, operands: [] },
	{
		words: ['status'],
		letters: 'sbuvz',
		flags:
			/^--(?:short|branch|long|porcelain(?:=v\d)?|ignored|untracked-files(?:=\w+)?|show-stash|ahead-behind|no-renames)$|^-u(?:no|normal|all)$/,
		operands: PATHS,
	},
	{ words: ['log'], letters: 's', valued: { '-n': 'number' }, flags: COMMITS, operands: PATHS },
	{ words: ['show'], letters: 's', flags: COMMITS, oneOf: SUMMARY, operands: REVISIONS },
	{ words: ['diff'], flags: CHANGES, oneOf: SUMMARY, operands: REVISIONS },
	{
		words: ['log'],
		letters: 'spwb',
		valued: { '-n': 'number', '-S': 'word', '-G': 'word' },
		flags: either(COMMITS, PATCH),
		operands: PATHS,
		only: 'sandbox',
	},
	{ words: ['show'], letters: 'spwb', flags: either(COMMITS, PATCH), operands: REVISIONS, only: 'sandbox' },
	{ words: ['diff'], letters: 'pwb', flags: either(CHANGES, PATCH), operands: REVISIONS, only: 'sandbox' },
	{ words: ['stash', 'list'], operands: [] },
	{ words: ['stash', 'show'], letters: 'p', flags: CHANGES, operands: [/^stash@\{\d+\}$|^\d+$/], only: 'sandbox' },
	{
		words: ['branch'],
		letters: 'arv',
		flags: /^--(?:all|remotes|list|show-current|verbose|no-color|color(?:=\w+)?|sort=-?\w+)$/,
		operands: [],
	},
	{ words: ['tag'], letters: 'ln', flags: /^--(?:list|sort=-?[\w:]+)$/, operands: [] },
	{ words: ['remote'], operands: [] },
	// In the sandbox the settings of the repository hold no credentials.
	{ words: ['remote'], letters: 'v', flags: /^--verbose$/, operands: [], only: 'sandbox' },
	{
		words: ['blame'],
		letters: 'lstfnwe',
		valued: { '-L': /^[\d,+-]+$/ },
		flags: /^--(?:date=[\w:-]+|show-name|show-number)$/,
		operands: PATHS,
	},
	{
		words: ['rev-parse'],
		flags: /^--(?:show-toplevel|abbrev-ref|short(?:=\d+)?|verify|show-prefix|is-inside-work-tree|git-dir)$/,
		operands: WORDS,
	},
	{ words: ['rev-list'], valued: { '-n': 'number' }, flags: /^--(?:count|all|max-count=\d+)$/, operands: PATHS },
	{ words: ['merge-base'], flags: /^--(?:all|is-ancestor)$/, operands: WORDS },
	{
		words: ['ls-files'],
		letters: 'cdmot',
		flags: /^--(?:cached|deleted|modified|others|exclude-standard|full-name)$/,
		operands: PATHS,
	},
	{ words: ['ls-tree'], letters: 'rtd', flags: /^--(?:name-only|name-status|full-name)$/, operands: PATHS },
	{
		words: ['describe'],
		flags: /^--(?:tags|all|always|dirty|long|abbrev=\d+|exact-match)$/,
		operands: WORDS,
	},
	{ words: ['shortlog'], letters: 'sne', flags: /^--(?:summary|numbered|email|all|no-merges)$/, operands: PATHS },
	{ words: ['reflog'], valued: { '-n': 'number' }, flags: /^-\d+$/, operands: [/^HEAD$/], count: [0, 1] },
	{ words: ['reflog', 'show'], valued: { '-n': 'number' }, flags: /^-\d+$/, operands: ['word'], count: [0, 1] },
	{ words: ['check-ignore'], letters: 'v', operands: PATHS, count: [1, 100] },
	{ words: ['show-ref'], letters: 's', flags: /^--(?:heads|tags|head)$/, operands: [] },
	{ words: ['count-objects'], letters: 'vH', operands: [] },
	{ words: ['worktree', 'list'], flags: /^--porcelain$/, operands: [] },
	{
		words: ['grep'],
		letters: 'inwvlLcoEFGPhHq',
		valued: NEAR,
		flags: either(GREP, /^--(?:cached|untracked|name-only|heading|break|show-function)$/),
		operands: PATTERN,
		only: 'sandbox',
	},
];

/** Versions and lists of installed packages: of those that the project does not choose the program of. */
const TOOLS: Readonly<Record<string, readonly Reading[]>> = {
	// Reads the file and runs nothing of it.
	node: [
		VERSION,
		{ flags: /^-c$|^--check$/, oneOf: /^-c$|^--check$/, operands: PATHS, count: [1, 1], only: 'sandbox' },
	],
	...Object.fromEntries(
		'gcc g++ clang make cmake curl tar bash docker java javac'.split(' ').map((name) => [name, ABOUT]),
	),
	npm: [
		VERSION,
		...['ls', 'list'].map((word): Reading => ({
			words: [word],
			letters: 'g',
			valued: { '--depth': 'number' },
			flags: /^--(?:all|global|json|long|parseable|prod|omit=\w+)$/,
			operands: [/^@?[\w./-]+$/],
			only: 'sandbox',
		})),
	],
	python: [VERSION],
	python3: [VERSION],
	ruby: [VERSION],
	php: [VERSION],
	perl: [VERSION],
	pip: [VERSION, ...pipLists()],
	pip3: [VERSION, ...pipLists()],
	ruff: [
		{
			words: ['check'],
			letters: 'q',
			flags: /^--(?:quiet|no-fix|no-cache|statistics|output-format=\w+)$/,
			operands: PATHS,
			only: 'hidden',
		},
		{
			words: ['format'],
			flags: /^--(?:check|diff|quiet)$/,
			oneOf: /^--(?:check|diff)$/,
			operands: PATHS,
			only: 'hidden',
		},
	],
};

function pipLists(): readonly Reading[] {
	return [
		{ words: ['list'], flags: /^--(?:format=\w+|user|local|not-required)$/, operands: [], only: 'sandbox' },
		{ words: ['freeze'], flags: /^--(?:user|local|all)$/, operands: [], only: 'sandbox' },
		{ words: ['show'], operands: [/^[\w.-]+$/], count: [1, 20], only: 'sandbox' },
	];
}

const SUM: readonly Reading[] = [{ letters: 'bt', operands: PATHS }];

export const READINGS: Readonly<Record<string, readonly Reading[]>> = {
	...TOOLS,
	git: GIT,
	pwd: [{ letters: 'LP', operands: [] }],
	whoami: [NOTHING],
	hostname: [NOTHING],
	uname: [{ letters: 'asrmnpio', operands: [] }],
	date: [
		{ letters: 'uR', flags: /^--(?:utc|iso-8601(?:=\w+)?)$|^-I\w*$/, operands: [/^\+[\w %:./-]+$/], count: [0, 1] },
	],
	id: [{ letters: 'ugnG', operands: [] }],
	env: [NOTHING],
	printenv: [{ operands: WORDS }],
	which: [{ letters: 'a', operands: WORDS }],
	echo: [{ letters: 'n', operands: WORDS }],
	seq: [{ operands: [/^\d{1,6}$/], count: [1, 3] }],
	true: [NOTHING],
	false: [NOTHING],
	nproc: [NOTHING],
	arch: [NOTHING],
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
	basename: [{ operands: WORDS }],
	dirname: [{ operands: WORDS }],
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
	tr: [{ letters: 'cdst', flags: /^--(?:delete|squeeze-repeats|complement)$/, operands: WORDS, count: [1, 2] }],
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
			flags: either(GREP, /^--recursive$/),
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
