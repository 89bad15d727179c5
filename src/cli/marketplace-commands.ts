/** `prowess marketplace …`: a part of the table of commands. */
import type { CommandDef, OptionDef } from './command.ts';
import { json, ofType } from './shared-options.ts';

const common = {
	workspace: { value: 'DIR', description: 'folder of the project; default: the current one' },
	from: { value: 'INDEX', description: 'look in this folder, https address or Git repository, too' },
	json,
} as const satisfies Record<string, OptionDef>;
const scope = {
	scope: {
		value: 'SCOPE',
		choices: ['global', 'project'],
		description: 'for you, everywhere, or for the project; default global',
	},
	trust: { description: 'trust the folder of the project, now and later: its files may steer what is run' },
} as const satisfies Record<string, OptionDef>;
const index = {
	index: { value: 'INDEX', description: 'name or location of the one index that is meant' },
} as const satisfies Record<string, OptionDef>;
const aName = '<name>[@<version>]';
const installed = { operands: '<name>', operandCount: [1, 1] as const, options: { ...ofType, ...scope, ...common } };

export const marketplaceCommands: readonly CommandDef[] = [
	{
		name: 'marketplace search',
		summary: 'find capabilities to install',
		operands: '[<text>…]',
		operandCount: [0, 20],
		options: { ...ofType, tag: { value: 'TAG', description: 'only those with this tag' }, ...common },
		notes: ['Exit code 1 when no index could be read.'],
		load: async () => (await import('./marketplace.ts')).search,
	},
	{
		name: 'marketplace show',
		summary: 'fetch and check a capability, and say what it asks for and holds; installs nothing',
		operands: aName,
		operandCount: [1, 1],
		options: { ...ofType, ...index, ...common },
		load: async () => (await import('./marketplace.ts')).show,
	},
	{
		name: 'marketplace install',
		summary: 'install a capability, switched off',
		operands: aName,
		operandCount: [1, 1],
		options: {
			...ofType,
			...index,
			...scope,
			content: { value: 'HASH', description: 'only when its content is this one, as "show" says it' },
			...common,
		},
		notes: ['It can be run after: prowess marketplace enable <name>'],
		load: async () => (await import('./marketplace.ts')).install,
	},
	{
		name: 'marketplace list',
		summary: 'list what is installed',
		operandCount: [0, 0],
		options: { workspace: common.workspace, json },
		load: async () => (await import('./marketplace.ts')).list,
	},
	{
		name: 'marketplace update',
		summary: 'update one or all of what is installed, and say what changes',
		operands: '[<name>]',
		operandCount: [0, 1],
		options: { ...installed.options, 'dry-run': { description: 'only say what would change' } },
		notes: ['What may do more than before is switched off. "rollback" brings the old version back.'],
		load: async () => (await import('./marketplace.ts')).update,
	},
	{
		name: 'marketplace rollback',
		summary: 'bring back the version before the last update',
		...installed,
		load: async () => (await import('./marketplace.ts')).rollBack,
	},
	{
		name: 'marketplace remove',
		summary: 'remove what was installed',
		...installed,
		load: async () => (await import('./marketplace.ts')).remove,
	},
	{
		name: 'marketplace enable',
		summary: 'switch on what was installed; running it still asks for your consent',
		...installed,
		load: async () => (await import('./marketplace.ts')).enable,
	},
	{
		name: 'marketplace disable',
		summary: 'switch off what was installed',
		...installed,
		load: async () => (await import('./marketplace.ts')).disable,
	},
	{
		name: 'marketplace pack',
		summary: 'make an archive of a capability',
		operands: '<folder>',
		operandCount: [1, 1],
		options: { out: { value: 'DIR', description: 'where to put it; default: the current folder' }, json },
		notes: ['The same files make the same archive, byte for byte.'],
		load: async () => (await import('./marketplace-author.ts')).pack,
	},
	{
		name: 'marketplace index',
		summary: 'write index.json for a folder of archives and capabilities',
		operands: '<folder>',
		operandCount: [1, 1],
		options: {
			name: { value: 'NAME', description: 'what the index is called; default: the name of the folder' },
			key: { value: 'FILE', description: 'ed25519 private key (PEM) to sign with' },
			expires: { value: 'TIME', description: 'when it counts as out of date, e.g. 2027-01-31T00:00:00Z' },
			json,
		},
		load: async () => (await import('./marketplace-author.ts')).index,
	},
];
