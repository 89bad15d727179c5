/** Schedules in the hands of the user. Each change, and each run, is in the ledger. */
import { shortenToLine } from '../../base/text/one-line.ts';
import { v7 } from 'uuid';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { ClaimedRun, Schedule } from './schedule.ts';
import { Schedules, type SchedulesDeps, type WantedSchedule } from './schedules.ts';
import { type TurnsOfHost, turnsOfHost } from './turns-of-host.ts';

export interface ScheduleRegister extends Pick<
	Schedules,
	| 'list'
	| 'get'
	| 'runs'
	| 'ownerOf'
	| 'isHere'
	| 'runNow'
	| 'runDue'
	| 'dueFolders'
	| 'nextDue'
	| 'isRunning'
	| 'underWay'
	| 'follow'
	| 'noteChanges'
	| 'onDidChange'
	| 'onDidEnd'
	| 'onDidEvent'
> {
	/** A condition is polled once before it is kept, and rejects as that does. Rejects with INVALID_PARAMS what is no time or is over, with SECRETS_IN_MESSAGE, and with INVALID_STATE when there are too many. */
	add(wanted: WantedSchedule, signal: AbortSignal): Promise<Schedule>;
	/** These reject with NOT_FOUND. */
	pause(id: string): Promise<void>;
	/** Resumes a paused schedule. Runs that were due while it was paused are not made up for. */
	resume(id: string): Promise<void>;
	delete(id: string): Promise<void>;
}

type ScheduleLedger = Pick<LedgerPort, 'append'>;

/** Creates what carries out schedules: turns as this host begins them, each run in the ledger. */
export function createSchedules(
	host: TurnsOfHost & Pick<SchedulesDeps, 'perform' | 'beginPolls' | 'markScripts'>,
): Schedules {
	return new Schedules({
		...turnsOfHost(host, 'schedule'),
		perform: host.perform,
		beginPolls: host.beginPolls,
		markScripts: host.markScripts,
		recordPoll: (id, words) => recordWatchPoll(host.ledger, id, words),
		recordRun: (claimed) => recordScheduledRun(host.ledger, claimed),
	});
}

export function scheduleRegister(schedules: Schedules, ledger: ScheduleLedger): ScheduleRegister {
	const changeSchedule = async (what: 'pause' | 'resume' | 'delete', id: string) => {
		const { text } = schedules.get(id);
		await recordUserAct(
			ledger,
			{ op: `schedule.${what}`, input: `${what} the schedule ${id}: ${shortenToLine(text)}`, params: { id } },
			() => what,
			async () => schedules[what](id),
		);
	};
	return {
		list: () => schedules.list(),
		get: (id) => schedules.get(id),
		runs: (id) => schedules.runs(id),
		ownerOf: (run) => schedules.ownerOf(run),
		isHere: (schedule) => schedules.isHere(schedule),
		runNow: (id) => schedules.runNow(id),
		runDue: () => schedules.runDue(),
		dueFolders: () => schedules.dueFolders(),
		underWay: () => schedules.underWay(),
		nextDue: (folder) => schedules.nextDue(folder),
		get isRunning() {
			return schedules.isRunning;
		},
		follow: (how) => schedules.follow(how),
		noteChanges: (paths) => schedules.noteChanges(paths),
		onDidChange: schedules.onDidChange,
		onDidEnd: schedules.onDidEnd,
		onDidEvent: schedules.onDidEvent,
		async add(wanted, signal) {
			const checked = schedules.check(wanted);
			const { words, text, mode, asks } = checked.added;
			const id = `sch_${v7()}`;
			return await recordUserAct(
				ledger,
				{
					op: 'schedule.add',
					input: `Schedule ${shortenToLine(words)}: ${shortenToLine(text)} (mode ${mode}, questions ${asks})`,
					params: { ...checked.added },
				},
				() => `scheduled as ${id}`,
				() => schedules.add(id, checked, signal),
			);
		},
		pause: (id) => changeSchedule('pause', id),
		resume: (id) => changeSchedule('resume', id),
		delete: (id) => changeSchedule('delete', id),
	};
}

/** The principal of a run in the ledger is its schedule, not the user. */
async function recordScheduledRun(ledger: ScheduleLedger, { schedule, run }: ClaimedRun): Promise<void> {
	await appendScheduleNote(ledger, {
		op: 'schedule.run',
		id: schedule.id,
		threadId: schedule.kind === 'reminder' ? null : run.threadId,
		input: `Run of ${new Date(run.due).toISOString()}: ${shortenToLine(schedule.text)}`,
	});
}

async function recordWatchPoll(ledger: ScheduleLedger, id: string, input: string): Promise<void> {
	await appendScheduleNote(ledger, { op: 'schedule.poll', id, threadId: null, input });
}

interface ScheduleNote {
	readonly op: string;
	readonly id: string;
	readonly threadId: ThreadId | null;
	readonly input: string;
}

async function appendScheduleNote(ledger: ScheduleLedger, { op, id, threadId, input }: ScheduleNote): Promise<void> {
	await ledger.append(
		{
			kind: 'note',
			opId: null,
			op,
			trigger: `schedule:${id}`,
			threadId,
			risk: 'CONTROLLED',
			assessed: null,
			decision: 'allow (user): scheduled by the user',
			paramsHash: null,
			input,
			output: null,
			status: null,
			durationMs: null,
		},
		true,
	);
}
