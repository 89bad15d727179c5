/**
 * Watches: schedules whose time is a condition. A poll is claimed in one transaction, which also sets the time of the
 * next one, so two processes never make the same poll, and a poll that a kill cut off is made again. The run is
 * stored together with the end of the poll that led to it. Synchronous, as the store of schedules, of which this is a part.
 */
import { isAbsolute, relative } from 'node:path';
import { cutText } from '../../base/text/one-line.ts';
import type { AnyError } from '../../protocol/errors/error-text.ts';
import type { Database } from '../../store/database.ts';
import { scheduleLimits } from './limits.ts';
import { pathBeforeWildcards } from './check-condition.ts';
import type { KeptCondition, NewWatch, SeenPoll, Watch } from './schedule.ts';

interface WatchRow {
	readonly schedule: string;
	readonly condition: string;
	readonly ends_at: number;
	readonly most: number;
	readonly thread: string;
	readonly held: number;
	readonly polls: number;
	readonly pause_ms: number;
	readonly last_poll: number | null;
	readonly mark: string | null;
	readonly result: string | null;
	readonly problem: string | null;
	readonly failed: number;
}

/** End of a poll: `holds` leads to a run, `fails` to a pause that the user is told of. */
type PollEnd = 'waits' | 'holds' | 'fails';

export class WatchStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Within the transaction that adds its schedule. `seen`: what the first poll found, which only shows that it can be made. */
	add(schedule: string, { condition, endsAt, most }: NewWatch, threadId: string, seen: SeenPoll, now: number): void {
		// A state that holds already is left open here: the next poll finds it, and then it counts.
		const isKept = condition.expects === 'changes';
		this.#db.run(
			'INSERT INTO watch VALUES (?, ?, ?, ?, ?, 0, 1, ?, ?, ?, ?, NULL, 0)',
			...[schedule, JSON.stringify(condition), endsAt, most, threadId, scheduleLimits.leastPauseMs[condition.kind]],
			...[now, isKept ? seen.mark : null, seen.result],
		);
	}

	of(schedule: string): Watch | undefined {
		const row = this.#row(schedule);
		return row === undefined ? undefined : toWatch(row);
	}

	isWatch(schedule: string): boolean {
		return this.#row(schedule) !== undefined;
	}

	/** Tells whether its time is over while it could have held once more. */
	isExpired(schedule: string, now: number): boolean {
		const row = this.#row(schedule);
		return row !== undefined && now >= row.ends_at && row.held < row.most;
	}

	/** Within a transaction. Undefined: it is over, and its schedule has no next time. */
	claimPoll(schedule: string, now: number): Watch | undefined {
		const row = this.#row(schedule);
		const isOver = row === undefined || now >= row.ends_at || row.held >= row.most;
		this.#db.run(
			'UPDATE schedule SET next_due = ? WHERE id = ?',
			isOver ? null : now + scheduleLimits.pollMs,
			schedule,
		);
		return isOver ? undefined : toWatch(row);
	}

	/** Within a transaction. `problem`: why the poll found nothing. `mayChangeFiles`: the run to which it may lead. */
	settle(
		schedule: string,
		found: SeenPoll | { readonly problem: AnyError },
		{ now, mayChangeFiles }: { readonly now: number; readonly mayChangeFiles: boolean },
	): PollEnd {
		const row = this.#row(schedule);
		if (row === undefined) {
			return 'waits';
		}
		const { least, most } = choosePauses(readKeptCondition(row));
		if ('problem' in found) {
			const failed = row.failed + 1;
			const isLast = failed >= scheduleLimits.mostFailedPolls;
			const pause = Math.min(most, row.pause_ms * 1.5);
			this.#db.run(
				'UPDATE watch SET polls = polls + 1, last_poll = ?, problem = ?, failed = ?, pause_ms = ? WHERE schedule = ?',
				...[now, formatProblem(found.problem), isLast ? 0 : failed, Math.round(pause), schedule],
			);
			this.#moveOn(schedule, isLast ? null : now + pause, isLast);
			return isLast ? 'fails' : 'waits';
		}
		const isSame = row.mark === found.mark;
		const holds =
			readKeptCondition(row).expects === 'changes' ? row.mark !== null && !isSame : found.mark === 'yes' && !isSame;
		const pause = isSame ? Math.min(most, Math.round(row.pause_ms * 1.5)) : least;
		// The changes of the run itself lead to no further run: the next poll takes them for the beginning.
		const isAnew = holds && mayChangeFiles && readKeptCondition(row).kind === 'files';
		const isOver = holds && row.held + 1 >= row.most;
		this.#db.run(
			`UPDATE watch SET polls = polls + 1, last_poll = ?, mark = ?, result = ?, problem = NULL, failed = 0,
				pause_ms = ?, held = held + ? WHERE schedule = ?`,
			...[now, isAnew ? null : found.mark, found.result, pause, holds ? 1 : 0, schedule],
		);
		this.#moveOn(schedule, isOver ? null : Math.min(now + pause, row.ends_at), false);
		return holds ? 'holds' : 'waits';
	}

	/** Brings its next poll forward, as far as its least pause allows, if it is one of files that these paths may mean. */
	hurry(schedule: string, folder: string, changed: readonly string[], now: number): boolean {
		const row = this.#row(schedule);
		if (row === undefined || !changed.some((path) => mayMean(readKeptCondition(row), relative(folder, path)))) {
			return false;
		}
		const next = Math.max(now + 1, (row.last_poll ?? 0) + scheduleLimits.leastPauseMs.files);
		// A poll under way has claimed longer than the longest pause.
		const sql = 'UPDATE schedule SET next_due = ? WHERE id = ? AND next_due > ? AND next_due <= ?';
		this.#db.run(sql, next, schedule, next, now + scheduleLimits.mostPauseMs.files);
		return true;
	}

	#moveOn(schedule: string, next: number | null, isPaused: boolean): void {
		const sql = 'UPDATE schedule SET next_due = ?, paused = ? WHERE id = ?';
		this.#db.run(sql, next === null ? null : Math.round(next), isPaused ? 1 : 0, schedule);
	}

	#row(schedule: string): WatchRow | undefined {
		return this.#db.get<WatchRow>('SELECT * FROM watch WHERE schedule = ?', schedule);
	}
}

