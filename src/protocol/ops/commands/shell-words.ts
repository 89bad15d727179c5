/**
 * Finds words that only a shell acts on, in a list that no shell reads: `["rm", "-f", "*.tmp"]` would succeed and
 * remove nothing. The list is then read as the line that it stands for. A word that the program itself takes for a
 * pattern, a piece of code or a separator stays a word, and so does a text with a space in it, which somebody had in
 * quotes.
 */
import { chainLimits, type CommandChain } from './command-chain.ts';
import { isForShell } from './read-shell-line.ts';
import { countWrapperWords } from './wrapped-commands.ts';

type ShellArgv = readonly string[];

/** Undefined: every word is one as it stands, and a shell is not needed for their number. */
export function lineOfWords({ argv, chain = [] }: CommandChain): string | undefined {
	const commands = [argv, ...chain.map((next) => next.argv)];
	if (chain.length <= chainLimits.chained && !commands.some(hasShellWord)) {
		return undefined;
	}
	return commands
		.map((words, index) => `${index === 0 ? '' : ` ${chain[index - 1]?.join} `}${formatShellLine(words)}`)
		.join('');
}

function hasShellWord(argv: ShellArgv): boolean {
	return argv.some((_, index) => classifyShellWord(argv, index) !== 'plain');
}

/** Returns the line as it is typed in a shell: words that the shell acts on stay bare, all others are in quotes. */
function formatShellLine(argv: ShellArgv): string {
	return argv
		.map((word, index) => {
			const reading = classifyShellWord(argv, index);
			return reading === 'bare' || PLAIN_SHELL_WORD.test(word)
				? word
				: reading === 'expanded'
					? `"${word.replaceAll(/["\\`]/g, String.raw`\$&`)}"`
					: `'${word.replaceAll("'", String.raw`'\''`)}'`;
		})
		.join(' ');
}

const PLAIN_SHELL_WORD = /^[\w@%+=:,./-]+$/;

/**
 * `bare`: a shell acts on it; `expanded`: on the variables in it, and it is one word none the less; `quoted`: only the builtin of a
 * shell knows it.
 */
type ShellWordReading = 'plain' | 'bare' | 'expanded' | 'quoted';

