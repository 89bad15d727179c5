/** Ops in the words of other agents: the names that their hooks match, and the inputs that they read. */
import { join, relative } from 'node:path';
import type { CommandChain } from '../../../../protocol/ops/commands/command-chain.ts';
import { commandsOfLine } from '../../../../protocol/ops/commands/commands-of-line.ts';
import { typedCommands } from '../../../../protocol/ops/commands/typed-command.ts';
import { foreignGlobCovers } from '../../../../machine/paths/names/foreign-glob.ts';
import { programName, runsOtherPrograms } from '../../policy/commands/indirect-commands.ts';
import { strictRuleOn } from '../../policy/rules/strict-rule.ts';
import { runWithin } from '../../../record/redaction/budget.ts';
import { commandTargets } from '../../targets.ts';
import { MATCHER_BUDGET_MS } from '../limits.ts';
import { parseToolCondition } from './tool-matcher.ts';

export interface ForeignTool {
	/** Names of the tool: Claude's first, then those of VS Code and Copilot. */
	readonly names: readonly [string, ...string[]];
	readonly input: Readonly<Record<string, unknown>>;
}

type ForeignToolParams = Readonly<Record<string, unknown>>;
interface ForeignToolWords {
	readonly names: readonly [string, ...string[]];
	input?(params: ForeignToolParams, absolute: (path: unknown) => string): Readonly<Record<string, unknown>>;
}

const EDIT_NAMES: ForeignToolWords['names'] = [
	...(['Edit', 'MultiEdit', 'replace_string_in_file', 'multi_replace_string_in_file', 'edit', 'replace'] as const),
];

const WRITE_NAMES: ForeignToolWords['names'] = ['Write', 'create_file', 'create', 'write_file'];

const FOREIGN_TOOL_WORDS: Readonly<Record<string, ForeignToolWords>> = {
	'fs.read': {
		names: ['Read', 'read_file', 'view'],
		input: ({ path, offset, limit }, absolute) => ({ file_path: absolute(path), offset, limit }),
	},
	'fs.write': {
		names: WRITE_NAMES,
		input: ({ path, content }, absolute) => ({ file_path: absolute(path), content }),
	},
	'fs.edit': {
		names: EDIT_NAMES,
		input: ({ path, edits }, absolute) => {
			const all = (Array.isArray(edits) ? (edits as ForeignToolParams[]) : []).map(({ find, replace, all: isAll }) => ({
				old_string: find,
				new_string: replace,
				replace_all: isAll === true,
			}));
			return { file_path: absolute(path), ...(all.length === 1 ? all[0] : { edits: all }) };
		},
	},
	// Which files a rename or a fix changes is not known yet, so no condition on a file leaves it out.
	'editor.refactor': {
		names: EDIT_NAMES,
		input: ({ path, ...params }, absolute) =>
			params['what'] === 'format' ? { file_path: absolute(path), ...params } : { path: absolute(path), ...params },
	},
	// Nor is it known which files a sub-agent has changed.
	'agent.apply': { names: [...EDIT_NAMES, ...WRITE_NAMES] },
	'fs.list': { names: ['LS', 'list_dir'], input: ({ path }, absolute) => ({ path: absolute(path) }) },
	'fs.find': {
		names: ['Glob', 'file_search'],
		input: ({ pattern, path }, absolute) => ({ pattern, path: absolute(path) }),
	},
	'search.text': { names: ['Grep', 'grep_search'] },
	'shell.run': {
		names: ['Bash', 'run_in_terminal', 'bash', 'run_shell_command'],
		input: (params) => ({ command: commandLine(params), cwd: params['cwd'] }),
	},
	'http.get': { names: ['WebFetch', 'fetch_webpage'] },
	'web.search': { names: ['WebSearch'] },
	'todo.write': { names: ['TodoWrite', 'manage_todo_list'] },
	'user.ask': { names: ['AskUserQuestion'] },
	'agent.spawn': { names: ['Task', 'runSubagent'] },
	'agent.run': { names: ['Task', 'runSubagent'] },
	'capability.start': { names: ['Skill', 'Task', 'runSubagent'] },
};