/** `path` is relative to the folder of the watch. A folder above what is watched may have come or gone. */
function mayMean({ kind, what }: KeptCondition, path: string): boolean {
	if (kind !== 'files' || isAbsolute(path)) {
		return false;
	}
	const changed = `${path.replaceAll('\\', '/')}/`;
	const watched = `${pathBeforeWildcards(what)}/`.replace(/^\/$/, '');
	return !changed.startsWith('../') && (changed.startsWith(watched) || watched.startsWith(changed));
}

/** Leaves out the facts of a long one. */
function formatProblem({ code, message, facts }: AnyError): string {
	const whole = JSON.stringify({ code, message, facts });
	return whole.length <= scheduleLimits.problemChars ? whole : JSON.stringify({ code, message: cutText(message, 500) });
}

function readProblem(kept: string): AnyError {
	return kept.startsWith('{') ? (JSON.parse(kept) as AnyError) : { message: kept };
}

function choosePauses({ kind }: KeptCondition) {
	return { least: scheduleLimits.leastPauseMs[kind], most: scheduleLimits.mostPauseMs[kind] };
}

function readKeptCondition({ condition }: Pick<WatchRow, 'condition'>): KeptCondition {
	return JSON.parse(condition) as KeptCondition;
}

function toWatch(row: WatchRow): Watch {
	return {
		condition: readKeptCondition(row),
		endsAt: row.ends_at,
		most: row.most,
		threadId: row.thread as Watch['threadId'],
		held: row.held,
		polls: row.polls,
		lastPoll: row.last_poll,
		seen: row.result === null ? undefined : { mark: row.mark ?? '', result: row.result },
		problem: row.problem === null ? undefined : readProblem(row.problem),
	};
}