function classifyShellWord(argv: ShellArgv, index: number): ShellWordReading {
	const word = argv[index] ?? '';
	const [program, at] = commandAround(argv, index);
	if (!/\s/.test(word) && isPartOfScript(argv.slice(0, index + 1))) {
		return 'bare';
	}
	if (isOperator(word)) {
		if (ORDERING.has(program) && index > at && /^[<>]$/.test(word)) {
			return 'quoted';
		}
		return takesAnything(program, argv, at, index) ? 'plain' : 'bare';
	}
	if (/\s/.test(word)) {
		return EXPANDING.has(program) && /\$\{?[A-Z_]{2,}/.test(word) ? 'expanded' : 'plain';
	}
	if (program === '[[' || (index === at && isForShell(word))) {
		return 'bare';
	}
	if (index === at) {
		return ASSIGNMENT_WORD.test(word) || VARIABLE.test(word) || HOME.test(word) ? 'bare' : 'plain';
	}
	if (takesAnything(program, argv, at, index)) {
		return 'plain';
	}
	if (ASSIGNMENT_WORD.test(word) && argv.slice(at, index).every((each) => ASSIGNMENT_WORD.test(each))) {
		return 'bare';
	}
	if (VARIABLE.test(word) || HOME.test(word)) {
		return 'bare';
	}
	return isWildcard(word) && !takesPatterns(program, argv, index) ? 'bare' : 'plain';
}

/** Behind the beginning of a group, a loop, a condition or the like each word is the shell's, as far as nobody had it in quotes. */
function isPartOfScript([first = '', ...more]: ShellArgv): boolean {
	const isGroup = first.startsWith('(') || /^(?:case|for|if|until|while|[{])$/.test(first);
	return isGroup || more.some((word) => /^[<>]\(|\$\([^)]*$/.test(word));
}

/** The program that a word is for, and where it stands: behind the last `|`, `&&`, `;` of the list, without what runs it. */
function commandAround(argv: ShellArgv, index: number): readonly [program: string, at: number] {
	let at = 0;
	for (let place = 0; place < index; place++) {
		if (SEPARATORS.has(argv[place] ?? '') && !takesAnything(parseProgramName(argv[at]), argv, at, place)) {
			at = place + 1;
		}
	}
	while (at < index && RUNNER_PROGRAMS.has(parseProgramName(argv[at]))) {
		const before = countWrapperWords(parseProgramName(argv[at]), argv.slice(at + 1, index)) ?? 0;
		at = Math.min(index, at + 1 + before);
	}
	return [parseProgramName(argv[at]), at];
}

function parseProgramName(word = ''): string {
	return word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}

const SEPARATORS = new Set(['|', '||', '&&', ';', '&', '|&']);
/** A redirection with or without its file; `<div>` is none. */
const REDIRECTION_WORD = /^(?:\d*|&)(?:>>?\|?|<<?<?-?)(?:&[\d-]|[\w./~$"'*-][^<>]*)?$/;

function isOperator(word: string): boolean {
	return SEPARATORS.has(word) || REDIRECTION_WORD.test(word) || word === '#';
}

const ASSIGNMENT_WORD = /^[A-Za-z_]\w*=/;
const VARIABLE = /\$(?:[A-Za-z_?!@*#$]|\{\w|\()|^\$'[^']*'|`[^`]+`/;
const HOME = /^~(?:[\w-]*)(?:\/|$)/;

function isWildcard(word: string): boolean {
	return (
		!word.includes('://') &&
		!word.startsWith('-') &&
		(/[*?]|\[[^\]]+\]/.test(word) || /\{[^{}"]*(?:,|\.\.)[^{}"]*\}/.test(word))
	);
}

/** They run the program that follows them; the words behind any other wrapper are read as its own. */
const RUNNER_PROGRAMS = new Set('env,nice,nohup,sudo,time,timeout,xargs,stdbuf,setsid,command'.split(','));
/** Their texts with a variable of the environment in them mean its value. */
const EXPANDING = new Set(['curl', 'echo', 'printf', 'wget']);
/** Their first word that is no flag is a pattern or a piece of code. */
const PATTERN_FIRST = new Set('grep,egrep,fgrep,zgrep,rg,ag,ack,sed,gsed,awk,gawk,mawk,jq,yq,perl,fd'.split(','));
/** `<`, `>` and `*` are theirs, and `|` is of one; what stands between commands is not. */
const COMPARING = new Set('[,test,expr'.split(','));
/** Commands that compare texts by order when a shell runs them as builtins, but not as programs of their own. */
const ORDERING = new Set('[,test'.split(','));
/** Commands of a shell come behind `-c`, code behind `-e` and its like. */
const INTERPRETER_PROGRAMS = new Set(
	(
		'sh,bash,dash,zsh,ksh,fish,ash,pwsh,powershell,cmd,su,ssh,node,nodejs,deno,bun,tsx,ts-node,python,python2,python3,perl,ruby,php,' +
		'lua,Rscript,psql,mysql,sqlite3,mongosh,redis-cli,osascript,watch,script'
	).split(','),
);
const INTERPRETER_CODE_FLAG = /^(?:-[a-z]*[cepr]|--(?:eval|print|command|execute|expression|regexp|script))$/i;
/** Matches a flag whose next word is a separator, a message or a pattern, whatever the program. */
const TEXT_FLAG = /^(?:-[dtFsm]|-[a-z]*m|--(?:delimiter|field-separator|message|title|body|output-delimiter))$/;
/** They know wildcards themselves. */
const OWN_WILDCARDS = new Set(
	(
		'git,npx,npm,pnpm,yarn,bunx,curl,jq,yq,unzip,rimraf,eslint,prettier,mocha,jest,vitest,tsc,stylelint,markdownlint,cspell,' +
		'nodemon,gh,apt,apt-cache,apt-get,dpkg,dpkg-query,redis-cli,locate,cargo,go,dotnet'
	).split(','),
);
const WILDCARD_FLAG = new RegExp(
	'^(?:-g|--i?glob|--(?:in|ex)clude(?:-dir)?|--ignore(?:-pattern)?|--filter|--grep|--match|-[kIPt]|--testNamePattern|--testPathPattern' +
		'|-(?:i?name|i?path|i?wholename|i?regex|i?lname))$',
);

function takesAnything(program: string, argv: ShellArgv, at: number, index: number): boolean {
	const word = argv[index] ?? '';
	const before = index - 1 > at ? (argv[index - 1] ?? '') : '';
	const isFirst = PATTERN_FIRST.has(program) && isFirstWord(program, argv, at, index);
	const isCode =
		(INTERPRETER_PROGRAMS.has(program) || PATTERN_FIRST.has(program)) && INTERPRETER_CODE_FLAG.test(before);
	const isRemote = program === 'ssh' && index > at + 2 && !isOperator(word);
	// The end of what `find` runs.
	const isEnd = program === 'find' && word === ';' && argv.slice(at, index).some((each) => /^-(?:exec|ok)/.test(each));
	const isText =
		TEXT_FLAG.test(before) && (isOperator(word) ? TEXT_PROGRAMS.has(program) : /^-[a-z]*m$|^--/.test(before));
	const isCompared =
		COMPARING.has(program) && (program === 'expr' ? !/^(?:&&?|\|\||;)$/.test(word) : !SEPARATORS.has(word));
	const isSet = program === 'tr' && argv.slice(at + 1, index).filter((each) => !/^-./.test(each)).length < 2;
	return isCompared || isSet || isFirst || isCode || isRemote || isEnd || isText;
}

/** Programs that are told of a separator or a message by a flag. */
const TEXT_PROGRAMS = new Set('cut,sort,column,paste,awk,gawk,mawk,join,git,gh,xargs,tmux'.split(','));

/** Flags that take the word behind them: the same letter is another flag of another program, such as `-v`. */
function takesValue(program: string, flag = ''): boolean {
	if (program.endsWith('awk')) {
		return /^-[Fv]$/.test(flag);
	}
	return (program.endsWith('grep') ? /^-[ABCDdm]$/ : /^-(?:[ABCgmtT]|-(?:i?glob|type|context|arg|argjson))$/).test(
		flag,
	);
}

function isFirstWord(program: string, argv: ShellArgv, at: number, index: number): boolean {
	const before = argv.slice(at + 1, index);
	// The pattern is given by a flag.
	if (before.some((word) => /^-[a-zA-Z]*[ef]$|^--(?:regexp|expression|file)/.test(word))) {
		return false;
	}
	return before.every((word, place) => word.startsWith('-') || takesValue(program, before[place - 1]));
}

function takesPatterns(program: string, argv: ShellArgv, index: number): boolean {
	const before = argv.slice(0, index);
	const isTest = program === 'find' && before.some((word, place) => place > 0 && /^[-(!]/.test(word));
	return isTest || OWN_WILDCARDS.has(program) || WILDCARD_FLAG.test(before.at(-1) ?? '');
}
