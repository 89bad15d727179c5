/** Commands of Git that only read. */
import {
	joinPatterns,
	GREP,
	NEAR,
	PATHS,
	PATTERN,
	type CommandReading,
	type ReadingValue,
	WORD_OPERANDS,
} from './reading.ts';

/** Flags that show commits without the text of files. */
const COMMITS =
	/^--(?:oneline|graph|decorate(?:=\w+)?|all|branches|tags|remotes|no-merges|merges|first-parent|reverse|follow|stat|shortstat|numstat|dirstat|name-only|name-status|summary|no-patch|date=[\w:-]+|since=[\w .:-]+|until=[\w .:-]+|after=[\w .:-]+|before=[\w .:-]+|author=[\w .@-]+|committer=[\w .@-]+|grep=[\w .@-]+|max-count=\d+|skip=\d+|abbrev-commit|abbrev=\d+|relative-date|topo-order|date-order|pretty=(?:oneline|short|medium|full|fuller)|(?:pretty=|pretty=format:|format=)(?:%(?!G)|[\w :,.()|*#@<>/-])+|no-color|no-decorate|color(?:=\w+)?)$|^-\d+$/;
const SUMMARY = /^--(?:stat|shortstat|numstat|dirstat|name-only|name-status|summary|no-patch)$|^-s$/;
const CHANGES =
	/^--(?:stat|shortstat|numstat|dirstat|name-only|name-status|summary|staged|cached|merge-base|quiet|exit-code|no-color|color(?:=\w+)?|diff-filter=[A-Za-z]+)$/;
/**
 * Flags that choose how the text of a change is shown. Flags that run a program, write a file or show a file as bytes
 * are left out.
 */
const PATCH =
	/^--(?:patch|unified=\d+|word-diff(?:=\w+)?|color-words|minimal|patience|histogram|ignore-all-space|ignore-space-change|ignore-blank-lines|ignore-space-at-eol|function-context|find-renames(?:=\d+%?)?|no-renames|no-prefix|relative|no-ext-diff|no-textconv|inter-hunk-context=\d+)$|^-U\d+$|^-M\d*%?$/;

const REVISIONS: readonly ReadingValue[] = ['revision'];

export const GIT_READINGS: readonly CommandReading[] = [
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
		flags: joinPatterns(COMMITS, PATCH),
		operands: PATHS,
		only: 'sandbox',
	},
	{ words: ['show'], letters: 'spwb', flags: joinPatterns(COMMITS, PATCH), operands: REVISIONS, only: 'sandbox' },
	{ words: ['diff'], letters: 'pwb', flags: joinPatterns(CHANGES, PATCH), operands: REVISIONS, only: 'sandbox' },
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
		operands: WORD_OPERANDS,
	},
	{ words: ['rev-list'], valued: { '-n': 'number' }, flags: /^--(?:count|all|max-count=\d+)$/, operands: PATHS },
	{ words: ['merge-base'], flags: /^--(?:all|is-ancestor)$/, operands: WORD_OPERANDS },
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
		operands: WORD_OPERANDS,
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
		flags: joinPatterns(GREP, /^--(?:cached|untracked|name-only|heading|break|show-function)$/),
		operands: PATTERN,
		only: 'sandbox',
	},
];
