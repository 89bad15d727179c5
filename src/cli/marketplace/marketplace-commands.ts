/** `prowess marketplace …`: a part of the table of commands. */
import type { CommandDef, OptionDef } from '../invocation/command.ts';
import { json, ofType } from '../invocation/shared-options.ts';

const marketplaceOptions = {
	workspace: { value: 'DIR', description: 'project folder (default: current folder)' },
	from: {
		value: 'INDEX',
		description: 'also search this folder, https address or Git repository, such as owner/repo#branch:folder',
	},
	json,
} as const satisfies Record<string, OptionDef>;
const scope = {
	scope: {
		value: 'SCOPE',
		choices: ['global', 'project'],
		description: 'for you in every project, or for this project (default: global)',
	},
	trust: { description: 'trust the project folder from now on; its files can control what runs' },
} as const satisfies Record<string, OptionDef>;
const indexOption = {
	index: { value: 'INDEX', description: 'name or location of the index to use' },
} as const satisfies Record<string, OptionDef>;
const aName = '<name>[@<version or index>]';
const installed = {
	operands: '<name>',
	operandCount: [1, 1] as const,
	options: { ...ofType, ...scope, ...marketplaceOptions },
};
const switchDefinition = {
	...installed,
	options: {
		...installed.options,
		part: {
			value: 'PART',
			description: 'only this part of a plugin: hooks, skill:NAME, command:NAME, agent:NAME, server:NAME',
		},
	},
};

export const marketplaceCommands: readonly CommandDef[] = [
	{
		name: 'marketplace search',
		summary: 'find capabilities to install',
		operands: '[<text>…]',
		operandCount: [0, 20],
		options: {
			...ofType,
			tag: { value: 'TAG', description: 'only capabilities with this tag' },
			...indexOption,
			asks: { value: 'PERMISSION', description: 'only capabilities that ask for this, such as shell' },
			scripts: { description: 'only capabilities that hold programs, or may: an archive is not opened to find out' },
			problems: { description: 'print every problem of an index, not only the first five' },
			...marketplaceOptions,
		},
		notes: ['Exit code 1 if no index could be read.'],
		load: async () => (await import('./marketplace.ts')).search,
	},
	{
		name: 'marketplace show',
		summary: 'download and check a capability, and show its permissions and files; installs nothing',
		operands: aName,
		operandCount: [1, 1],
		options: { ...ofType, ...indexOption, ...marketplaceOptions },
		load: async () => (await import('./marketplace.ts')).showMarketplaceItem,
	},
	{
		name: 'marketplace install',
		summary: 'install a capability; it stays disabled',
		operands: aName,
		operandCount: [1, 1],
		options: {
			...ofType,
			...indexOption,
			...scope,
			content: { value: 'HASH', description: 'install only this content hash, as printed by "show"' },
			...marketplaceOptions,
		},
		notes: ['Enable it with: prowess marketplace enable <name>'],
		load: async () => (await import('./marketplace.ts')).installMarketplaceItem,
	},
	{
		name: 'marketplace list',
		summary: 'list installed capabilities',
		operandCount: [0, 0],
		options: { workspace: marketplaceOptions.workspace, json },
		load: async () => (await import('./marketplace.ts')).listInstalledItems,
	},
	{
		name: 'marketplace update',
		summary: 'update one or all installed capabilities, and show what changes',
		operands: '[<name>]',
		operandCount: [0, 1],
		options: { ...installed.options, 'dry-run': { description: 'only show what would change' } },
		notes: ['An update with more permissions is disabled. "rollback" restores the previous version.'],
		load: async () => (await import('./marketplace.ts')).updateInstalledItems,
	},
	{
		name: 'marketplace rollback',
		summary: 'restore the version before the last update',
		...installed,
		load: async () => (await import('./marketplace.ts')).rollBackInstalled,
	},
	{
		name: 'marketplace remove',
		summary: 'remove an installed capability',
		...installed,
		options: {
			...installed.options,
			data: {
				value: 'WHAT',
				choices: ['keep', 'remove'],
				description: 'what becomes of data that a plugin has kept (default: asks in a terminal, else keeps it)',
			},
		},
		load: async () => (await import('./marketplace.ts')).removeInstalled,
	},
	{
		name: 'marketplace enable',
		summary: 'enable an installed capability or plugin; running it still asks for your consent',
		...switchDefinition,
		load: async () => (await import('./marketplace.ts')).enableInstalled,
	},
	{
		name: 'marketplace disable',
		summary: 'disable an installed capability or plugin',
		...switchDefinition,
		load: async () => (await import('./marketplace.ts')).disableInstalled,
	},
	{
		name: 'marketplace pack',
		summary: 'create an archive of a capability',
		operands: '<folder>',
		operandCount: [1, 1],
		options: { out: { value: 'DIR', description: 'output folder (default: current folder)' }, json },
		notes: [
			'The same files always create the same archive, byte for byte.',
			'Its cases in tests/ are run first, in the sandbox. One that fails keeps it from being packed.',
		],
		load: async () => (await import('./marketplace-author.ts')).pack,
	},
	{
		name: 'marketplace index',
		summary: 'write index.json for a folder of archives and capabilities',
		operands: '<folder>',
		operandCount: [1, 1],
		options: {
			name: { value: 'NAME', description: 'name of the index (default: name of the folder)' },
			key: { value: 'FILE', description: 'ed25519 private key (PEM) that signs the index' },
			expires: { value: 'TIME', description: 'when the index expires, for example 2027-01-31T00:00:00Z' },
			revoke: {
				value: 'VERSION',
				isRepeatable: true,
				description: 'take back type/name or type/name@version: it is disabled wherever it is installed',
			},
			json,
		},
		load: async () => (await import('./marketplace-author.ts')).writeIndexCommand,
	},
];
