/** `prowess goal …`: a part of the table of commands. */
import type { Mode } from '../../protocol/thread/thread.ts';
import type { CommandDef } from '../invocation/command.ts';
import { approval, json, modelOptions, listUnionNames } from '../invocation/shared-options.ts';

// Not taken from the schemas, which take longer to load.
const goalModes = listUnionNames<Mode>({ agent: 0, ask: 0, plan: 0 });
const goalIdOperand = '<id as `goal list` shows it>';
const step = {
	value: 'TEXT',
	isRepeatable: true,
	description: 'a step; repeat it, in order. "(after 1, 2)" at its end: it waits for these, not for the one before',
} as const;

export const goalCommands: readonly CommandDef[] = [
	{
		name: 'goal add',
		summary: 'plan work of up to 8 steps that survives the end of a process',
		operands: '"<title>"',
		operandCount: [1, 1],
		options: {
			workspace: { value: 'DIR', description: 'folder to work on (default: current folder)' },
			step,
			mode: { value: 'MODE', choices: goalModes, description: 'what its steps may do at all (default: agent)' },
			json,
		},
		notes: ['Nothing runs yet; "goal run" begins.'],
		load: async () => (await import('./goals.ts')).addGoalCommand,
	},
	{
		name: 'goal list',
		summary: 'list goals and how far they are',
		operands: '',
		operandCount: [0, 0],
		options: { json },
		notes: [],
		load: async () => (await import('./goals.ts')).listGoals,
	},
	{
		name: 'goal run',
		summary: 'work on a goal until it is done or cannot go on',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: { ...modelOptions, ...approval, json },
		notes: ['A step that a killed process had begun is continued; what it did is not repeated.'],
		load: async () => (await import('./run-goal.ts')).runGoal,
	},
	{
		name: 'goal replan',
		summary: 'give other steps in place of those that are not done',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: { step },
		notes: ['At most 3 times within 5 minutes. Numbers after "after" count all steps, those that are done first.'],
		load: async () => (await import('./goals.ts')).replanGoal,
	},
	{
		name: 'goal retry',
		summary: 'have a failed step worked on again',
		operands: `${goalIdOperand} <number of the step>`,
		operandCount: [2, 2],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).retryStep,
	},
	{
		name: 'goal pause',
		summary: 'begin no further step of a goal',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).pauseGoal,
	},
	{
		name: 'goal resume',
		summary: 'let a paused goal go on with "goal run"',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).resumeGoal,
	},
	{
		name: 'goal cancel',
		summary: 'end a goal, and the step of it that runs',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).cancelGoal,
	},
	{
		name: 'goal delete',
		summary: 'forget a goal; its thread and what was done stay',
		operands: goalIdOperand,
		operandCount: [1, 1],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).deleteGoal,
	},
];
