/** Ops in the words of other agents: the names that their hooks match, and the inputs that they read. */
import { join } from 'node:path';
import { typedCommands } from '../../../../protocol/ops/commands/typed-command.ts';
import type { CommandChain } from '../../../../protocol/ops/commands/command-chain.ts';

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

const FOREIGN_TOOL_WORDS: Readonly<Record<string, ForeignToolWords>> = {
	'fs.read': {
		names: ['Read', 'read_file', 'view'],
		input: ({ path, offset, limit }, absolute) => ({ file_path: absolute(path), offset, limit }),
	},
	'fs.write': {
		names: ['Write', 'create_file', 'create'],
		input: ({ path, content }, absolute) => ({ file_path: absolute(path), content }),
	},
	'fs.edit': {
		names: ['Edit', 'MultiEdit', 'replace_string_in_file', 'multi_replace_string_in_file', 'edit'],
		input: ({ path, edits }, absolute) => {
			const all = (Array.isArray(edits) ? (edits as ForeignToolParams[]) : []).map(({ find, replace, all: isAll }) => ({
				old_string: find,
				new_string: replace,
				replace_all: isAll === true,
			}));
			return { file_path: absolute(path), ...(all.length === 1 ? all[0] : { edits: all }) };
		},
	},
	'fs.list': { names: ['LS', 'list_dir'], input: ({ path }, absolute) => ({ path: absolute(path) }) },
	'fs.find': {
		names: ['Glob', 'file_search'],
		input: ({ pattern, path }, absolute) => ({ pattern, path: absolute(path) }),
	},
	'search.text': { names: ['Grep', 'grep_search'] },
	'shell.run': {
		names: ['Bash', 'run_in_terminal', 'bash'],
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
