/**
 * Schedules of a home, as this host sees and carries them out. No file exists until the first schedule is added. A run
 * that may ask nobody is refused each op that needs an approval: an absent user never makes an op allowed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { resolveProjectKey } from '../../machine/home-files/project-name.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { parseProcessName } from '../../store/threads/process-lease-holder.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { scheduleLimits } from './limits.ts';
import type {
	ClaimedRun,
	KeptCondition,
	NewSchedule,
	NewWatch,
	RunUnderWay,
	Schedule,
	ScheduledRun,
} from './schedule.ts';
import { scheduleMigrations } from './schedule-migrations.ts';
import { type EndedRun, type ScheduledRunEnd, ScheduleRunner, systemClock } from './schedule-runner.ts';
import { ScheduleStore } from './schedule-store.ts';
import { scheduledTurn, type TurnPorts } from './scheduled-turn.ts';
import { readTiming, zoneHere } from './timing.ts';
import { readWatch, WatchPolls } from './watch-polls.ts';

/**
 * Schedule as the user asks for it. Defaults: the zone of this machine, the open project, one run for all that were
 * missed.
 */
export interface WantedSchedule extends Pick<NewSchedule, 'kind' | 'text' | 'words' | 'mode' | 'asks'> {
	readonly zone?: string | undefined;
	/** Absent: the open project. A reminder belongs to none. */
	readonly folder?: string | undefined;
	readonly missed?: NewSchedule['missed'] | undefined;
	readonly mostMissed?: number | undefined;
	/** Time for which a condition is waited for, or until when, in words; absent: 7 days. */
	readonly end?: string | undefined;
	/** The user agrees that the command of the condition runs with each poll, also where it does more than read. */
	readonly isAgreed?: boolean | undefined;
	/** Runs of a condition at most; absent: one, or 20 for one that may hold again and again. */
	readonly mostHolds?: number | undefined;
}

/** Process that carries out a run, or has done so. `isThis`: this host. */
interface RunOwner {
	readonly kind: 'editor' | 'cli';
	readonly host: string;
	readonly pid: number;
	readonly isThis: boolean;
}

export interface SchedulesDeps {
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly log: Pick<LogPort, 'error'>;
	readonly turns: TurnPorts;
	redact(text: string): string;
	perform: PerformOp;
	/** Polls in that thread are made in the name of schedules; nobody else may ask for ops there. */
	beginPolls(threadId: ThreadId, cause: string): void;
	/** Hashes of the scripts of the project that a command runs. */
	markScripts(command: string, folder: string): Readonly<Record<string, string>>;
	/** Records what polls have found. Rejects where that cannot be recorded: then they count as failed. */
	recordPoll(scheduleId: string, words: string): Promise<void>;
	/** Records that a run begins. Rejects where that cannot be recorded: then it does not begin. */
	recordRun(claimed: ClaimedRun): Promise<void>;
}

interface RunEvent {
	readonly scheduleId: string;
	readonly event: ThreadEvent;
}

const SCHEDULES_FILE = 'schedules.db';

export class Schedules {
	readonly #deps: SchedulesDeps;
	readonly #path: string;
	readonly #runner: ScheduleRunner;
	readonly #changed = new Emitter<void>();
	readonly #refusing = new Set<ThreadId>();
	readonly #polling: WatchPolls;
	#opened: ScheduleStore | undefined;
	#reminds = true;
	/** This host has changed one, or a run of its own has begun or ended. */
	readonly onDidChange = this.#changed.event;
	readonly onDidEnd;
	readonly #events = new Emitter<RunEvent>();
	/** Events of the threads in which runs of this host work. */
	readonly onDidEvent = this.#events.event;

