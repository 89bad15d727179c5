/** The commands of `prowess`, in the order in which the help shows them. */
import type { ActEnd, LedgerKind } from '../protocol/approvals/ledger.ts';
import { agentCommands, hookCommands } from './agents/agent-commands.ts';
import { backgroundCommands } from './background/serve-commands.ts';
import { doorCommands } from './doors/door-commands.ts';
import { evalCommands } from './eval/eval-commands.ts';
import { goalCommands, scheduleCommands, scriptCommands } from './planned/planned-commands.ts';
import { anyNumber, type CommandDef, type OptionDef } from './invocation/command.ts';
import { capabilityCommands } from './capability/capability-commands.ts';
import { mcpCommands } from './mcp/mcp-commands.ts';
import { codeCommands, memoryCommands } from './records/memory-commands.ts';
import { worktreeCommands } from './worktrees/worktree-commands.ts';
import { marketplaceCommands } from './marketplace/marketplace-commands.ts';
import { createReplayCommands } from './replay/replay-commands.ts';
import { runDefinition } from './run/run-definition.ts';
import { ofAcp, approval, hunk, json, modelOptions, listUnionNames, ofFolder } from './invocation/shared-options.ts';

// Not taken from the schemas: the help, and the start of the server, need not wait until those are loaded.
const ends = listUnionNames<ActEnd>({ denied: 0, failed: 0, open: 0 });
const ledgerKinds = listUnionNames<LedgerKind>({ intent: 0, outcome: 0, denial: 0, note: 0 });

const ofWorkspace = {
	workspace: { value: 'DIR', description: 'folder whose rules to include (default: current folder)' },
	trust: { description: 'trust that folder from now on; its files can control what runs' },
} as const satisfies Record<string, OptionDef>;
const ledgerFilters = {
	op: { value: 'NAME', description: 'only this op, for example fs.edit' },
	thread: { value: 'ID', description: 'only this thread' },
	kind: { value: 'KIND', choices: ledgerKinds, description: `only this kind: ${ledgerKinds.join(', ')}` },
	since: { value: 'TIME', description: 'only from this UTC time on: 2026-11-20 or 2026-11-20T14:30' },
	until: { value: 'TIME', description: 'only before this time' },
	text: { value: 'TEXT', description: 'only rows that contain this text' },
} as const satisfies Record<string, OptionDef>;

