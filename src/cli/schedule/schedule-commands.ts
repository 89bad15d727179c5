/** `prowess schedule …`: a part of the table of commands. */
import type { Mode } from '../../protocol/thread/thread.ts';
import type { CommandDef } from '../invocation/command.ts';
import { json, modelOptions, listUnionNames } from '../invocation/shared-options.ts';

// Not taken from the schemas, which take longer to load.
const scheduleModes = listUnionNames<Mode>({ agent: 0, ask: 0, plan: 0 });
const scheduleIdOperand = '<id as `schedule list` shows it>';

export const scheduleCommands: readonly CommandDef[] = [
	{
		name: 'schedule add',
		summary: 'run a prompt, or be reminded, at set times',
		operands: '"<when>" "<prompt>" | "<when and prompt>"',
		operandCount: [1, 2],
		options: {
			workspace: { value: 'DIR', description: 'folder to work on (default: current folder)' },
			zone: { value: 'ZONE', description: 'time zone, for example Europe/Berlin (default: that of this machine)' },
			mode: {
				value: 'MODE',
				choices: scheduleModes,
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
			most: { value: 'N', description: 'with --missed each, at most so many (default: 10)' },
			reminder: { description: 'show the text at that time; no model is asked' },
			json,
		},
		notes: [
			'When: words such as "every weekday at 9", "jeden Montag um 8", "tomorrow at 7", or a cron expression of five fields.',
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
