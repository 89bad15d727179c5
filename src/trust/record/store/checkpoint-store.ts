/**
 * Before-images, synchronously: runs in the thread of the databases. Texts are kept once, by their hash: that before the owner's
 * first change, which stays until the user keeps or undoes it, and that which the owner's last write left. The column `threadId` holds the owner of the change: a thread,
 * or an execution outside of any, whose images are dropped after `EXECUTION_IMAGE_DAYS`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.ts';
import { sha256 } from './chain/canonical-json.ts';
import { EXECUTION_IMAGE_DAYS } from './limits.ts';
import { TURN_IMAGE_SCHEMA, TurnImageStore } from './turn-image-store.ts';

export const CHECKPOINT_SCHEMA = `
CREATE TABLE IF NOT EXISTS texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS changes (
	threadId TEXT NOT NULL, absolutePath TEXT NOT NULL, path TEXT NOT NULL,
	beforeHash TEXT, afterHash TEXT, at TEXT NOT NULL,
	PRIMARY KEY (threadId, absolutePath)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (
	threadId TEXT NOT NULL, absolutePath TEXT NOT NULL, path TEXT NOT NULL,
	beforeHash TEXT, afterHash TEXT NOT NULL, at TEXT NOT NULL,
	PRIMARY KEY (threadId, absolutePath)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changes_before ON changes (beforeHash);
CREATE INDEX IF NOT EXISTS changes_after ON changes (afterHash);
CREATE INDEX IF NOT EXISTS changes_path ON changes (absolutePath);
${TURN_IMAGE_SCHEMA}`;

/** In the place of the hash of a file that the thread itself removed or moved away. */
export const REMOVED = 'removed';

/** In the place of the hash of what a write left, where nothing shows that the owner has changed the file. */
export const NOT_SHOWN = 'not shown';

export interface FileWrite {
	/** Id of the thread or of the execution that changed the file. */
	readonly owner: string;
	readonly path: string;
	readonly absolutePath: string;
	/** Null when the file did not exist. */
	readonly before: string | null;
}

export interface ChangedFile {
	readonly path: string;
	readonly absolutePath: string;
	/** Null when the owner created the file, or when it is lost. */
	readonly before: string | null;
	/** The disk no longer holds the text that was there before. */
	readonly isLost: boolean;
	/**
	 * Hash of what our last write left, `REMOVED` when it left nothing; null when none is known to have ended, and `NOT_SHOWN`
	 * when the change may be somebody else's.
	 */
	readonly afterHash: string | null;
	/** Text that our last write left; null when it left nothing, or when the text is not known. */
	readonly after: string | null;
}

/** Change that replaces the stored one of the owner's file. */
export interface NewChange extends FileWrite {
	/** Null: the owner has removed the file. */
	readonly after: string | null;
	/** False: only the hash of `after` is kept, because its text is not to lie here. */
	readonly keepsAfter: boolean;
}

/** Content that a write has left. */
export interface WrittenFile extends Pick<NewChange, 'absolutePath' | 'after' | 'keepsAfter'> {
	readonly owner: string;
	/** False: the user did it with the changes of the owner, who does not know of it. */
	readonly isOwn: boolean;
}

/**
 * Last write of an owner to a file, and the content before its change; hashes, `REMOVED` for no file. Stays when the
 * change is kept or undone.
 */
export interface LastWritten {
	readonly path: string;
	readonly absolutePath: string;
	/** Null: there was no such file. */
	readonly beforeHash: string | null;
	readonly afterHash: string;
	/** ISO time of the write. */
	readonly at: string;
}

export interface ChangingExecution {
	readonly executionId: string;
	/** ISO time of its first change. */
	readonly since: string;
}

interface StoredChangeRow extends Omit<ChangedFile, 'before' | 'isLost'> {
	readonly beforeHash: string | null;
	readonly text: string | null;
}

const CHANGED_FILES = `SELECT path, absolutePath, beforeHash, first.text AS text, afterHash, last.text AS after
	FROM changes LEFT JOIN texts AS first ON first.hash = beforeHash LEFT JOIN texts AS last ON last.hash = afterHash
	WHERE threadId = ?`;

