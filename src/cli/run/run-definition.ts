/** The words of `prowess run`, apart from the other commands: the server is started for it before those are loaded. */
import type { Effort } from '../../protocol/turn/models.ts';
import type { Mode, Strategy } from '../../protocol/thread/thread.ts';
import type { CommandDef } from '../invocation/command.ts';
import {
	approval,
	approvalNotes,
	encoding,
	modelOptions,
	listUnionNames,
	ofTrust,
	ofWork,
} from '../invocation/shared-options.ts';

// Not taken from the schemas, which take longer to load.
const runModes = listUnionNames<Mode>({ agent: 0, ask: 0, plan: 0 });
const strategies = listUnionNames<Exclude<Strategy, 'GOAL_STEP'>>({
	DIRECT_RESPONSE: 0,
	GOAL: 0,
	SCHEDULED_TASK: 0,
	SUB_AGENT: 0,
	SCRIPT: 0,
});
const efforts = listUnionNames<Effort>({ off: 0, low: 0, medium: 0, high: 0 });

export const runDefinition = {
	name: 'run',
	summary: 'let the agent work on a folder',
	operands: '"<prompt>" | -',
	operandCount: [1, 1],
	options: {
		workspace: ofWork,
		encoding,
		...modelOptions,
		...approval,
		thread: { value: 'ID', description: 'continue this thread' },
		worktree: {
			value: 'NAME',
			description: 'work in this worktree of the folder, made if there is none; "new" names it after the prompt',
		},
		from: {
			value: 'REF',
			description: 'commit or branch that a new worktree begins with (default: what is checked out)',
		},
		agent: {
			value: 'NAME',
			description: 'follow this custom agent, in a new thread; `prowess agent custom` lists them',
		},
		image: { value: 'FILE', isRepeatable: true, description: 'show the model this picture; may be repeated' },
		effort: {
			value: 'EFFORT',
			choices: efforts,
			description: 'how hard the model thinks, from now on in the thread',
		},
		rounds: { value: 'N', description: 'rounds of tool calls for this prompt; then the turn ends' },
		'max-cost': { value: 'USD', description: 'US dollars that this prompt may cost; then the turn ends' },
		temperature: { value: 'T', description: 'temperature of the model for this prompt, from 0 to 2' },
		mode: {
			value: 'MODE',
			choices: runModes,
			description: 'agent: every tool; ask: only tools that read; plan: reads, and asks you about a plan first',
		},
		strategy: {
			value: 'STRATEGY',
			choices: strategies,
			description: 'how to work on this prompt (default: by what it says); see docs/strategies.md',
		},
		trust: ofTrust,
		record: { description: 'record the turn, so that `prowess replay` runs it again; see docs/replay.md' },
		'keep-secrets': { description: 'send what looks like a key in the prompt; stored keys are never sent' },
		json: { description: 'one event per line on standard output; the last is turn.end' },
	},
	notes: [
		'"-" reads the prompt from standard input.',
		'@PATH in the prompt adds a file or folder of the workspace. --image takes PNG, JPEG, GIF and WebP, 5 MB each.',
		'@SERVER:ADDRESS adds a resource of an MCP server. /SERVER:PROMPT [NAME=VALUE]… at the beginning runs a prompt of one.',
		...approvalNotes,
		'Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY, or PROWESS_API_KEY for the provider in use.',
		'In a terminal, a line you type while the agent works waits for the turn to end; /help there lists what else it can do.',
		'Ctrl+C stops the turn. A second Ctrl+C ends everything at once.',
		'Exit code: 0 done, 1 failed, 2 wrong usage, 130 stopped.',
	],
} as const satisfies Omit<CommandDef, 'load'>;
