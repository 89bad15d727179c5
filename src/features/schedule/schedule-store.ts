/**
 * Schedules and their runs, shared by all windows and command lines of a home. A run is claimed in one transaction,
 * which also moves the schedule on to its next time, so two processes never carry out the same run, and decides which
 * missed times are made up for. After a process has died, a run that had not begun is taken over; a run that had begun
 * counts as interrupted. Synchronous: each call is a few rows.
 */
import type { AnyError } from '../../protocol/errors/error-text.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { scheduleLimits } from './limits.ts';
import type {
	ClaimedRun,
	DuePoll,
	NewSchedule,
	RunUnderWay,
	Schedule,
	ScheduledRun,
	ScheduledRunState,
	SeenPoll,
} from './schedule.ts';
import { latestDue, nextDue } from './timing.ts';
import { WatchStore } from './watch-store.ts';

interface ScheduleRow {
	readonly id: string;
	readonly kind: Schedule['kind'];
	readonly text: string;
	readonly pattern: string;
	readonly zone: string;
	readonly words: string;
	readonly folder: string;
	readonly mode: Schedule['mode'];
	readonly asks: Schedule['asks'];
	readonly missed: Schedule['missed'];
	readonly most_missed: number;
	readonly paused: number;
	readonly created_at: number;
	readonly next_due: number | null;
}

interface ScheduledRunRow {
	readonly schedule: string;
	readonly due: number;
	readonly state: ScheduledRunState;
	readonly owner: string;
	readonly thread: string;
	readonly message: string;
	readonly started_at: number;
	readonly ended_at: number | null;
}

type ScheduleFilter = (schedule: Pick<Schedule, 'folder' | 'kind'>) => boolean;

export class ScheduleStore {
	readonly #db: Database;
	readonly #holder: ClaimHolder;
	readonly #watches: WatchStore;

	constructor(db: Database, holder: ClaimHolder) {
		this.#db = db;
		this.#holder = holder;
		this.#watches = new WatchStore(db);
	}

