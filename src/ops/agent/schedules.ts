/**
 * Schedules in a thread. schedule.add: what is to run, when, and how far, shown word for word before it is kept. A run never allows what nobody
 * allowed. schedule.switch: only what the user's own message asks for, as this host saw it.
 */
import { v7 } from 'uuid';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { textForModel } from '../../protocol/errors/error-text.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ListedSchedule } from '../../protocol/ops/definitions/agent/schedule.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import { joinTexts, text } from '../../protocol/text/text.ts';
import { describePolling } from '../../protocol/schedule/watch-condition.ts';
import { schedulesNamed } from '../../protocol/schedule/schedules-named.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import { hostOfCondition } from '../../features/schedule/check-condition.ts';
import type { Schedule } from '../../features/schedule/schedule.ts';
import type { AgentDeps } from './agent-deps.ts';

interface ScheduleDeps extends Pick<AgentDeps, 'schedules' | 'isPausedByUser'> {
	readonly commands: Pick<CommandRunner, 'sandboxState'>;
}

type ScheduleOp = 'schedule.add' | 'schedule.list' | 'schedule.switch';

export function scheduleOps({
	schedules,
	isPausedByUser,
	commands,
}: ScheduleDeps): Pick<OpImplementations, ScheduleOp> {
	return {
		'schedule.add': {
			async prepare(wish) {
				const { when, text, kind, mode, for: end, most } = wish;
				const wanted = { words: when, text, kind, mode, asks: 'refuse', end, mostHolds: most, isAgreed: true } as const;
				const checked = schedules.check(wanted);
				const { zone, watch } = checked.added;
				// Polls tell that host whatever the address says.
				const host = watch && hostOfCondition(watch.condition);
				const isSandboxed = watch?.condition.kind !== 'command' || (await commands.sandboxState()).works;
				return {
					targets: host === undefined ? [] : [{ kind: 'host', host }],
					detail: {
						kind: 'text',
						text: escapeInvisible(text, 'lines'),
						facts: describeSchedule(wish, checked, isSandboxed),
					},
					async run({ signal }) {
						const { id, nextDue } = await schedules.add(`sch_${v7()}`, checked, signal);
						const due = nextDue === null ? null : new Date(nextDue).toISOString();
						const ends = watch === undefined ? {} : { ends: new Date(watch.endsAt).toISOString() };
						return { id, when, next: due, zone, ...ends };
					},
				};
			},
		},
		'schedule.list': {
			prepare: () =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: 'List schedules' },
					run: () => Promise.resolve({ schedules: schedules.here().map(toListedSchedule) }),
				}),
		},
		'schedule.switch': {
			async prepare(wish, { caller }) {
				if (!isPausedByUser(caller, wish)) {
					const message = 'only the user pauses and resumes schedules, by a message that asks for nothing else';
					throw new ProwessError('DENIED_BY_RULE', message);
				}
				const [meant, ...others] = schedulesNamed(schedules.here().map(toListedSchedule), wish.name);
				if (meant === undefined || others.length > 0) {
					const problem = meant === undefined ? 'no schedule fits' : 'several schedules fit';
					throw new ProwessError('NOT_FOUND', `${problem}: ${wish.name ?? 'no name was given'}`, {
						id: wish.name ?? '',
					});
				}
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(`${meant.id}\n${meant.when}\n\n${meant.text}`, 'lines') },
					run: () => {
						schedules[wish.isPaused ? 'pause' : 'resume'](meant.id);
						return Promise.resolve(toListedSchedule(schedules.get(meant.id)));
					},
				};
			},
		},
	};
}

/** When it is due and what it does, for the person who is asked. */
function describeSchedule(
	{ when, kind, mode }: OpParams<'schedule.add'>,
	{ next, added: { watch } }: ReturnType<AgentDeps['schedules']['check']>,
	isSandboxed: boolean,
) {
	const does =
		kind === 'reminder'
			? text('Reminds you')
			: mode === 'ask'
				? text('Asks the agent, which only reads')
				: text('Asks the agent, which works by your rules');
	const due =
		watch === undefined
			? [{ label: text('Next'), value: { at: new Date(next).toISOString() } }]
			: [
					{ label: text('Runs unattended, again and again'), value: describePolling(watch.condition) },
					...(watch.condition.kind === 'command'
						? [
								{
									label: text('The command'),
									value: isSandboxed
										? text('may do more than read, in its sandbox')
										: text('may do more than read, and runs as you: no sandbox works here'),
								},
							]
						: []),
					{ label: text('Until'), value: { at: new Date(watch.endsAt).toISOString() } },
					{ label: text('At most'), value: watch.most === 1 ? text('once') : text('{n} times', { n: watch.most }) },
				];
	return [{ label: text('When'), value: joinTexts(when) }, ...due, { label: text('What'), value: does }];
}

function toListedSchedule({ id, kind, text, words, nextDue, zone, isPaused, watch }: Schedule): ListedSchedule {
	const next = nextDue === null ? null : new Date(nextDue).toISOString();
	const listed = { id, kind, text, when: words, next, zone, isPaused };
	if (watch === undefined) {
		return listed;
	}
	const { endsAt, polls, lastPoll, held } = watch;
	const found = watch.problem === undefined ? (watch.seen?.result ?? '') : textForModel(watch.problem);
	const last = lastPoll === null ? null : new Date(lastPoll).toISOString();
	return { ...listed, watch: { ends: new Date(endsAt).toISOString(), polls, lastPoll: last, found, held } };
}
