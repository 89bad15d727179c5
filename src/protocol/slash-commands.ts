/** Command that `/` offers in the input. `prompt` is sent in its place; commands without one act in the view. */
export interface SlashCommand {
	readonly name: string;
	readonly description: string;
	/** Text of the message; `$1` is what follows the command. */
	readonly prompt?: string;
	readonly action?:
		'plan' | 'newThread' | 'switchModel' | 'changeLevel' | 'exportThread' | 'connectModel' | 'showLedger';
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
	{ name: 'compact', description: 'Summarize older messages', prompt: '/compact $1' },
	{ name: 'plan', description: 'Plan first, then do it', action: 'plan' },
	{ name: 'new', description: 'New thread', action: 'newThread' },
	{ name: 'model', description: 'Switch the model', action: 'switchModel' },
	{ name: 'level', description: 'Change the permission level', action: 'changeLevel' },
	{ name: 'connect', description: 'Connect a model', action: 'connectModel' },
	{ name: 'export', description: 'Export this thread', action: 'exportThread' },
	{ name: 'ledger', description: 'Show the ledger', action: 'showLedger' },
];
