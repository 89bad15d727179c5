/** `prowess schedule add|list|pause|resume|delete`. Starts no server and reads no project. */
import type { Schedule, ScheduledRun, Watch } from '../../features/schedule/schedule.ts';
import {
	beginsAsCondition,
	describePolling,
	describeWatchEnd,
	splitCondition,
} from '../../protocol/schedule/watch-condition.ts';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { splitSchedule, zoneHere } from '../../features/schedule/timing.ts';
import { Mode } from '../../protocol/thread/thread.ts';
import { readNumberOption } from '../invocation/typed-values.ts';
import { namedFolder, trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatJson, printRows } from '../invocation/print-result.ts';
import { formatZonedTime } from '../terminal/zoned-time.ts';

const MOST_MISSED = 100;
const MOST_HOLDS = 1_000;

export const addSchedule: CommandAction = async (invocation, context) => {
	// A condition is polled once before it is kept, in the folder where it is polled from then on.
	const isWatch = isCondition(invocation);
	const isTrustAsked = isWatch || invocation.switches.has('trust');
	const folder = isTrustAsked
		? trustedWorkspace(invocation, context, 'schedule add')
		: namedFolder(invocation, openHome(context.environment), 'schedule add');
	const workspace = isWatch ? folder : undefined;
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const { schedules } = await host.trustedBase();
		const { values, switches } = invocation;
		const zone = values['zone'] ?? zoneHere();
		const { words, text, isOnlyTold } = whenAndWhat(invocation, zone);
		const missed = values['missed'] as Schedule['missed'] | undefined;
		const added = await schedules.add(
			{
				kind: switches.has('reminder') || isOnlyTold ? 'reminder' : 'prompt',
				words,
				text,
				zone,
				mode: Mode.parse(values['mode'] ?? 'ask'),
				asks: values['questions'] === 'wait' ? 'wait' : 'refuse',
				missed,
				mostMissed: missed === 'each' ? readNumberOption(invocation, 'most', 10, MOST_MISSED) : 1,
				end: values['for'],
				isAgreed: switches.has('agree'),
				mostHolds:
					missed !== 'each' && values['most'] !== undefined
						? readNumberOption(invocation, 'most', 1, MOST_HOLDS)
						: undefined,
				folder,
			},
			context.signal,
		);
		if (switches.has('json')) {
			context.terminal.out(formatJson(added));
		} else {
			context.terminal.out(`${added.id}\n`);
			const { watch } = added;
			context.terminal.err(
				watch === undefined
					? `Runs next on ${formatZonedTime(added.nextDue, added.zone)}.\n`
					: `Waits until ${formatZonedTime(watch.endsAt, added.zone)}. Polls unattended: ${visibleLine(inEnglish(describePolling(watch.condition)))}\n`,
			);
		}
		return exitCodes.done;
	});
};

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

/** True when the operands name a condition, or begin as one. */
function isCondition({ operands: [first = '', second] }: Invocation): boolean {
	return beginsAsCondition(first) || (second === undefined && splitCondition(first) !== undefined);
}

interface WhenAndWhat {
	readonly words: string;
	readonly text: string;
	/** A condition without a prompt: the user is told. */
	readonly isOnlyTold: boolean;
}

function whenAndWhat({ operands }: Invocation, zone: string): WhenAndWhat {
	const [first = '', second] = operands;
	const onCondition = second === undefined ? splitCondition(first) : undefined;
	if (onCondition !== undefined) {
		const { words, rest } = onCondition;
		return { words, text: rest === '' ? words : rest, isOnlyTold: rest === '' };
	}
	if (second === undefined && beginsAsCondition(first)) {
		// The error about it comes from where it is read.
		return { words: first, text: first, isOnlyTold: true };
	}
	const found = second === undefined ? splitSchedule(first, zone) : { words: first, text: second };
	if (found === undefined) {
		throw new UsageError(
			'schedule add: name when and what, such as `schedule add "every weekday at 9" "list open issues"`',
		);
	}
	return { ...found, isOnlyTold: false };
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
	watch,
}: Schedule): string {
	const next = watch === undefined ? 'next' : 'next poll';
	const over = watch === undefined ? 'over' : inEnglish(describeWatchEnd(watch));
	const when = isPaused ? 'paused' : nextDue === null ? over : `${next} ${formatZonedTime(nextDue, zone)}`;
	const how =
		kind === 'reminder'
			? ['reminder', ...(watch === undefined ? [] : [folder])]
			: [`mode ${mode}`, `questions ${asks}`, folder];
	const last = lastRun === undefined ? '' : `    last: ${runLine(lastRun, zone, kind)}\n`;
	const waits = watch === undefined ? '' : `    ${visibleLine(describeWatch(watch, zone))}\n`;
	return `${id}  ${visibleLine(text)}\n    ${visibleLine([words, when, ...how].join(', '))}\n${waits}${last}`;
}

/** Polls so far, what the last one found, and how the waiting ends. */
function describeWatch({ condition, polls, lastPoll, held, most, endsAt, seen, problem }: Watch, zone: string): string {
	const found =
		problem === undefined ? (seen?.result ?? 'nothing yet') : `failed: ${textForUser(problem, (template) => template)}`;
	return [
		`polls: ${inEnglish(describePolling(condition))}`,
		`${polls} so far, last ${formatZonedTime(lastPoll, zone)}: ${found}`,
		`held ${held} of ${pluralizeCount(most, 'time')}, ends ${formatZonedTime(endsAt, zone)}`,
	].join('; ');
}

export function runLine({ due, state, threadId }: ScheduledRun, zone: string, kind: Schedule['kind']): string {
	const thread = kind === 'reminder' || state === 'skipped' || state === 'expired' ? '' : `, thread ${threadId}`;
	return `${formatZonedTime(due, zone)}: ${state}${thread}`;
}
