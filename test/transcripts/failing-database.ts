/** A real database whose n-th write fails, and all after it while the fault lasts: a disk that is full, gone or read-only. */
import { Database } from '../../src/store/database.ts';

/** SQLite's codes, with its words for them. */
export const faults = {
	ENOSPC: [13, 'database or disk is full'],
	EIO: [10, 'disk I/O error'],
	EROFS: [8, 'attempt to write a readonly database'],
	EMFILE: [14, 'unable to open database file'],
	BUSY: [5, 'database is locked'],
} as const;
export type Fault = keyof typeof faults;

export class FailingDatabase extends Database {
	/** Writes so far. */
	writes = 0;
	/** From 1; 0: none. */
	failAt = 0;
	lasts = false;
	fault: Fault = 'ENOSPC';

	override run(...asked: Parameters<Database['run']>): number {
		this.writes += 1;
		if (this.failAt > 0 && (this.lasts ? this.writes >= this.failAt : this.writes === this.failAt)) {
			const [errcode, message] = faults[this.fault];
			throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
		}
		return super.run(...asked);
	}
}
