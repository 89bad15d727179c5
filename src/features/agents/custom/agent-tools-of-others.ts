/** Tools as custom agents of Claude Code, VS Code and Copilot name them, each with the ops that it stands for here. */
import { canonicalOp, isOpName, OP_NAMES, opOfCall } from '../../../protocol/op-table/ops.ts';

const READING = ['fs.read', 'fs.list', 'fs.find', 'search.text'];
const WRITING = ['fs.edit', 'fs.write', 'fs.move', 'fs.delete', 'editor.refactor'];
const COMMANDS = ['shell.run', 'shell.output', 'shell.stop'];
const AGENTS = ['agent.spawn', 'agent.send', 'agent.list', 'agent.stop', 'agent.apply'];

/** In lower case. */
const OPS_BY_TOOL_WORD: Readonly<Record<string, readonly string[]>> = {
	read: READING,
	ls: ['fs.list'],
	list_dir: ['fs.list'],
	read_file: ['fs.read'],
	readfile: ['fs.read'],
	listdirectory: ['fs.list'],
	view: READING,
	glob: ['fs.find'],
	file_search: ['fs.find'],
	filesearch: ['fs.find'],
	textsearch: ['search.text'],
	grep: ['search.text'],
	grep_search: ['search.text'],
	search: ['fs.list', 'fs.find', 'search.text'],
	codebase: READING,
	edit: WRITING,
	multiedit: ['fs.edit'],
	editfiles: WRITING,
	write: ['fs.write'],
	create_file: ['fs.write'],
	createfile: ['fs.write'],
	bash: COMMANDS,
	execute: COMMANDS,
	shell: COMMANDS,
	runcommands: COMMANDS,
	run_in_terminal: COMMANDS,
	runinterminal: COMMANDS,
	getterminaloutput: COMMANDS,
	runtests: COMMANDS,
	webfetch: ['http.get'],
	fetch: ['http.get'],
	web: ['http.get', 'web.search'],
	websearch: ['web.search'],
	todowrite: ['todo.write'],
	todo: ['todo.write'],
	todos: ['todo.write'],
	askuserquestion: ['user.ask'],
	problems: ['editor.diagnostics'],
	usages: ['editor.references', 'editor.symbols'],
	changes: ['git.status', 'git.diff'],
	skill: ['capability.detail', 'capability.start', 'capability.status', 'capability.stop'],
	task: AGENTS,
	agent: AGENTS,
	runsubagent: AGENTS,
};

/** Parts of names of other tools, for a refused one that is not listed above: it takes away rather too much than too little. */
const OPS_BY_REFUSED_PART: readonly (readonly [RegExp, readonly string[]])[] = [
	[/shell|bash|terminal|command|exec|process|task(?:output|stop)/i, COMMANDS],
	[/edit|write|patch|replace|creat|delet|remov|renam|move/i, WRITING],
	[/read|view|file|director|folder/i, READING],
	[/search|grep|glob|find/i, ['fs.find', 'search.text', 'web.search']],
	[/web|http|url|fetch|browser|network|internet/i, ['http.get', 'http.request', 'web.search', 'net.connect']],
	[/agent|task/i, AGENTS],
	[/mcp/i, ['mcp.tools', 'mcp.call']],
];

/** Sets in which VS Code keeps its own tools: what begins with one of these is no tool of an MCP server. */
const TOOL_SETS_OF_VSCODE = /^(?:agent|browser|edit|execute|read|search|todo|vscode|web)\//;

interface UnderstoodTools {
	/** Undefined: all. */
	readonly ops: readonly string[] | undefined;
	/** In words. */
	readonly problems: readonly string[];
}

/** `tools` undefined: the agent names none, so it has all. `refused`: tools that it is not to have. */
export function understoodTools(
	tools: readonly string[] | undefined,
	refused: readonly string[] | undefined = [],
): UnderstoodTools {
	const { ops, problems } = understoodNames(tools);
	if (refused.length === 0) {
		return { ops, problems };
	}
	// A pattern refuses the whole tool: that is less than its author allows, never more.
	const { ops: refusedOps, unknown } = understoodNames(refused);
	const taken = new Set(refusedOps ?? OP_NAMES);
	const guesses = unknown.map((tool) => {
		const [name = ''] = tool.split('(', 1);
		const [, guessed] = OPS_BY_REFUSED_PART.find(([part]) => part.test(name)) ?? [];
		for (const op of guessed ?? []) taken.add(op);
		const so = guessed === undefined ? '' : `; it may mean ${guessed.join(', ')}, so these are refused`;
		return `${tool}: it is refused, but there is no such tool here${so}`;
	});
	return { ops: (ops ?? OP_NAMES).filter((op) => !taken.has(op)), problems: [...problems, ...guesses] };
}

function understoodNames(
	tools: readonly string[] | undefined,
): UnderstoodTools & { readonly unknown: readonly string[] } {
	if (tools === undefined || tools.includes('*')) {
		return { ops: undefined, problems: [], unknown: [] };
	}
	const unknown: string[] = [];
	const ops = new Set<string>();
	const problems: string[] = [];
	for (const tool of tools) {
		const [, name = '', pattern] = /^([^(]*)(\(.*\))?$/.exec(tool.trim()) ?? [];
		// VS Code names tools by their set: `search/codebase`.
		const found = findToolOps(name) ?? findToolOps(name.split('/').at(-1) ?? '');
		if (found !== undefined) {
			for (const op of found) ops.add(op);
			if (pattern !== undefined) problems.push(`${tool}: it may use the whole tool, and each call asks as usual`);
		} else if (/^mcp__|^[\w.-]+\/(?:[\w.-]+|\*)$/.test(name) && !TOOL_SETS_OF_VSCODE.test(name)) {
			for (const op of ['mcp.tools', 'mcp.call']) ops.add(op);
			problems.push(`${tool}: it may ask for the tools of all MCP servers, and each call asks as usual`);
		} else {
			unknown.push(tool);
			problems.push(`${tool}: there is no such tool here`);
		}
	}
	return { ops: [...ops], problems, unknown };
}

function findToolOps(name: string): readonly string[] | undefined {
	const own = canonicalOp(name);
	const op = isOpName(own) ? own : opOfCall(name, {});
	return Object.hasOwn(OPS_BY_TOOL_WORD, name.toLowerCase())
		? OPS_BY_TOOL_WORD[name.toLowerCase()]
		: op === undefined
			? undefined
			: [op];
}