export const cliCommands: readonly CommandDef[] = [
	{ ...runDefinition, load: async () => (await import('./run/run-command.ts')).runPromptCommand },
	{
		name: 'thread list',
		summary: 'list conversations, newest first',
		operandCount: [0, 0],
		options: {
			limit: { value: 'N', description: 'number of rows to show (default: 20)' },
			text: { value: 'TEXT', description: 'only threads whose title or messages contain this text' },
			json,
		},
		load: async () => (await import('./records/threads.ts')).listThreads,
	},
	{
		name: 'thread show',
		summary: 'print a conversation',
		operands: '<id>',
		operandCount: [1, 1],
		options: { json },
		load: async () => (await import('./records/threads.ts')).showThread,
	},
	{
		name: 'thread export',
		summary: 'print a whole conversation, to save as a file',
		operands: '<id>',
		operandCount: [1, 1],
		options: {
			format: { value: 'FORMAT', choices: ['markdown', 'json'], description: 'output format (default: markdown)' },
		},
		load: async () => (await import('./records/threads.ts')).exportThreadCommand,
	},
	{
		name: 'thread rename',
		summary: 'rename a conversation',
		operands: '<id> "<title>"',
		operandCount: [2, 2],
		options: {},
		load: async () => (await import('./records/threads.ts')).renameThread,
	},
	{
		name: 'thread pin',
		summary: 'put a conversation at the top of the list',
		operands: '<id>',
		operandCount: [1, 1],
		options: { off: { description: 'take it from there again' } },
		load: async () => (await import('./records/threads.ts')).pinThread,
	},
	{
		name: 'thread archive',
		summary: 'put a conversation out of sight; a new message brings it back',
		operands: '<id>',
		operandCount: [1, 1],
		options: { off: { description: 'put it back into the list' } },
		load: async () => (await import('./records/threads.ts')).archiveThread,
	},
	{
		name: 'thread messages',
		summary: 'list what you said in a conversation, each with its number',
		operands: '<id>',
		operandCount: [1, 1],
		options: { json },
		load: async () => (await import('./records/messages.ts')).listMessages,
	},
	{
		name: 'thread fork',
		summary: 'begin another conversation with the messages of this one',
		operands: '<id> [<message>]',
		operandCount: [1, 2],
		options: {},
		notes: ['With the number of a message: only what was said before it. Prints the id of the new conversation.'],
		load: async () => (await import('./records/messages.ts')).forkThreadCommand,
	},
	{
		name: 'thread restore',
		summary: 'go back to before one of your messages: files, conversation or both',
		operands: '<id> <message>',
		operandCount: [2, 2],
		options: {
			...ofFolder,
			files: { description: 'only the files; the conversation stays' },
			conversation: { description: 'only the conversation; files stay as they are' },
			force: { description: 'also files that somebody else has changed since; those changes are lost' },
			yes: { description: 'do not ask' },
		},
		notes: [
			'The message is a number of prowess thread messages. It lists what will change before it asks.',
			'Exit code 1 when a file was left alone, or when you said no. prowess thread redo takes it back.',
		],
		load: async () => (await import('./records/restores.ts')).restoreThreadCommand,
	},
	{
		name: 'thread redo',
		summary: 'take the last restore of a conversation back',
		operands: '<id>',
		operandCount: [1, 1],
		options: { ...ofFolder },
		load: async () => (await import('./records/restores.ts')).redoRestore,
	},
	{
		name: 'thread delete',
		summary: 'delete a conversation; the ledger keeps what was done',
		operands: '<id>',
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./records/threads.ts')).deleteThread,
	},
	...createReplayCommands(async () => (await import('./run/from-step-command.ts')).goOnCommand),
	...evalCommands,
	...agentCommands,
	...scheduleCommands,
	...goalCommands,
	...backgroundCommands,
	{
		name: 'acp',
		summary: 'serve an editor over the Agent Client Protocol',
		operandCount: [0, 0],
		options: ofAcp,
		notes: ['An editor starts it; docs/acp.md says how.'],
		load: async () => (await import('./acp/acp-command.ts')).serveAcpCommand,
	},
	...doorCommands,
	...worktreeCommands,
	...scriptCommands,
	{
		name: 'trace list',
		summary: 'list the latest turns of a conversation, or of all, with how each ended',
		operands: '[<thread id>]',
		operandCount: [0, 1],
		options: { limit: { value: 'N', description: 'number of turns to show (default: 50)' }, json },
		load: async () => (await import('./records/traces.ts')).listTraces,
	},
	{
		name: 'trace show',
		summary: 'show the stages and calls of a turn, with their times',
		operands: '<turn id>',
		operandCount: [1, 1],
		options: { json },
		load: async () => (await import('./records/traces.ts')).showTrace,
	},
	{
		name: 'change list',
		summary: 'list changed files that can be undone',
		operands: '[<run id> | <thread id> [<path>]]',
		operandCount: [0, 2],
		options: { ...ofFolder, json },
		notes: [
			'Without an id: what threads have changed, and capabilities outside of threads up to 30 days ago. With a path: its hunks, each with its number.',
		],
		load: async () => (await import('./records/changes.ts')).listChanges,
	},
	{
		name: 'change undo',
		summary: 'restore files as they were before a run or a thread changed them',
		operands: '<run id> | <thread id> [<path>…]',
		operandCount: [1, anyNumber],
		options: {
			...ofFolder,
			force: { description: 'also files that were changed again since; those changes are lost' },
			hunk,
		},
		notes: [
			'Without a path: all its files. Exit code 1 when a file was left alone because it was changed again since.',
		],
		load: async () => (await import('./records/changes.ts')).undoChangesCommand,
	},
	{
		name: 'change keep',
		summary: 'accept changed files; they can no longer be undone',
		operands: '<run id> | <thread id> [<path>…]',
		operandCount: [1, anyNumber],
		options: { ...ofFolder, hunk },
		load: async () => (await import('./records/changes.ts')).keepChangesCommand,
	},
	{
		name: 'ledger list',
		summary: 'list decisions and effects, newest first, one line for each',
		operandCount: [0, 0],
		options: {
			...ledgerFilters,
			result: {
				value: 'RESULT',
				choices: ends,
				description: `only what ended so: ${ends.join(', ')} (without a result)`,
			},
			all: { description: 'also the bookkeeping of the agent' },
			limit: { value: 'N', description: 'number of lines to show (default: 20)' },
			json,
		},
		notes: ['With --json: the rows of the ledger as they are recorded, two for most effects.'],
		load: async () => (await import('./records/ledger.ts')).listLedger,
	},
	{
		name: 'ledger show',
		summary: 'show everything recorded about an op',
		operands: '<op id> | <writer>:<number>',
		operandCount: [1, 1],
		options: { json },
		load: async () => (await import('./records/ledger.ts')).showLedger,
	},
	{
		name: 'ledger verify',
		summary: 'check that no row was changed or removed',
		operandCount: [0, 0],
		options: {
			json,
			anchors: { value: 'FILE', description: 'also compare with anchors that were kept elsewhere, one per line' },
		},
		notes: ['Exit code 1 if a chain is broken, or if damage was not acknowledged.'],
		load: async () => (await import('./records/ledger.ts')).verifyLedger,
	},
	{
		name: 'ledger acknowledge',
		summary: 'stop reporting damage of the ledger that you have looked at',
		operandCount: [0, 0],
		options: {},
		load: async () => (await import('./records/ledger.ts')).acknowledgeLedger,
	},
	{
		name: 'ledger export',
		summary: 'print the ledger, oldest first',
		operandCount: [0, 0],
		options: {
			...ledgerFilters,
			format: { value: 'FORMAT', choices: ['jsonl', 'csv'], description: 'output format (default: jsonl)' },
		},
		load: async () => (await import('./records/ledger.ts')).exportLedgerCommand,
	},
	...capabilityCommands,
	...marketplaceCommands,
	...memoryCommands,
	...codeCommands,
	...mcpCommands,
	...hookCommands,
	{
		name: 'ledger redact-preview',
		summary: 'show what would be redacted in a text from standard input',
		operandCount: [0, 0],
		options: {},
		load: async () => (await import('./records/ledger.ts')).previewRedactionCommand,
	},
	{
		name: 'policy test',
		summary: 'show how an op would be judged, without running or recording it',
		operands: '<op> <params as JSON | path | command…>',
		operandCount: [1, anyNumber],
		options: { ...ofWorkspace, json },
		notes: ['Put -- before a command with options: prowess policy test shell.run -- git push --force'],
		load: async () => (await import('./records/policy.ts')).testPolicy,
	},
	{
		name: 'policy show',
		summary: 'list the rules in effect',
		operandCount: [0, 0],
		options: { ...ofWorkspace, json },
		load: async () => (await import('./records/policy.ts')).showPolicy,
	},
	{
		name: 'policy validate',
		summary: 'check a file with the rules of an organisation',
		operands: '[<file>]',
		operandCount: [0, 1],
		options: { json },
		notes: ['Without a file: the one in the folder of the system. See docs/policy.md.'],
		load: async () => (await import('./records/organisation.ts')).validateRules,
	},
	{
		name: 'policy sign',
		summary: 'sign a file with the rules of an organisation, to put both at an address',
		operands: '<file>',
		operandCount: [1, 1],
		options: { key: { value: 'FILE', description: 'ed25519 private key (PEM) that signs' }, json },
		notes: ['Writes <file>.sig, and prints the public key for the folder of the system.'],
		load: async () => (await import('./records/organisation.ts')).signRulesCommand,
	},
	{
		name: 'approvals list',
		summary: 'list what you have allowed until further notice',
		operandCount: [0, 0],
		options: { json },
		notes: [
			'Rules of every project and of all projects, trusted capabilities, hosts, and the names of stored secrets.',
		],
		load: async () => (await import('./records/approvals.ts')).listApprovals,
	},
	{
		name: 'approvals revoke',
		summary: 'no longer allow something: it is asked about again',
		operands: '<id as `approvals list` shows it>… | --all',
		operandCount: [0, anyNumber],
		options: { all: { description: 'everything; secrets stay stored' }, json },
		notes: ['Takes effect at once in every window. To undo it, answer "always" again when you are asked.'],
		load: async () => (await import('./records/approvals.ts')).revokeApprovals,
	},
	{
		name: 'usage',
		summary: 'print what models have used in the last hour, today and this month, and what your quotas leave',
		operandCount: [0, 0],
		options: {
			judgement: { description: 'instead, how often you have overruled fast answers, strategies, guards and memories' },
			again: { value: 'NAME', description: 'switch a fast answer or strategy on again in the folder' },
			workspace: { value: 'DIR', description: 'folder of --again (default: current folder)' },
			json,
		},
		notes: ['Of all windows and command lines that share PROWESS_HOME. Quotas are the settings prowess.quotas.*.'],
		load: async () => (await import('./records/usage.ts')).showUsage,
	},
	{
		name: 'telemetry test',
		summary: 'send one span to a collector of OpenTelemetry, to see whether it takes it',
		operands: '[<url>]',
		operandCount: [0, 1],
		options: {},
		notes: ['Without an address: to the collector of prowess.telemetry. See docs/telemetry.md.'],
		load: async () => (await import('./records/telemetry.ts')).testTelemetry,
	},
	{
		name: 'secrets set',
		summary: 'store a secret that capabilities can use by name',
		operands: '<name>',
		operandCount: [1, 1],
		options: {},
		notes: [
			'Type the value unseen, or read it from standard input: prowess secrets set github < token.txt',
			'The value is kept as plain text in a file that only you can read. See docs/security.md.',
		],
		load: async () => (await import('./records/secrets.ts')).setSecret,
	},
	{
		name: 'secrets remove',
		summary: 'remove a stored secret',
		operands: '<name>',
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./records/secrets.ts')).removeSecret,
	},
	{
		name: 'secrets list',
		summary: 'list the names of secrets and where each comes from',
		operandCount: [0, 0],
		options: { json },
		notes: [
			'PROWESS_SECRET_GITHUB in the environment is the secret GITHUB and overrides a stored one. Values are never shown.',
		],
		load: async () => (await import('./records/secrets.ts')).listSecrets,
	},
	{
		name: 'commit-message',
		summary: 'have the model write a commit message for your changes',
		operandCount: [0, 0],
		options: { ...ofFolder, ...modelOptions, ...approval },
		notes: [
			'For what is staged, else for what has changed. It only prints: git commit -e -m "$(prowess commit-message)"',
			'Files that may hold secrets are left out.',
		],
		load: async () => (await import('./run/commit-message.ts')).commitMessageCommand,
	},
	{
		name: 'doctor',
		summary: 'check what Prowess needs on this machine',
		operandCount: [0, 0],
		options: { ...modelOptions, json },
		notes: ['Exit code 1 if something required is missing.'],
		load: async () => (await import('./doctor.ts')).doctor,
	},
];
