/** `prowess goal …`, `prowess schedule …` and `prowess script …`: a part of the table of commands. */
import type { Mode } from '../../protocol/thread/thread.ts';
import type { CommandDef } from '../invocation/command.ts';
import { approval, encoding, json, listUnionNames, modelOptions, ofWork } from '../invocation/shared-options.ts';

const workspace = { value: 'DIR', description: 'folder to work on (default: current folder)' } as const;
const modes = listUnionNames<Mode>({ agent: 0, ask: 0, plan: 0 });
const trustOption = { description: 'trust this folder from now on' } as const;

export const scriptCommands: readonly CommandDef[] = [
	{
		name: 'script check',
		summary: 'show the steps of a script, or what is wrong with it; nothing runs',
		operands: '<file.yaml>',
		operandCount: [1, 1],
		options: { workspace, trust: trustOption, json },
		notes: [],
		load: async () => (await import('./scripts.ts')).checkScript,
	},
	{
		name: 'script run',
		summary: 'run a script of ops and capabilities, or go on behind the step that failed',
		operands: '<file.yaml>',
		operandCount: [1, 1],
		options: {
			workspace,
			encoding,
			trust: trustOption,
			anew: { description: 'begin at the first step, whatever an earlier run has done' },
			repeat: { value: 'STEP', description: 'do a step again of which it is not known whether it took effect' },
			skip: { value: 'STEP', description: 'count such a step as done' },
			...approval,
			json,
		},
		notes: ['A script that was changed begins anew. What is done is not done again.'],
		load: async () => (await import('./scripts.ts')).runScript,
	},
	{
		name: 'script keep',
		summary: 'keep a script as a skill of yours',
		operands: '<file.yaml> <name>',
		operandCount: [2, 2],
		options: { workspace, trust: trustOption },
		notes: [],
		load: async () => (await import('./scripts.ts')).keepScript,
	},
];

// Not taken from the schemas, which take longer to load.
const scheduleIdOperand = '<id as `schedule list` shows it>';

export const scheduleCommands: readonly CommandDef[] = [
	{
		name: 'schedule add',
		summary: 'run a prompt, or be reminded, at set times or when a condition holds',
		operands: '"<when>" "<prompt>" | "<when and prompt>"',
		operandCount: [1, 2],
		options: {
			workspace: ofWork,
			trust: trustOption,
			zone: { value: 'ZONE', description: 'time zone, for example Europe/Berlin (default: that of this machine)' },
			mode: {
				value: 'MODE',
				choices: modes,
				description: 'what a run may do at all, as in `run --mode` (default: ask, which only reads)',
			},
			questions: {
				value: 'POLICY',
				choices: ['wait', 'refuse'],
				description: 'what needs your approval waits for you, or is refused at once (default: refuse)',
			},
			missed: {
				value: 'POLICY',
				choices: ['skip', 'once', 'each'],
				description: 'runs for which no host was there: none, one for all of them, or each (default: once)',
			},
			most: {
				value: 'N',
				description: 'with --missed each, at most so many (default: 10); with "whenever …", runs at most (default: 20)',
			},
			agree: { description: 'run the command of a condition with each poll, also where it does more than read' },
			for: { value: 'TIME', description: 'how long a condition is waited for, or until when (default: 7 days)' },
			reminder: { description: 'show the text at that time; no model is asked' },
			json,
		},
		notes: [
			'When: words such as "every weekday at 9", "jeden Montag um 8", "tomorrow at 7", or a cron expression of five fields.',
			'A condition in place of a time: "when src/api changes", "when branch main moves"; see docs/schedules.md.',
			'A run uses the models and rules of your settings, and in an editor their permission level. Nothing is approved because you are away.',
		],
		load: async () => (await import('./schedules.ts')).addSchedule,
	},
	{
		name: 'schedule list',
		summary: 'list schedules, when each runs next and how its last run went',
		operandCount: [0, 0],
		options: { json },
		load: async () => (await import('./schedules.ts')).listSchedules,
	},
	{
		name: 'schedule pause',
		summary: 'pause a schedule',
		operands: scheduleIdOperand,
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./schedules.ts')).pauseSchedule,
	},
	{
		name: 'schedule resume',
		summary: 'resume a paused schedule; runs it has missed are not made up for',
		operands: scheduleIdOperand,
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./schedules.ts')).resumeSchedule,
	},
	{
		name: 'schedule delete',
		summary: 'delete a schedule; threads of its runs stay',
		operands: scheduleIdOperand,
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./schedules.ts')).deleteSchedule,
	},
	{
		name: 'schedule run',
		summary: 'run all that is due, or one schedule now',
		operands: '[<id>]',
		operandCount: [0, 1],
		options: { ...modelOptions, json },
		notes: [
			'Let the scheduler of your system call it every minute; docs/schedules.md has sample files.',
			'Only folders that you have trusted are worked on. Whatever is due runs once, also beside open windows.',
			'Exit code: 0 all done or nothing was due, 1 a run failed, 2 wrong usage.',
		],
		load: async () => (await import('./run-schedules.ts')).runSchedules,
	},
];

/** Most that the rounds of `goal until` may use together. Not taken from the schemas, which take longer to load. */
const roundLimits = {
	rounds: { value: 'N', description: 'at most so many turns (default: 20)' },
	tokens: { value: 'N', description: 'at most so many tokens (default: 2000000)' },
	cost: { value: 'USD', description: 'at most so many US dollars (default: 10)' },
	minutes: { value: 'N', description: 'at most so many minutes of work (default: 120)' },
};

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
			workspace: ofWork,
			step,
			mode: { value: 'MODE', choices: modes, description: 'what its steps may do at all (default: agent)' },
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
		options: { encoding, ...modelOptions, ...approval, json },
		notes: [
			'A step that a killed process had begun is continued; what it did is not repeated.',
			'Exit code: 0 it is done, 1 a step is not done, 3 a step needs you.',
		],
		load: async () => (await import('./goals.ts')).runGoal,
	},
	{
		name: 'goal until',
		summary: 'work in a folder until a condition holds, or a limit is reached',
		operands: '"<condition>"',
		operandCount: [1, 1],
		options: {
			workspace: ofWork,
			encoding,
			trust: trustOption,
			check: {
				value: 'COMMAND',
				description:
					'command that decides with its exit code, or `judge`: a model decides (default: one is looked for)',
			},
			...roundLimits,
			...modelOptions,
			...approval,
			json,
		},
		notes: [
			'Exit code: 0 it holds, 1 it does not, as when a limit is reached, 3 it needs you.',
			'What the agent says decides nothing. You agree to the command once. Then it runs without a question, unless what it runs has changed.',
		],
		load: async () => (await import('./goal-until.ts')).untilCommand,
	},
	{
		name: 'goal mark',
		summary: 'count a step that is not done as done, so that those after it can begin',
		operands: `${goalIdOperand} <number of the step>`,
		operandCount: [2, 2],
		options: {},
		notes: [],
		load: async () => (await import('./goals.ts')).markStep,
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
		summary: 'have a step that is not done worked on again, a condition with all its rounds',
		operands: `${goalIdOperand} <number of the step>`,
		operandCount: [2, 2],
		options: roundLimits,
		notes: ['A limit that is not named stays as it is for this goal; the defaults are those of a new one.'],
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