const CURSOR_WORDS: Readonly<Record<string, string>> = {
	'shell.run': 'Shell',
	'fs.read': 'Read',
	'fs.write': 'Write',
	'fs.edit': 'Write',
	'editor.refactor': 'Write',
	'agent.apply': 'Write',
	'fs.delete': 'Delete',
	'search.text': 'Grep',
	'agent.spawn': 'Task',
	'agent.run': 'Task',
};

/**
 * True when a call is one that a condition means: by the name of the tool, and by its command or file if a pattern is
 * given. `isGuarding`: a hook decides by it, so a command is meant in doubt, too, however it is written.
 */
export function meetsCondition(
	condition: string | undefined,
	{ names, input }: ForeignTool,
	folder: string,
	isGuarding = false,
): boolean {
	const read = condition === undefined ? undefined : parseToolCondition(condition);
	if (read === undefined) return true;
	if (!names.includes(read.name)) return false;
	const { pattern = '*' } = read;
	const { command, file_path: path } = input;
	if (typeof command === 'string') {
		return isWrittenCommand(pattern, command) || (isGuarding && mayRunCommand(pattern, command));
	}
	return (
		typeof path !== 'string' ||
		[path, relative(folder, path)].some((each) =>
			// Without a slash, it means the name, at any depth.
			foreignGlobCovers(pattern.includes('/') ? pattern : `**/${pattern}`, each.replaceAll('\\', '/'), isGuarding),
		)
	);
}

/**
 * True when a regular expression, as Cursor has it for commands, finds something in the line: as it is written, or in a
 * command of it without quotes, blanks and variables before it. `isGuarding`: also in what a shell or another program
 * may run in turn, and in doubt, which is also where the expression takes too long.
 */
export function findsInCommands(expression: string, line: string, isGuarding: boolean): boolean {
	const pattern = new RegExp(expression === '*' ? '' : expression);
	const isCut = line.length > MATCHED_LINE_CHARS;
	if (isCut && isGuarding) return true;
	const seen = isCut ? line.slice(0, MATCHED_LINE_CHARS) : line;
	const findsAny = () => pattern.test(seen) || (!isCut && findsInLine(pattern, line, isGuarding, MATCHED_LINE_DEPTH));
	return runWithin(MATCHER_BUDGET_MS, findsAny) ?? isGuarding;
}

/** Longest line that is compared with the matcher of a hook; levels of lines inside of lines, as of `sh -c`. */
const MATCHED_LINE_CHARS = 10_000;
const MATCHED_LINE_DEPTH = 4;

