/** Options that mean the same in several parts of the table of commands. */
import type { ApprovalMode } from '../../contract/ports/ports.ts';
import type { ProviderKind } from '../../protocol/turn/models.ts';
import type { OptionDef } from './command.ts';

// Not taken from the schemas: the help, and the start of the server, need not wait until those are loaded.
const providerKinds = listUnionNames<ProviderKind>({ anthropic: 0, openai: 0, google: 0, 'openai-compatible': 0 });

/** Options of every command. */
export const commonOptions: Readonly<Record<string, OptionDef>> = {
	verbose: { description: 'print the log to standard error' },
	help: { description: 'show this help' },
};

/** Selects a hunk by the number that `change list` gives it. */
export const hunk: OptionDef = { value: 'N', description: 'only this hunk of the path' };

export const json: OptionDef = { description: 'print JSON' };

/** Encoding of files for which only a guess would be possible. */
export const encoding: OptionDef = {
	value: 'NAME',
	description: 'encoding of texts that do not tell their own, such as gbk or koi8-r (default: utf-8, else guessed)',
};

/** Folder that the agent or a capability works on. */
export const ofWork: OptionDef = { value: 'DIR', description: 'folder to work on (default: current folder)' };

export const ofTrust: OptionDef = { description: 'trust that folder from now on; its files can control what runs' };

/** Folder that a command reads, with its files. */
export const ofFolder = {
	encoding,
	workspace: { value: 'DIR', description: 'folder whose files they are; default: the current one' },
	trust: { description: 'trust that folder, now and later: its files may steer what is run' },
} as const satisfies Record<string, OptionDef>;

export const ofType = {
	type: { value: 'TYPE', description: 'which type, if several have the name, for example skill' },
} as const satisfies Record<string, OptionDef>;

export const modelOptions = {
	provider: {
		value: 'ID',
		description: `tour, ${providerKinds.join(', ')}, or the id of a provider in settings.json`,
	},
	'base-url': { value: 'URL', description: 'base URL of the provider, for this command only' },
	model: { value: 'ID', description: 'model of that provider (default: its first)' },
} as const satisfies Record<string, OptionDef>;

export const ofAcp = {
	encoding,
	...modelOptions,
	protocol: { value: 'N', choices: ['1', '2'], description: '2: speak the draft, too' },
} as const satisfies Record<string, OptionDef>;

export const approvalModes = listUnionNames<ApprovalMode>({ never: 0, ask: 0, edit: 0, auto: 0, full: 0 });

export const approval = {
	approve: {
		value: 'MODE',
		choices: approvalModes,
		description: 'who approves what no rule decides (default: ask in a terminal, otherwise never)',
	},
} as const satisfies Record<string, OptionDef>;

export const approvalNotes: readonly string[] = [
	'--approve edit allows file changes that can be undone, and no command.',
	'--approve auto allows what stays inside the folder: file changes, and commands in their sandbox.',
	'--approve full also allows commands without a sandbox. Use it only in a container.',
];

/** All of them: a name that is missing does not compile. */
export function listUnionNames<Name extends string>(names: Readonly<Record<Name, 0>>): readonly Name[] {
	return Object.keys(names) as Name[];
}
