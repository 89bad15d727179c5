/**
 * Schedules in a thread. schedule.add: what is to run, when, and how far, shown word for word before it is kept. A run never allows what nobody
 * allowed. schedule.switch: only what the user's own message asks for, as this host saw it.
 */
import { v7 } from 'uuid';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ListedSchedule } from '../../protocol/ops/definitions/agent/schedule.ts';
import { describePolling } from '../../protocol/schedule/watch-condition.ts';
import { schedulesNamed } from '../../protocol/schedule/schedules-named.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { Schedule } from '../../features/schedule/schedule.ts';
import type { AgentDeps } from './agent-deps.ts';

type ScheduleOp = 'schedule.add' | 'schedule.list' | 'schedule.switch';

export function scheduleOps({
	schedules,
	isPausedByUser,
}: Pick<AgentDeps, 'schedules' | 'isPausedByUser'>): Pick<OpImplementations, ScheduleOp> {
	return {
		'schedule.add': {
			async prepare({ when, text, kind, mode, for: end, most }) {
				const wanted = { words: when, text, kind, mode, asks: 'refuse', end, mostHolds: most } as const;
				const checked = schedules.check(wanted);
				const { zone, watch } = checked.added;
				const next =
					watch === undefined
						? `next: ${new Date(checked.next).toISOString()} (${zone})`
						: `runs unattended, again and again: ${describePolling(watch.condition)}\nuntil: ${new Date(watch.endsAt).toISOString()}, ${watch.most} at most`;
				const how =
					kind === 'reminder' ? 'reminder' : mode === 'ask' ? 'prompt, only reads' : 'prompt, works by your rules';
				const shown = `${when}\n${next}\n${how}\n\n${text}`;
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(shown, 'lines') },
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

function toListedSchedule({ id, kind, text, words, nextDue, zone, isPaused, watch }: Schedule): ListedSchedule {
	const next = nextDue === null ? null : new Date(nextDue).toISOString();
	const listed = { id, kind, text, when: words, next, zone, isPaused };
	if (watch === undefined) {
		return listed;
	}
	const { endsAt, polls, lastPoll, held } = watch;
	const found = watch.problem ?? watch.seen?.result ?? '';
	const last = lastPoll === null ? null : new Date(lastPoll).toISOString();
	return { ...listed, watch: { ends: new Date(endsAt).toISOString(), polls, lastPoll: last, found, held } };
}