export class CheckpointStore {
	readonly #db: DatabaseSync;
	/** Images by turn, in the same database file. */
	readonly turns: TurnImageStore;

	constructor(db: DatabaseSync) {
		this.#db = db;
		this.turns = new TurnImageStore(db);
		// The image is all that is left of the text once it is overwritten.
		db.exec('PRAGMA synchronous = FULL');
		this.#dropOldOfExecutions();
	}

	keepBefore({ owner, path, absolutePath, before }: FileWrite): void {
		const beforeHash = before === null ? null : sha256(before);
		inTransaction(this.#db, () => {
			const { changes } = this.#db
				.prepare(
					'INSERT OR IGNORE INTO changes (threadId, absolutePath, path, beforeHash, afterHash, at) VALUES (?, ?, ?, ?, NULL, ?)',
				)
				.run(owner, absolutePath, path, beforeHash, new Date().toISOString());
			if (changes === 1) {
				this.#keepText(before);
			}
		});
	}

	/** `after` null: the write has removed the file. Without `keepsAfter` only its hash is kept. */
	noteWritten({ owner, absolutePath, after, keepsAfter, isOwn }: WrittenFile): void {
		const { afterHash: earlier = null } = this.changedFile(owner, absolutePath) ?? {};
		inTransaction(this.#db, () => {
			const { changes } = this.#db
				.prepare('UPDATE changes SET afterHash = ? WHERE threadId = ? AND absolutePath = ?')
				.run(computeAfterHash(after), owner, absolutePath);
			if (changes === 1) {
				this.#keepText(keepsAfter ? after : null);
				this.#dropText(earlier);
			}
			if (changes === 1 && isOwn) {
				this.#noteLast(owner, absolutePath);
			}
		});
	}

	/** The file has changed, and nobody knows by whom: whose change it is from now on is not shown. */
	noteNotShown({ owner, absolutePath }: Pick<FileWrite, 'owner' | 'absolutePath'>): void {
		inTransaction(this.#db, () => {
			this.#db
				.prepare('UPDATE changes SET afterHash = ? WHERE threadId = ? AND absolutePath = ?')
				.run(NOT_SHOWN, owner, absolutePath);
			this.#dropUnusedTexts();
		});
	}

	/** Puts this change in the place of what was kept of the file. */
	setChange({ owner, path, absolutePath, before, after, keepsAfter }: NewChange): void {
		inTransaction(this.#db, () => {
			this.#db
				.prepare(
					`INSERT INTO changes (threadId, absolutePath, path, beforeHash, afterHash, at) VALUES (?, ?, ?, ?, ?, ?)
						ON CONFLICT DO UPDATE SET beforeHash = excluded.beforeHash, afterHash = excluded.afterHash`,
				)
				.run(
					owner,
					absolutePath,
					path,
					before === null ? null : sha256(before),
					computeAfterHash(after),
					new Date().toISOString(),
				);
			this.#keepText(before);
			this.#keepText(keepsAfter ? after : null);
			this.#dropUnusedTexts();
		});
	}

	/** The newest first. */
	lastWritten(owner: string, limit: number): LastWritten[] {
		const sql = `SELECT path, absolutePath, beforeHash, afterHash, at FROM written WHERE threadId = ? ORDER BY at DESC LIMIT ?`;
		return this.#db.prepare(sql).all(owner, limit) as unknown as LastWritten[];
	}

	/** Hash of what the owner's last write to that file left. */
	lastWrittenTo(owner: string, absolutePath: string): string | undefined {
		const sql = 'SELECT afterHash FROM written WHERE threadId = ? AND absolutePath = ?';
		const row = this.#db.prepare(sql).get(owner, absolutePath);
		return row === undefined ? undefined : String(row['afterHash']);
	}

	/** For an owner that is gone. */
	forgetWritten(owner: string): void {
		this.#db.prepare('DELETE FROM written WHERE threadId = ?').run(owner);
	}

	changedFiles(owner: string): ChangedFile[] {
		const rows = this.#db.prepare(`${CHANGED_FILES} ORDER BY path`).all(owner) as unknown as StoredChangeRow[];
		return rows.map(changedFile);
	}

	changedFile(owner: string, absolutePath: string): ChangedFile | undefined {
		const row = this.#db.prepare(`${CHANGED_FILES} AND absolutePath = ?`).get(owner, absolutePath);
		return row === undefined ? undefined : changedFile(row as unknown as StoredChangeRow);
	}

	/** Everybody of whose change of this file something is kept. */
	ownersOf(absolutePath: string): string[] {
		const rows = this.#db.prepare('SELECT threadId AS owner FROM changes WHERE absolutePath = ?').all(absolutePath);
		return rows.map(({ owner }) => String(owner));
	}

	/** Owners of changes, without those that the undo keeps for redo. The newest first. */
	changingThreads(limit: number): string[] {
		const sql = `SELECT threadId AS owner, max(at) AS last FROM changes WHERE threadId GLOB 'thr_*'
			GROUP BY threadId ORDER BY last DESC LIMIT ?`;
		return this.#db
			.prepare(sql)
			.all(limit)
			.map(({ owner }) => String(owner));
	}

	/** The newest first. */
	changedByExecutions(limit: number): ChangingExecution[] {
		const sql = `SELECT threadId AS executionId, min(at) AS since FROM changes WHERE threadId GLOB 'cap_*'
			GROUP BY threadId ORDER BY since DESC LIMIT ?`;
		return this.#db.prepare(sql).all(limit) as unknown as ChangingExecution[];
	}

	forget(owner: string, absolutePaths: readonly string[]): void {
		inTransaction(this.#db, () => {
			const remove = this.#db.prepare('DELETE FROM changes WHERE threadId = ? AND absolutePath = ?');
			for (const absolutePath of absolutePaths) {
				remove.run(owner, absolutePath);
			}
			this.#dropUnusedTexts();
		});
	}

	/** A thread's images end with the thread; nobody deletes an execution. */
	#dropOldOfExecutions(): void {
		const before = new Date(Date.now() - EXECUTION_IMAGE_DAYS * 86_400_000).toISOString();
		inTransaction(this.#db, () => {
			const { changes } = this.#db.prepare("DELETE FROM changes WHERE threadId GLOB 'cap_*' AND at < ?").run(before);
			if (changes > 0) {
				this.#dropUnusedTexts();
				this.turns.dropOfExecutionsWithoutChanges();
			}
		});
	}

	/** Notes the last write, for threads only: an execution does not come back to what it wrote. */
	#noteLast(owner: string, absolutePath: string): void {
		const sql = `INSERT INTO written SELECT threadId, absolutePath, path, beforeHash, afterHash, ?3 FROM changes
			WHERE threadId = ?1 AND absolutePath = ?2 AND threadId GLOB 'thr_*'
			ON CONFLICT DO UPDATE SET beforeHash = excluded.beforeHash, afterHash = excluded.afterHash, at = excluded.at`;
		this.#db.prepare(sql).run(owner, absolutePath, new Date().toISOString());
	}

	#keepText(text: string | null): void {
		if (text !== null) {
			this.#db.prepare('INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)').run(sha256(text), text);
		}
	}

	/** If nothing needs it any more. */
	#dropText(hash: string | null): void {
		const isUsed = 'EXISTS (SELECT 1 FROM changes WHERE beforeHash = ?1 OR afterHash = ?1)';
		this.#db.prepare(`DELETE FROM texts WHERE hash = ?1 AND NOT ${isUsed}`).run(hash);
	}

	#dropUnusedTexts(): void {
		this.#db.exec(`DELETE FROM texts WHERE hash NOT IN (SELECT beforeHash FROM changes WHERE beforeHash IS NOT NULL
			UNION SELECT afterHash FROM changes WHERE afterHash IS NOT NULL)`);
	}
}

function computeAfterHash(after: string | null): string {
	return after === null ? REMOVED : sha256(after);
}

function changedFile({ beforeHash, text, ...file }: StoredChangeRow): ChangedFile {
	const isLost = beforeHash !== null && (text === null || sha256(text) !== beforeHash);
	const isAfterWhole = file.after !== null && sha256(file.after) === file.afterHash;
	return { ...file, before: isLost ? null : text, isLost, after: isAfterWhole ? file.after : null };
}