	constructor(deps: SchedulesDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, SCHEDULES_FILE);
		this.#runner = new ScheduleRunner({
			store: () => (this.#isEmpty ? undefined : this.#store),
			clock: systemClock,
			log: deps.log,
			isMine: (schedule) => this.#isMine(schedule),
			carryOut: (claimed, begun, signal) => this.#carryOut(claimed, begun, signal),
			poll: ({ schedule: { id, folder }, watch }, signal) => {
				this.#refuseChanged(watch.condition, folder);
				return this.#polling.poll(id, { ...watch, place: this.#placeOf(folder) }, signal);
			},
		});
		this.#polling = new WatchPolls({
			...deps,
			begin: (threadId, id) => deps.beginPolls(threadId, `schedule ${id}`),
		});
		this.#runner.onDidPoll(() => this.#changed.fire());
		this.onDidEnd = this.#runner.onDidEnd;
		this.#runner.onDidBegin(() => this.#changed.fire());
		this.#runner.onDidEnd(() => this.#changed.fire());
	}

	/** Throws INVALID_PARAMS what can never run, and SECRETS_IN_MESSAGE. */
	check(wanted: WantedSchedule): { readonly added: NewSchedule; readonly next: number } {
		const content = wanted.text.trim();
		if (content === '') {
			throw new ProwessError('INVALID_PARAMS', 'a schedule needs a text', { said: text('A schedule needs a text.') });
		}
		if (this.#deps.redact(content) !== content) {
			throw new ProwessError('SECRETS_IN_MESSAGE', 'the text holds what looks like a secret', {
				known: 0,
				lookalikes: 1,
			});
		}
		const zone = wanted.zone ?? zoneHere();
		const now = systemClock.now();
		const watch = readWatch(wanted, zone, now);
		if (this.#deps.redact(wanted.words) !== wanted.words) {
			throw new ProwessError('SECRETS_IN_MESSAGE', 'the condition holds what looks like a secret', {
				known: 0,
				lookalikes: 1,
			});
		}
		const { pattern, next } = watch === undefined ? readTiming(wanted.words, zone, now) : { pattern: '', next: now };
		const open = wanted.folder ?? this.#deps.workspace.folders[0]?.path;
		const isOfProject = wanted.kind === 'prompt' || watch !== undefined;
		if (isOfProject && open === undefined) {
			throw new ProwessError('INVALID_PARAMS', 'no folder is open, so there is no project for a scheduled prompt', {
				said: text('No folder is open, so there is no project for a scheduled prompt.'),
			});
		}
		const folder = isOfProject ? resolveProjectKey(open ?? '') : '';
		const { missed = 'once', mostMissed = 1, kind, words, mode, asks } = wanted;
		const agreed = wanted.isAgreed === true ? watch && this.#agree(watch, folder) : watch;
		const added = { kind, text: content, words, mode, asks, zone, pattern, folder, missed, mostMissed, watch: agreed };
		return { added, next };
	}

	#agree(watch: NewWatch, folder: string): NewWatch {
		const { condition } = watch;
		const scripts = condition.kind === 'command' ? this.#deps.markScripts(condition.what, folder) : undefined;
		return scripts === undefined ? watch : { ...watch, condition: { ...condition, agreed: { scripts } } };
	}

	/** Throws where a script that the command runs is not what the user has agreed to. */
	#refuseChanged({ what, agreed }: KeptCondition, folder: string): void {
		const now = agreed && this.#deps.markScripts(what, folder);
		const changed = Object.keys({ ...agreed?.scripts, ...now }).filter((name) => agreed?.scripts[name] !== now?.[name]);
		if (changed.length > 0) {
			const files = changed.join(', ');
			throw new ProwessError('INVALID_STATE', `"${what}" runs what has changed since it was agreed to: ${files}`, {
				said: text('What "{what}" runs has changed since you agreed to it: {files}. Add the watch again.', {
					what,
					files,
				}),
			});
		}
	}

	/** Polls a condition once before it is kept: rejects with why that cannot be done. */
	async add(id: string, { added, next }: ReturnType<Schedules['check']>, signal: AbortSignal): Promise<Schedule> {
		if (this.list().length >= scheduleLimits.mostSchedules) {
			throw new ProwessError(
				'INVALID_STATE',
				`there are ${scheduleLimits.mostSchedules} schedules, which is the most`,
				{
					said: text('There are {n} schedules, which is the most.', { n: scheduleLimits.mostSchedules }),
				},
			);
		}
		const { watch } = added;
		if (watch !== undefined && !this.#isOpenHere(added.folder)) {
			throw new ProwessError(
				'WORKSPACE_UNTRUSTED',
				`${added.folder} is not open and trusted here, so nothing in it is watched`,
			);
		}
		const place = this.#placeOf(added.folder);
		const first = watch && (await this.#polling.first(id, { condition: watch.condition, place }, signal));
		return this.#changing(() => this.#store.add(id, added, first === undefined ? next : first.next, first));
	}

	list(): readonly Schedule[] {
		return this.#isEmpty ? [] : this.#store.list();
	}

	/** Returns the schedules of the open folders, and reminders: those that a thread here hears of. */
	here(): readonly Schedule[] {
		const open = new Set(['', ...this.#deps.workspace.folders.map(({ path }) => resolveProjectKey(path))]);
		return this.list().filter(({ folder }) => open.has(folder));
	}

	/** Throws NOT_FOUND. */
	get(id: string): Schedule {
		const schedule = this.#isEmpty ? undefined : this.#store.get(id);
		if (schedule === undefined) {
			throw new ProwessError('NOT_FOUND', `there is no schedule ${id}`, {
				id,
				said: text(
					'There is no schedule {id}. `prowess schedule list` and the page Automation show those that there are.',
					{
						id,
					},
				),
			});
		}
		return schedule;
	}

	/** Returns the schedule that a thread is a run of; undefined: none. */
	scheduleOf(threadId: ThreadId): Pick<Schedule, 'id' | 'text'> | undefined {
		return this.#isEmpty ? undefined : this.#store.scheduleOf(threadId);
	}

	runs(id: string): readonly ScheduledRun[] {
		return this.#store.runs(this.get(id).id);
	}

	ownerOf({ owner }: Pick<ScheduledRun, 'owner'>): RunOwner {
		const { kind, host, pid } = parseProcessName(owner);
		return { kind, host, pid, isThis: owner === this.#deps.holder.owner };
	}

	/** True when this host carries out the due runs of the schedule, if no other host is faster. */
	isHere(schedule: Pick<Schedule, 'folder' | 'kind'>): boolean {
		return this.#isMine(schedule);
	}

	pause(id: string): void {
		this.#changing(() => this.#store.pause(this.get(id).id));
	}

	resume(id: string): void {
		this.#changing(() => this.#store.resume(this.get(id)));
	}

	delete(id: string): void {
		this.#changing(() => this.#store.delete(this.get(id).id));
	}

	/** Resolves when it has ended. Rejects with NOT_FOUND, and with INVALID_STATE while a run of it is under way. */
	async runNow(id: string): Promise<void> {
		const schedule = this.get(id);
		if (!this.#isMine(schedule)) {
			throw new ProwessError('INVALID_STATE', `the schedule belongs to ${schedule.folder}, which is not open here`, {
				said: text('This schedule belongs to {folder}, which is not open here.', { folder: schedule.folder }),
			});
		}
		const claimed = this.#store.claimNow(id);
		if (claimed.length === 0) {
			const run = this.underWay().find(({ schedule }) => schedule.id === id)?.run;
			const { pid, host } = this.ownerOf(run ?? this.#deps.holder);
			const at = new Date(run?.startedAt ?? systemClock.now()).toISOString();
			throw new ProwessError('INVALID_STATE', `a run of ${id} is under way in process ${pid} on ${host}`, {
				id,
				said: text('A run of this schedule is under way: process {pid} on {host}, since {at}.', { pid, host, at }),
			});
		}
		await Promise.all(claimed.map((each) => this.#runner.runClaimed(each)));
	}

	/** From now on what falls due is carried out, until the host closes. Not `reminds`: nobody would see a reminder here. */
	follow({ reminds = true }: { readonly reminds?: boolean } = {}): void {
		this.#reminds = reminds;
		this.#runner.follow();
	}

	noteChanges(paths: readonly string[]): void {
		this.#runner.noteChanges(paths);
	}

	/** A run of this host is under way. */
	get isRunning(): boolean {
		return this.#runner.isRunning;
	}

	/** When the next prompt of any project is due, or of `folder`; undefined: none is to come. */
	nextDue(folder?: string): number | undefined {
		return this.#isEmpty
			? undefined
			: this.#store.nextDue(
					(each) => each.kind === 'prompt' && (folder === undefined || each.folder === resolveProjectKey(folder)),
				);
	}

	/** Carries out what is due now; resolves when it has ended. */
	async runDue(): Promise<readonly EndedRun[]> {
		const ended: EndedRun[] = [];
		const listening: Disposable = this.#runner.onDidEnd((run) => ended.push(run));
		try {
			await this.#runner.look();
		} finally {
			listening.dispose();
		}
		return ended;
	}

	/** Folders of the schedules of which something is due. Not `reminds`: of prompts alone. */
	dueFolders({ reminds = true }: { readonly reminds?: boolean } = {}): readonly string[] {
		return this.#isEmpty ? [] : this.#store.dueFolders(({ kind }) => reminds || kind === 'prompt');
	}

	/** Runs that have not ended, of whichever process. */
	underWay(): readonly RunUnderWay[] {
		return this.#isEmpty ? [] : this.#store.underWay();
	}

	/** A run works in that thread whose questions are to be refused. */
	refuses(threadId: ThreadId | null): boolean {
		return threadId !== null && this.#refusing.has(threadId);
	}

	async close(): Promise<void> {
		await this.#runner.close();
		this.#changed.dispose();
		this.#events.dispose();
		this.#opened?.dispose();
	}

	async #carryOut(claimed: ClaimedRun, begun: () => void, signal: AbortSignal): Promise<ScheduledRunEnd> {
		const { schedule, run } = claimed;
		await this.#deps.recordRun(claimed);
		if (schedule.kind === 'reminder') {
			begun();
			return { state: 'done' };
		}
		if (schedule.asks === 'refuse') {
			this.#refusing.add(run.threadId);
		}
		try {
			const cause = `schedule ${schedule.id}`;
			const onEvent = (event: ThreadEvent) => this.#events.fire({ scheduleId: schedule.id, event });
			return await scheduledTurn(this.#deps.turns, { ...claimed, cause, onEvent }, begun, signal);
		} finally {
			this.#refusing.delete(run.threadId);
		}
	}

	#isMine({ folder, kind }: Pick<Schedule, 'folder' | 'kind'>): boolean {
		// A reminder belongs to no project, unless it waits for a condition there.
		return (kind === 'prompt' || this.#reminds) && (folder === '' || this.#isOpenHere(folder));
	}

	#isOpenHere(folder: string): boolean {
		const { folders, isTrusted } = this.#deps.workspace;
		return isTrusted && folders.some(({ path }) => resolveProjectKey(path) === folder);
	}

	/** Path by which ops name the folder. */
	#placeOf(folder: string): string {
		const { folders } = this.#deps.workspace;
		const [open] = folders.filter(({ path }) => resolveProjectKey(path) === folder);
		return folders.length > 1 && open !== undefined ? open.name : '.';
	}

	#changing<T>(change: () => T): T {
		const changed = change();
		this.#changed.fire();
		return changed;
	}

	get #isEmpty(): boolean {
		return this.#opened === undefined && !existsSync(this.#path);
	}

	get #store(): ScheduleStore {
		this.#opened ??= new ScheduleStore(openMigratedDatabase(this.#path, scheduleMigrations).db, this.#deps.holder);
		return this.#opened;
	}
}
