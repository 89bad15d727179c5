/** `prowess capability …` and `prowess executor …`: a part of the table of commands. */
import type { CommandDef, OptionDef } from './command.ts';
import { json, modelOptions, ofType } from './shared-options.ts';

const whoseCapabilities = {
	workspace: { value: 'DIR', description: 'whose capabilities too, when it is trusted; default: the current folder' },
	trust: { description: 'trust that folder, now and later: its files may steer what is run' },
} as const satisfies Record<string, OptionDef>;

export const capabilityCommands: readonly CommandDef[] = [
	{
		name: 'capability run',
		summary: 'run a capability and print its result',
		operands: '<name> | <folder>',
		operandCount: [1, 1],
		options: {
			workspace: { value: 'DIR', description: 'folder it works on; default: the current one' },
			...ofType,
			...modelOptions,
			params: { value: 'JSON', description: 'what it is given; default {}' },
			timeout: { value: 'MS', description: 'most milliseconds of running time; default: no limit' },
			approve: {
				value: 'MODE',
				choices: ['never', 'ask', 'auto'],
				description: 'who says yes to it and to what it does; default: ask with a terminal, else never',
			},
			trust: { description: 'trust the folder, now and later: its files may steer what is run' },
			json: { description: 'the whole result as JSON on standard output' },
		},
		notes: [
			'A name is looked for in the folder, then among what is yours, then among what came with Prowess: docs/capability-folders.md.',
			'Exit code: 0 done, 1 failed, 2 wrong usage, 130 stopped.',
		],
		load: async () => (await import('./capability.ts')).runCapability,
	},
	{
		name: 'capability list',
		summary: 'list the capabilities that can be run here',
		operandCount: [0, 0],
		options: { ...whoseCapabilities, type: { value: 'TYPE', description: 'only this type, e.g. skill' }, json },
		notes: ['Those that cannot be used are told on standard error, with the reason.'],
		load: async () => (await import('./capability-list.ts')).listCapabilities,
	},
	{
		name: 'capability ps',
		summary: 'list what runs now, in every window and command line of yours',
		operandCount: [0, 0],
		options: { json },
		load: async () => (await import('./capability-running.ts')).listRunning,
	},
	{
		name: 'capability stop',
		summary: 'stop what runs, wherever it was started',
		operands: '<execution id>',
		operandCount: [1, 1],
		options: { json },
		notes: [
			'"prowess capability ps" shows the ids. Exit code 0 when nothing of it is left, 1 when there is no such one or its host does not answer.',
		],
		load: async () => (await import('./capability-running.ts')).stopRunning,
	},
	{
		name: 'capability show',
		summary: 'show all that is known of a capability: what it asks for, what it takes the place of, what is wrong',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...whoseCapabilities,
			...ofType,
			json,
		},
		load: async () => (await import('./capability-list.ts')).showCapability,
	},
	...(['enable', 'disable'] as const).map((verb): CommandDef => ({
		name: `capability ${verb}`,
		summary:
			verb === 'enable'
				? 'switch a capability on that is off, for you'
				: 'switch a capability off, for you: neither you nor the agent can start it, whoever put it there',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...ofType,
			source: {
				value: 'SOURCE',
				choices: ['built-in', 'global', 'project'],
				description: 'of several of that name, this one; default: the one that counts',
			},
			...whoseCapabilities,
			json,
		},
		load: async () => (await import('./capability-switch.ts'))[verb],
	})),
	{
		name: 'capability validate',
		summary: 'check folders of capabilities and executors, without running anything',
		operands: '[<folder>…]',
		operandCount: [0, 600],
		options: {
			workspace: { value: 'DIR', description: 'whose capabilities, when no folder is named; default: the current one' },
			trust: { description: 'trust that folder, now and later: its files may steer what is run' },
			json,
		},
		notes: ["Without a folder, all that are yours or the project's. Exit code 1 when one cannot be used."],
		load: async () => (await import('./capability-folders.ts')).validateCapabilities,
	},
	{
		name: 'capability new',
		summary: 'write a new capability, as a beginning',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			type: { value: 'TYPE', description: 'skill, power, talent or a type of your own; default skill' },
			description: { value: 'TEXT', description: 'what it does, in one sentence; you and the agent choose by it' },
			workspace: { value: 'DIR', description: 'the project it is for; default: the current folder' },
			global: { description: 'for you, in every project' },
			json,
		},
		load: async () => (await import('./capability-folders.ts')).newCapability,
	},
	{
		name: 'executor list',
		summary: 'list the programs that run capabilities, and which types each runs',
		operandCount: [0, 0],
		options: { ...whoseCapabilities, json },
		load: async () => (await import('./executor-list.ts')).listExecutors,
	},
	{
		name: 'executor show',
		summary: 'show all that is known of an executor: what it runs, how it is reached, what is wrong',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...whoseCapabilities, json },
		load: async () => (await import('./executor-list.ts')).showExecutor,
	},
];
