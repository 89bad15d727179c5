/** `prowess schedule add|list|pause|resume|delete`. Starts no server and reads no project. */
import type { Schedule, ScheduledRun } from '../../features/schedule/schedule.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { splitSchedule, zoneHere } from '../../features/schedule/timing.ts';
import { Mode } from '../../protocol/thread/thread.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { namedFolder } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson, printRows } from '../invocation/print-result.ts';

const MOST_MISSED = 100;

export const addSchedule: CommandAction = (invocation, context) =>
	withSchedules(invocation, context, async (schedules) => {
		const { values, switches } = invocation;
		const zone = values['zone'] ?? zoneHere();
		const { words, text } = whenAndWhat(invocation, zone);
		const missed = values['missed'] as Schedule['missed'] | undefined;
		const added = await schedules.add({
			kind: switches.has('reminder') ? 'reminder' : 'prompt',
			words,
			text,
			zone,
			mode: Mode.parse(values['mode'] ?? 'ask'),
			asks: values['questions'] === 'wait' ? 'wait' : 'refuse',
			missed,
			mostMissed: missed === 'each' ? readNumberOption(invocation, 'most', 10, MOST_MISSED) : 1,
			folder: namedFolder(invocation, openHome(context.environment), 'schedule add'),
		});
		if (switches.has('json')) {
			context.terminal.out(formatJson(added));
		} else {
			context.terminal.out(`${added.id}\n`);
			context.terminal.err(`Runs next on ${formatZonedTime(added.nextDue, added.zone)}.\n`);
		}
		return exitCodes.done;
	});

export const listSchedules: CommandAction = (invocation, context) =>
	withSchedules(invocation, context, async (schedules) => {
		const none = 'Nothing is scheduled. Add a schedule with "prowess schedule add".\n';
		return printRows(invocation, context, schedules.list(), { format: formatSchedule, none });
	});

export const pauseSchedule: CommandAction = (invocation, context) =>
	changeNamedSchedule(invocation, context, 'pause', 'Paused');
export const resumeSchedule: CommandAction = (invocation, context) =>
	changeNamedSchedule(invocation, context, 'resume', 'Resumed');
export const deleteSchedule: CommandAction = (invocation, context) =>
	changeNamedSchedule(invocation, context, 'delete', 'Deleted');

function changeNamedSchedule(
	invocation: Invocation,
	context: CommandContext,
	what: 'pause' | 'resume' | 'delete',
	done: string,
): Promise<number> {
	return withSchedules(invocation, context, async (schedules) => {
		const id = invocation.operands[0] ?? '';
		const { text } = schedules.get(id);
		await schedules[what](id);
		context.terminal.err(`${done}: ${visibleLine(text)}\n`);
		return exitCodes.done;
	});
}

function withSchedules(
	invocation: Invocation,
	context: CommandContext,
	work: (schedules: TrustedBase['schedules']) => Promise<number>,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) =>
		work((await host.trustedBase()).schedules),
	);
}

function whenAndWhat({ operands }: Invocation, zone: string): { readonly words: string; readonly text: string } {
	const [first = '', second] = operands;
	const found = second === undefined ? splitSchedule(first, zone) : { words: first, text: second };
	if (found === undefined) {
		throw new UsageError(
			'schedule add: name when and what, such as `schedule add "every weekday at 9" "list open issues"`',
		);
	}
	return found;
}

function formatSchedule({
	id,
	kind,
	text,
	words,
	zone,
	folder,
	mode,
	asks,
	isPaused,
	nextDue,
	lastRun,
}: Schedule): string {
	const when = isPaused ? 'paused' : nextDue === null ? 'over' : `next ${formatZonedTime(nextDue, zone)}`;
	const how = kind === 'reminder' ? ['reminder'] : [`mode ${mode}`, `questions ${asks}`, folder];
	const last = lastRun === undefined ? '' : `    last: ${runLine(lastRun, zone, kind)}\n`;
	return `${id}  ${visibleLine(text)}\n    ${visibleLine([words, when, ...how].join(', '))}\n${last}`;
}

/** The clock of its own zone, which is named. */
export function formatZonedTime(at: number | null, zone: string): string {
	if (at === null) {
		return 'never';
	}
	const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
	return `${new Intl.DateTimeFormat('en-GB', options).format(at)} (${zone})`;
}

export function runLine({ due, state, threadId }: ScheduledRun, zone: string, kind: Schedule['kind']): string {
	const thread = kind === 'reminder' || state === 'skipped' ? '' : `, thread ${threadId}`;
	return `${formatZonedTime(due, zone)}: ${state}${thread}`;
}
