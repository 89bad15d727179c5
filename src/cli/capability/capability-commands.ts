/** `prowess capability …` and `prowess executor …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { approval, json, modelOptions, ofType, ofTrust, ofWork } from '../invocation/shared-options.ts';

const whoseCapabilities = {
	workspace: { value: 'DIR', description: 'folder whose capabilities to include if trusted (default: current folder)' },
	trust: ofTrust,
} as const satisfies Record<string, OptionDef>;

export const capabilityCommands: readonly CommandDef[] = [
	{
		name: 'capability run',
		summary: 'run a capability and print its result',
		operands: '<name> | <folder>',
		operandCount: [1, 1],
		options: {
			workspace: ofWork,
			...ofType,
			...modelOptions,
			tool: { value: 'FUNCTION', description: 'the tool to run, of a capability that has several' },
			params: { value: 'JSON', description: 'its inputs (default: {})' },
			timeout: { value: 'MS', description: 'time limit in milliseconds (default: no limit)' },
			...approval,
			trust: ofTrust,
			json: { description: 'print the whole result as JSON' },
		},
		notes: [
			'Prowess looks for a name in the folder, then among yours, then among the built-in ones. See docs/capability-folders.md.',
			'Exit code: 0 done, 1 failed, 2 wrong usage, 130 stopped.',
		],
		load: async () => (await import('./capability.ts')).runCapabilityCommand,
	},
	{
		name: 'capability list',
		summary: 'list the capabilities that can be run here',
		operandCount: [0, 0],
		options: { ...whoseCapabilities, type: { value: 'TYPE', description: 'only this type, for example skill' }, json },
		notes: ['Capabilities with problems are listed on standard error.'],
		load: async () => (await import('./capability-list.ts')).listCapabilities,
	},
	{
		name: 'capability explain',
		summary: 'say which capabilities the model is told of with a prompt, and why not the others',
		operands: '"<prompt>"',
		operandCount: [1, 1],
		options: { ...whoseCapabilities, json },
		notes: [
			'The list has 2 % of the context window of the model that is chosen, at least 1,500 tokens. See docs/capabilities.md.',
		],
		load: async () => (await import('./capability-explain.ts')).explainCapabilities,
	},
	{
		name: 'capability ps',
		summary: 'list what runs now, in all your windows and terminals',
		operandCount: [0, 0],
		options: { json },
		load: async () => (await import('./capability.ts')).listRunning,
	},
	{
		name: 'capability stop',
		summary: 'stop a running capability, wherever it was started',
		operands: '<execution id>',
		operandCount: [1, 1],
		options: { json },
		notes: [
			'"prowess capability ps" shows the ids. Exit code 0 if nothing of it is left, 1 if it does not run or its host does not answer.',
		],
		load: async () => (await import('./capability.ts')).stopRunning,
	},
	{
		name: 'capability show',
		summary: 'show a capability: its permissions, what it overrides, and its problems',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...whoseCapabilities,
			...ofType,
			json,
		},
		load: async () => (await import('./capability-list.ts')).showCapabilityCommand,
	},
	...(['enable', 'disable'] as const).map((verb): CommandDef => ({
		name: `capability ${verb}`,
		summary:
			verb === 'enable'
				? 'enable a capability for you'
				: 'disable a capability for you: neither you nor the agent can start it',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...ofType,
			source: {
				value: 'SOURCE',
				choices: ['built-in', 'global', 'project'],
				description: 'which one, if several have the name (default: the one in effect)',
			},
			...whoseCapabilities,
			json,
		},
		load: async () => {
			const { disableCapabilityCommand, enableCapabilityCommand } = await import('./capability-switch.ts');
			return verb === 'enable' ? enableCapabilityCommand : disableCapabilityCommand;
		},
	})),
	{
		name: 'capability validate',
		summary: 'check capabilities and executors without running them',
		operands: '[<folder>…]',
		operandCount: [0, anyNumber],
		options: {
			workspace: {
				value: 'DIR',
				description: 'folder whose capabilities to check if none is named (default: current folder)',
			},
			trust: ofTrust,
			strict: { description: 'judge each SKILL.md by the letter of the Agent Skills specification' },
			json,
		},
		notes: ["Without a folder, checks yours and the project's. Exit code 1 if one has errors."],
		load: async () => (await import('./capability-folders.ts')).validateCapabilities,
	},
	{
		name: 'capability test',
		summary: 'run the cases of capabilities, each on a folder of its own',
		operands: '[<name> | <folder>…]',
		operandCount: [0, anyNumber],
		options: { ...whoseCapabilities, json },
		notes: [
			'A case is a file tests/<name>.yaml beside the manifest. See docs/capability-tests.md.',
			"Without a name, runs the cases of yours and the project's. Exit code 0 if all passed, 1 if one failed or there is none.",
		],
		load: async () => (await import('./cases/test-command.ts')).testCommand,
	},
	{
		name: 'capability new',
		summary: 'create a capability from a template',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			type: {
				value: 'TYPE',
				description:
					'skill, power, talent, executor (one for a type of its name) or a type of your own (default: skill)',
			},
			as: {
				value: 'FORM',
				choices: ['program', 'node-worker', 'python-worker', 'instructions'],
				description: 'form of a skill: a program, tools in Node or Python, or only a SKILL.md (default: program)',
			},
			description: { value: 'TEXT', description: 'one-sentence description, which helps you and the agent pick it' },
			workspace: { value: 'DIR', description: 'project folder (default: current folder)' },
			global: { description: 'for you, in every project' },
			json,
		},
		load: async () => (await import('./capability-folders.ts')).newCapabilityCommand,
	},
	{
		name: 'executor list',
		summary: 'list the programs that run capabilities, and their types',
		operandCount: [0, 0],
		options: { ...whoseCapabilities, json },
		load: async () => (await import('./executor-list.ts')).listExecutors,
	},
	{
		name: 'executor show',
		summary: 'show an executor: its types, its channel, and its problems',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...whoseCapabilities, json },
		load: async () => (await import('./executor-list.ts')).showExecutor,
	},
];