	/** `first`: of a watch, its thread and what the first poll found. */
	add(id: string, added: NewSchedule, next: number, first?: { threadId: ThreadId; seen: SeenPoll }): Schedule {
		const { kind, text, pattern, zone, words, folder, mode, asks, missed, mostMissed } = added;
		const now = this.#holder.now();
		this.#db.transaction('power', () => {
			this.#db.run(
				'INSERT INTO schedule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)',
				...[id, kind, text, pattern, zone, words, folder, mode, asks, missed, mostMissed, now, next],
			);
			if (added.watch !== undefined && first !== undefined) {
				this.#watches.add(id, added.watch, first.threadId, first.seen, now);
			}
		});
		const watch = this.#watches.of(id);
		return { ...added, watch, id, isPaused: false, createdAt: now, nextDue: next, lastRun: undefined };
	}

	/** In the order of their next run; those without one last. */
	list(): Schedule[] {
		const rows = this.#db.all<ScheduleRow>(
			'SELECT * FROM schedule ORDER BY next_due IS NULL, next_due, created_at, id',
		);
		return rows.map((row) => this.#scheduleOf(row));
	}

	get(id: string): Schedule | undefined {
		const row = this.#db.get<ScheduleRow>('SELECT * FROM schedule WHERE id = ?', id);
		return row === undefined ? undefined : this.#scheduleOf(row);
	}

	scheduleOf(threadId: string): Pick<Schedule, 'id' | 'text'> | undefined {
		const sql = 'SELECT id, text FROM schedule JOIN run ON run.schedule = schedule.id WHERE thread = ? LIMIT 1';
		return this.#db.get(sql, threadId);
	}

	pause(id: string): void {
		this.#db.transaction('power', () =>
			this.#db.run('UPDATE schedule SET paused = 1, next_due = NULL WHERE id = ?', id),
		);
	}

	/** Resumes a paused schedule at its next time, a watch at once. Runs that were due while it was paused are not made up for. */
	resume({ id, pattern, zone, watch }: Schedule): void {
		const now = this.#holder.now();
		const next = watch === undefined ? (nextDue(pattern, zone, now) ?? null) : now;
		this.#db.transaction('power', () =>
			this.#db.run('UPDATE schedule SET paused = 0, next_due = ? WHERE id = ?', next, id),
		);
	}

	delete(id: string): void {
		this.#db.transaction('power', () => this.#db.run('DELETE FROM schedule WHERE id = ?', id));
	}

	/** After the clock was put back: what it had run ahead to is not waited for. No run is repeated. */
	realign(): void {
		const now = this.#holder.now();
		this.#db.transaction('power', () => {
			for (const row of this.#db.all<ScheduleRow>('SELECT * FROM schedule WHERE next_due > ?', now)) {
				const isWatch = this.#watches.isWatch(row.id);
				const next = isWatch ? now + scheduleLimits.pollMs : nextDue(row.pattern, row.zone, now);
				if (next !== undefined && next < (row.next_due ?? 0)) {
					this.#db.run('UPDATE schedule SET next_due = ? WHERE id = ?', next, row.id);
				}
			}
		});
	}

	/** Earliest time at which something is due; undefined: never. */
	nextDue(isMine: ScheduleFilter): number | undefined {
		const rows = this.#db.all<Pick<ScheduleRow, 'folder' | 'kind' | 'next_due'>>(
			'SELECT folder, kind, next_due FROM schedule WHERE next_due IS NOT NULL ORDER BY next_due',
		);
		return rows.find(isMine)?.next_due ?? undefined;
	}

	/** Folders of the schedules of which something is to be done now: not where a process that lives carries it out. */
	dueFolders(isMeant: ScheduleFilter = () => true): string[] {
		const [running, cutOff] = [new Set<string>(), new Set<string>()];
		for (const { schedule, isCutOff } of this.underWay()) {
			if (isCutOff && isMeant(schedule)) {
				cutOff.add(schedule.folder);
			} else if (!isCutOff) {
				running.add(schedule.id);
			}
		}
		const due = this.#due(this.#holder.now());
		const waiting = due.filter((row) => isMeant(row) && !running.has(row.id)).map(({ folder }) => folder);
		return [...new Set([...waiting, ...cutOff])].toSorted();
	}

	/** Runs that have not ended, of whichever process. */
	underWay(): RunUnderWay[] {
		return this.#open().flatMap((row) => {
			const schedule = this.get(row.schedule);
			return schedule === undefined ? [] : [{ schedule, run: toScheduledRun(row), isCutOff: !this.#isAlive(row) }];
		});
	}

	/** All that is due and this process may carry out: from now on nobody else does. */
	claim(isMine: ScheduleFilter): ClaimedRun[] {
		const now = this.#holder.now();
		// Most looks find nothing, and then nothing is locked or written.
		if (this.dueFolders().length === 0) {
			return [];
		}
		return this.#db.transaction('power', () => {
			const claimed = this.#takeOver(isMine);
			for (const row of this.#due(now).filter(isMine)) {
				// Claims no run of a schedule that is running: times that fall due meanwhile count as missed.
				if (!this.#isRunning(row.id) && !this.#watches.isWatch(row.id)) {
					claimed.push(...this.#claimDue(row, now));
				}
			}
			return claimed;
		});
	}

	/** The polls of watches that are due and this process may make: until their time is over nobody else makes them. */
	claimPolls(isMine: ScheduleFilter): DuePoll[] {
		const now = this.#holder.now();
		const isWaiting = (row: ScheduleRow) => isMine(row) && !this.#isRunning(row.id);
		if (!this.#dueWatches(now).some(isWaiting)) {
			return [];
		}
		return this.#db.transaction('power', () =>
			this.#dueWatches(now)
				.filter(isWaiting)
				.flatMap((row) => {
					const watch = this.#watches.claimPoll(row.id, now);
					return watch === undefined ? [] : [{ schedule: this.#scheduleOf(row), watch }];
				}),
		);
	}

	/** Brings polls of watches forward whose files may be among those that changed. Returns their ids. */
	hurryPolls(isMine: ScheduleFilter, changed: readonly string[]): string[] {
		const now = this.#holder.now();
		const due = this.#dueWatches(now + scheduleLimits.pollMs).filter(isMine);
		return due.filter(({ id, folder }) => this.#watches.hurry(id, folder, changed, now)).map(({ id }) => id);
	}

	/** Ends the watches of this process whose time is over. Each end is told of once, and stays as the last run. */
	endExpired(isMine: ScheduleFilter): ClaimedRun[] {
		const now = this.#holder.now();
		const isOver = (row: ScheduleRow) =>
			isMine(row) && !this.#isRunning(row.id) && this.#watches.isExpired(row.id, now);
		const end = (row: ScheduleRow): ClaimedRun[] => {
			this.#db.run('UPDATE schedule SET next_due = NULL WHERE id = ?', row.id);
			const run = this.#insert(row.id, now, 'expired');
			return run === undefined ? [] : [{ schedule: this.#scheduleOf({ ...row, next_due: null }), run }];
		};
		const isAny = this.#dueWatches(now).some(isOver);
		return isAny ? this.#db.transaction('power', () => this.#dueWatches(now).filter(isOver).flatMap(end)) : [];
	}

	/** Returns the run that a poll leads to: claimed when the condition holds, failed when it can no longer be polled. */
	settlePoll(
		{ schedule: { id, kind, mode }, watch: { polls } }: DuePoll,
		found: SeenPoll | { readonly problem: AnyError },
	): ClaimedRun | undefined {
		return this.#db.transaction('power', () => {
			const now = this.#holder.now();
			const isPaused = this.#db.get('SELECT 1 FROM schedule WHERE id = ? AND paused = 0', id) === undefined;
			// Drops a poll that ends late: another host has polled since, or the user has paused the watch.
			if (isPaused || this.#watches.of(id)?.polls !== polls) {
				return undefined;
			}
			const end = this.#watches.settle(id, found, { now, mayChangeFiles: kind === 'prompt' && mode === 'agent' });
			const row = this.#db.get<ScheduleRow>('SELECT * FROM schedule WHERE id = ?', id);
			if (end === 'waits' || row === undefined) {
				return undefined;
			}
			const run = this.#insert(id, now, end === 'holds' ? 'claimed' : 'failed');
			return run === undefined ? undefined : { schedule: this.#scheduleOf(row), run };
		});
	}

	/** A run beside its times, or those that had not begun when their process died. None while one of it is under way. */
	claimNow(id: string): ClaimedRun[] {
		return this.#db.transaction('power', () => {
			const taken = this.#takeOver((schedule) => schedule.id === id);
			const row = this.#db.get<ScheduleRow>('SELECT * FROM schedule WHERE id = ?', id);
			const now = row === undefined || this.#isRunning(id) ? undefined : this.#claimed(row, this.#holder.now());
			return now === undefined ? taken : [...taken, now];
		});
	}

	/** False: it is another's by now, and this process is to do nothing more of it. */
	started(run: ScheduledRun): boolean {
		return this.#change(run, "state = 'started'", "'claimed', 'started'");
	}

	ended(run: ScheduledRun, state: ScheduledRunState): boolean {
		return this.#change(run, `state = '${state}', ended_at = ${this.#holder.now()}`, "'claimed', 'started'");
	}

	/** A process other than this one has it by now, or has marked it as interrupted. */
	hasLost({ scheduleId, due }: ScheduledRun): boolean {
		const sql = "SELECT owner = ? AND state IN ('claimed', 'started') AS ours FROM run WHERE schedule = ? AND due = ?";
		return this.#db.get<{ ours: number }>(sql, this.#holder.owner, scheduleId, due)?.ours === 0;
	}

	/** The latest ones, newest first. */
	runs(scheduleId: string): ScheduledRun[] {
		return this.#db
			.all<ScheduledRunRow>(
				'SELECT * FROM run WHERE schedule = ? ORDER BY due DESC LIMIT ?',
				scheduleId,
				scheduleLimits.shownRuns,
			)
			.map(toScheduledRun);
	}

	dispose(): void {
		this.#db.dispose();
	}

	#change({ scheduleId, due }: ScheduledRun, set: string, from: string): boolean {
		// Lost in a power cut, it is taken over, and the server takes its message no second time.
		return this.#db.transaction('process', () => {
			const sql = `UPDATE run SET ${set} WHERE schedule = ? AND due = ? AND owner = ? AND state IN (${from})`;
			return this.#db.run(sql, scheduleId, due, this.#holder.owner) === 1;
		});
	}

	#dueWatches(now: number): ScheduleRow[] {
		const sql = 'SELECT schedule.* FROM watch JOIN schedule ON id = schedule WHERE next_due <= ? ORDER BY next_due, id';
		return this.#db.all<ScheduleRow>(sql, now);
	}

	#due(now: number): ScheduleRow[] {
		return this.#db.all<ScheduleRow>('SELECT * FROM schedule WHERE next_due <= ? ORDER BY next_due, id', now);
	}

	#open(): ScheduledRunRow[] {
		return this.#db.all<ScheduledRunRow>("SELECT * FROM run WHERE state IN ('claimed', 'started') ORDER BY due");
	}

	#isAlive({ owner, started_at }: ScheduledRunRow): boolean {
		return this.#holder.isAlive(owner, started_at);
	}

	#takeOver(isWanted: (schedule: ScheduleRow) => boolean): ClaimedRun[] {
		return this.#open().flatMap((row) => {
			const schedule = this.#db.get<ScheduleRow>('SELECT * FROM schedule WHERE id = ?', row.schedule);
			if (schedule === undefined || !isWanted(schedule) || this.#isAlive(row)) {
				return [];
			}
			this.#holder.beat();
			const set = row.state === 'claimed' ? ['owner', this.#holder.owner] : ['state', 'interrupted'];
			this.#db.run(
				`UPDATE run SET ${set[0]} = ?, ended_at = ? WHERE schedule = ? AND due = ?`,
				...[set[1] as string, row.state === 'claimed' ? null : this.#holder.now(), row.schedule, row.due],
			);
			const run = toScheduledRun({ ...row, owner: this.#holder.owner });
			return row.state === 'claimed' ? [{ schedule: this.#scheduleOf(schedule), run }] : [];
		});
	}

	#claimDue(row: ScheduleRow, now: number): ClaimedRun[] {
		const times = latestDue(row, row.next_due ?? now, now, row.most_missed + 1);
		const last = times.at(-1);
		const isOnTime = last !== undefined && last >= now - scheduleLimits.onTimeMs;
		const missed = isOnTime ? times.slice(0, -1) : times;
		const madeUpFor =
			row.missed === 'skip' || (row.missed === 'once' && isOnTime)
				? []
				: row.missed === 'once'
					? missed.slice(-1)
					: missed.slice(-row.most_missed);
		this.#db.run('UPDATE schedule SET next_due = ? WHERE id = ?', nextDue(row.pattern, row.zone, now) ?? null, row.id);
		const wanted = [...madeUpFor, ...(isOnTime ? [last] : [])];
		const skipped = missed.at(-1);
		if (wanted.length === 0 && skipped !== undefined) {
			this.#insert(row.id, skipped, 'skipped');
		}
		return wanted.flatMap((due) => this.#claimed(row, due) ?? []);
	}

	#claimed(row: ScheduleRow, due: number): ClaimedRun | undefined {
		const run = this.#insert(row.id, due, 'claimed');
		return run === undefined ? undefined : { schedule: this.#scheduleOf(row), run };
	}

	/** Undefined where a run of that time is known: the clock was put back. */
	#insert(schedule: string, due: number, state: ScheduledRunState): ScheduledRun | undefined {
		this.#holder.beat();
		const now = this.#holder.now();
		const [thread, message] = [newId('thr'), newId('itm')];
		const values = [schedule, due, state, this.#holder.owner, thread, message, now, state === 'claimed' ? null : now];
		const sql = 'INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
		if (this.#db.run(sql, ...values) === 0) {
			return undefined;
		}
		this.#db.run(
			`DELETE FROM run WHERE schedule = ? AND state NOT IN ('claimed', 'started') AND due < ?`,
			...[schedule, now - scheduleLimits.keptRunsMs],
		);
		const row = this.#db.get<ScheduledRunRow>('SELECT * FROM run WHERE schedule = ? AND due = ?', schedule, due);
		return row === undefined ? undefined : toScheduledRun(row);
	}

	#isRunning(id: string): boolean {
		const sql = "SELECT 1 FROM run WHERE state IN ('claimed', 'started') AND schedule = ? LIMIT 1";
		return this.#db.get(sql, id) !== undefined;
	}

	#scheduleOf({ most_missed, paused, created_at, next_due, ...same }: ScheduleRow): Schedule {
		return {
			...same,
			mostMissed: most_missed,
			watch: this.#watches.of(same.id),
			isPaused: paused === 1,
			createdAt: created_at,
			nextDue: next_due,
			lastRun: this.runs(same.id)[0],
		};
	}
}

function toScheduledRun({ schedule, thread, message, started_at, ended_at, ...same }: ScheduledRunRow): ScheduledRun {
	return {
		...same,
		scheduleId: schedule,
		threadId: thread as ScheduledRun['threadId'],
		messageId: message as ScheduledRun['messageId'],
		startedAt: started_at,
		endedAt: ended_at,
	};
}