function findsInLine(pattern: RegExp, line: string, isGuarding: boolean, depth: number): boolean {
	const commands = commandsOfLine(line, 'linux');
	if (commands === undefined || depth === 0) return isGuarding;
	return commandTargets(commands, '.').some(({ argv, fedBy = [], streams }) => {
		const isIndirect = isGuarding && runsOtherPrograms(argv);
		const own = argv.findIndex((word) => !/^\w+=/.test(word));
		// Words of a program that runs others: any of them may begin a command, or hold a line of its own.
		const begins = isIndirect ? argv.map((_word, n) => n) : [Math.max(own, 0)];
		const said = begins.flatMap((n) => {
			const [program = '', ...words] = argv.slice(n);
			return [[program, ...words].join(' '), [programName(program), ...words].join(' ')];
		});
		if (said.some((each) => pattern.test(each))) return true;
		if (!isIndirect) return false;
		// Input from another program is not known beforehand.
		const isFed =
			fedBy.some(([writer]) => writer !== 'echo' && writer !== 'printf') || (streams?.reads.length ?? 0) > 0;
		const inner = [...argv.slice(1), ...fedBy.map(([, ...words]) => words.join(' '))];
		return (
			isFed ||
			inner.some((word) => /[$`\\]/.test(word) || (/[\s;&|]/.test(word) && findsInLine(pattern, word, true, depth - 1)))
		);
	});
}

/** True for a line that the pattern covers by its letters, as a whole or in a part between operators. */
function isWrittenCommand(pattern: string, line: string): boolean {
	const parts = line.split(/&&|\|\||[;|&\n]/).map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''));
	return [line, ...parts].some((part) => coversWords(pattern, part));
}

/** True for a line one of whose commands the pattern covers by its words, or which may run such a command. */
function mayRunCommand(pattern: string, line: string): boolean {
	// A line that no reader knows is taken as a script of a shell, on every system.
	const commands = commandsOfLine(line, 'linux');
	if (commands === undefined) return true;
	const targets = commandTargets(commands, '.');
	const begins = openBeginning(pattern);
	const isIndirect = targets.some(({ argv }) => runsOtherPrograms(argv));
	if (begins !== undefined || isIndirect) {
		// A rule that tightens is seen through wrappers, flags and scripts; one without a star covers more words than its own.
		const rule = { text: pattern, op: 'shell.run', pattern: begins ?? pattern, source: '' };
		if (strictRuleOn([rule], 'shell.run', targets, true) !== undefined) return true;
	}
	const isCovered = targets.some(({ argv: [program = '', ...words] }) => {
		const first = words.findIndex((word) => !word.startsWith('-'));
		const bare = first === -1 ? [] : words.slice(first);
		return [words, bare].some((rest) => coversWords(pattern, [programName(program), ...rest].join(' ')));
	});
	// Stars inside of words are no rule of the gate: anything may stand between the parts of such a pattern.
	const isIn = (text: string) => coversStars(`*${pattern.replaceAll(/[\s:]+/g, '*')}*`, text);
	const words = targets.flatMap(({ argv }) => argv).join(' ');
	return isCovered || (isIndirect && (isIn(words) || isIn(words.replaceAll(/["'\\]/g, ''))));
}

/** The pattern before a last star that may be missing: a blank or a colon before it ends a word. `git *` is no `gitk`. */
function openBeginning(pattern: string): string | undefined {
	return pattern.endsWith(' *') || pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined;
}

/** Blanks count as one, because a shell takes them so. */
function coversWords(pattern: string, words: string): boolean {
	const [wanted, text] = [pattern, words].map((each) => each.trim().replaceAll(/\s+/g, ' ')) as [string, string];
	const begins = openBeginning(wanted);
	return begins === undefined
		? coversStars(wanted, text)
		: coversStars(begins, text) || coversStars(`${begins} *`, text);
}

/** Goes once through the text, because a regular expression of several stars may take for ever. */
function coversStars(pattern: string, text: string): boolean {
	const [first = '', ...parts] = pattern.split('*');
	const last = parts.pop();
	if (last === undefined) return text === pattern;
	const end = text.length - last.length;
	let at = first.length;
	if (at > end || !text.startsWith(first) || !text.endsWith(last)) return false;
	for (const part of parts) {
		const found = text.indexOf(part, at);
		if (found === -1 || found + part.length > end) return false;
		at = found + part.length;
	}
	return true;
}

/** Names that Cursor gives to the tool of an op. */
export function cursorNames(op: string): readonly string[] {
	const name = CURSOR_WORDS[op];
	return name === undefined ? [] : [name];
}

/** Fields that Cursor puts beside the name of its own events: the command, or the file with what changes in it. */
export function cursorInput(op: string, { edits, content, ...input }: ForeignTool['input']): ForeignTool['input'] {
	if (op === 'fs.write') return { ...input, edits: [{ old_string: '', new_string: content }] };
	if (op !== 'fs.edit') return input;
	const { old_string, new_string, replace_all, ...rest } = input;
	return { ...rest, edits: edits ?? [{ old_string, new_string, replace_all }] };
}

/** An op that other agents have no tool for goes by its own name, and a tool of an MCP server by `mcp__server__tool`. */
export function foreignTool(op: string, params: unknown, folder: string): ForeignTool {
	const known = typeof params === 'object' && params !== null ? (params as ForeignToolParams) : {};
	if (op === 'mcp.call') {
		const { server, tool, arguments: input } = known;
		const own = typeof input === 'object' && input !== null ? (input as ForeignToolParams) : {};
		return { names: [`mcp__${String(server)}__${String(tool)}`], input: own };
	}
	const words = FOREIGN_TOOL_WORDS[op];
	const toAbsolutePath = (path: unknown) => (typeof path === 'string' ? join(folder, path) : folder);
	return { names: words?.names ?? [op], input: words?.input?.(known, toAbsolutePath) ?? known };
}

/** The words of the model are not checked yet: what is no command is shown as it is. */
function commandLine(params: ForeignToolParams): string {
	try {
		return typedCommands(params as unknown as CommandChain);
	} catch {
		return JSON.stringify(params);
	}
}
