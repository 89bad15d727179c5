/** Command that `/` offers in the input. `prompt` is sent in its place; commands without one act in the view. */
export interface SlashCommand {
	readonly name: string;
	readonly description: string;
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
		| 'showMemory'
		| 'showTrace'
		| 'doctor'
		| 'openSettings';
}

export const slashCommands: readonly SlashCommand[] = [
	{ name: 'explain', description: 'Explain the code', prompt: 'Explain what this code does and why. $1' },
	{ name: 'fix', description: 'Fix the problem', prompt: 'Find what is wrong here and fix it. $1' },
	{
		name: 'test',
		description: 'Write or fix tests',
		prompt: 'Write tests for this, run them, and make them pass. $1',
	},
	{
		name: 'review',
		description: 'Review uncommitted changes',
		prompt: 'Review the uncommitted changes. Name each problem with its file and line. $1',
	},
	{
		name: 'init',
		description: 'Write AGENTS.md for this project',
		prompt: [
			'Write AGENTS.md in the root of this workspace: what a new contributor, or an agent, must know to work here.',
			'First look at the project: its manifest, its scripts, its tests and its folders. Run nothing.',
			'Say how to build, test and check it, with the exact commands; how the folders are laid out; and the rules of style',
			'that the code follows and a tool does not check. Leave out what anybody knows. At most 60 lines.',
			'If there is an AGENTS.md, keep what is right in it and mend the rest. $1',
		].join(' '),
	},
	{ name: 'compact', description: 'Summarize older messages', prompt: '/compact $1' },
	{ name: 'plan', description: 'Plan first, then do it', action: 'plan' },
	{ name: 'new', description: 'New thread', action: 'newThread' },
	{ name: 'clear', description: 'Begin again in a new thread', action: 'newThread' },
	{ name: 'rewind', description: 'Go back to before a message', action: 'goBack' },
	{ name: 'fork', description: 'Fork this thread', action: 'forkThread' },
	{ name: 'mode', description: 'Switch the mode', action: 'switchMode' },
	{ name: 'model', description: 'Switch the model', action: 'switchModel' },
	{ name: 'level', description: 'Change the permission level', action: 'changeLevel' },
	{ name: 'permissions', description: 'Look over what you have allowed', action: 'manageApprovals' },
	{ name: 'capabilities', description: 'Show skills, powers and talents', action: 'showCapabilities' },
	{ name: 'memory', description: 'Show what is remembered', action: 'showMemory' },
	{ name: 'connect', description: 'Connect a model', action: 'connectModel' },
	{ name: 'export', description: 'Export this thread', action: 'exportThread' },
	{ name: 'ledger', description: 'Show the ledger', action: 'showLedger' },
	{ name: 'trace', description: 'Show how the last turn went', action: 'showTrace' },
	{ name: 'doctor', description: 'Check this installation', action: 'doctor' },
	{ name: 'settings', description: 'Open the settings', action: 'openSettings' },
	{ name: 'help', description: 'Show all commands', action: 'help' },
];
