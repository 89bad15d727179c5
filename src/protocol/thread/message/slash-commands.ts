import { type Text, text } from '../../text/text.ts';

/**
 * Command that `/` offers in the input. `prompt` is sent in its place; commands without one act in the view
 * (`use-sending.ts`) or, as a `ViewCommand`, in the editor (`view-requests.ts`).
 */
export interface SlashCommand {
	readonly name: string;
	readonly description: Text;
	/** Text of the message; `$1` is what follows the command. */
	readonly prompt?: string;
	readonly action?:
		| 'plan'
		| 'newThread'
		| 'switchMode'
		| 'switchModel'
		| 'changeLevel'
		| 'exportThread'
		| 'goBack'
		| 'forkThread'
		| 'connectModel'
		| 'help'
		| 'showLedger'
		| 'manageApprovals'
		| 'showCapabilities'
		| 'showMcpServers'
		| 'reviewHooks'
		| 'showUsage'
		| 'aside'
		| 'showMemory'
		| 'showGoals'
		| 'showSchedules'
		| 'showScripts'
		| 'showWorktrees'
		| 'showAgents'
		| 'showTrace'
		| 'doctor'
		| 'openSettings';
	/** Action of a command with a prompt, where nothing follows it. */
	readonly alone?: 'showGoals';
}

export const slashCommands: readonly SlashCommand[] = [
	{ name: 'explain', description: text('Explain the code'), prompt: 'Explain what this code does and why. $1' },
	{ name: 'fix', description: text('Fix the problem'), prompt: 'Find what is wrong here and fix it. $1' },
	{
		name: 'test',
		description: text('Write or fix tests'),
		prompt: 'Write tests for this, run them, and make them pass. $1',
	},
	{
		name: 'review',
		description: text('Review uncommitted changes'),
		prompt:
			'Review the uncommitted changes. Name each problem with its file and line, as a comment there if you can. $1',
	},
	{
		name: 'init',
		description: text('Write AGENTS.md for this project'),
		prompt: [
			'Write AGENTS.md in the root of this workspace: what a new contributor, or an agent, must know to work here.',
			'First look at the project: its manifest, its scripts, its tests and its folders. Run nothing.',
			'Say how to build, test and check it, with the exact commands; how the folders are laid out; and the rules of style',
			'that the code follows and a tool does not check. Leave out what anybody knows. At most 60 lines.',
			'If there is an AGENTS.md, keep what is right in it and mend the rest. $1',
		].join(' '),
	},
	{ name: 'goal', description: text('Work until a condition holds'), prompt: '/goal $1', alone: 'showGoals' },
	{ name: 'compact', description: text('Summarize older messages'), prompt: '/compact $1' },
	{ name: 'btw', description: text('Ask beside the thread, without tools'), action: 'aside' },
	{ name: 'plan', description: text('Plan first, then do it'), action: 'plan' },
	{ name: 'new', description: text('New thread'), action: 'newThread' },
	{ name: 'clear', description: text('Begin again in a new thread'), action: 'newThread' },
	{ name: 'reset', description: text('Begin again in a new thread'), action: 'newThread' },
	{ name: 'rewind', description: text('Go back to before a message'), action: 'goBack' },
	{ name: 'fork', description: text('Fork this thread'), action: 'forkThread' },
	{ name: 'mode', description: text('Switch the mode'), action: 'switchMode' },
	{ name: 'model', description: text('Switch the model'), action: 'switchModel' },
	{ name: 'level', description: text('Change the permission level'), action: 'changeLevel' },
	{ name: 'permissions', description: text('Look over what you have allowed'), action: 'manageApprovals' },
	{ name: 'capabilities', description: text('Show skills, powers and talents'), action: 'showCapabilities' },
	{ name: 'mcp', description: text('Show the MCP servers'), action: 'showMcpServers' },
	{ name: 'agents', description: text('Show custom agents'), action: 'showAgents' },
	{ name: 'hooks', description: text('Review hooks of other agents'), action: 'reviewHooks' },
	{ name: 'schedule', description: text('Show the schedules'), action: 'showSchedules' },
	{ name: 'script', description: text('Show the scripts'), action: 'showScripts' },
	{ name: 'worktree', description: text('Work beside this folder'), action: 'showWorktrees' },
	{ name: 'memory', description: text('Show what is remembered'), action: 'showMemory' },
	{ name: 'usage', description: text('Show tokens, cost and what fills the context'), action: 'showUsage' },
	{ name: 'connect', description: text('Connect a model'), action: 'connectModel' },
	{ name: 'export', description: text('Export this thread'), action: 'exportThread' },
	{ name: 'ledger', description: text('Show the ledger'), action: 'showLedger' },
	{ name: 'trace', description: text('Show how the last turn went'), action: 'showTrace' },
	{ name: 'doctor', description: text('Check this installation'), action: 'doctor' },
	{ name: 'settings', description: text('Open the settings'), action: 'openSettings' },
	{ name: 'help', description: text('Show all commands'), action: 'help' },
];
