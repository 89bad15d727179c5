/**
 * Before-images, synchronously: runs in the store worker only. Texts are kept once, by their hash; the first before-image
 * of a file stays until the user keeps or undoes the change. The column `threadId` holds the owner of the change: a thread,
 * or an execution outside of any, whose images are dropped after `EXECUTION_IMAGE_DAYS`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from './canonical-json.ts';
import { EXECUTION_IMAGE_DAYS } from './limits.ts';

export const CHECKPOINT_SCHEMA = `
CREATE TABLE IF NOT EXISTS texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS changes (
	threadId TEXT NOT NULL, absolutePath TEXT NOT NULL, path TEXT NOT NULL,
	beforeHash TEXT, afterHash TEXT, at TEXT NOT NULL,
	PRIMARY KEY (threadId, absolutePath)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS changes_before ON changes (beforeHash)`;

/** In the place of the hash of a file that the thread itself removed or moved away. */
export const REMOVED = 'removed';

export interface FileWrite {
	/** Of a thread, or of an execution. */
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
	/** Hash of what our last write left, `REMOVED` when it left nothing; null when none is known to have ended. */
	readonly afterHash: string | null;
}

export interface ChangingExecution {
	readonly executionId: string;
	/** ISO time of its first change. */
	readonly since: string;
}

interface ChangeRow extends Omit<ChangedFile, 'before' | 'isLost'> {
	readonly beforeHash: string | null;
	readonly text: string | null;
}

export class CheckpointStore {
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
		// The image is all that is left of the text once it is overwritten.
		db.exec('PRAGMA synchronous = FULL');
		this.#dropOldOfExecutions();
	}

	keepBefore({ owner, path, absolutePath, before }: FileWrite): void {
		const beforeHash = before === null ? null : sha256(before);
		this.#inTransaction(() => {
			const { changes } = this.#db
				.prepare(
					'INSERT OR IGNORE INTO changes (threadId, absolutePath, path, beforeHash, afterHash, at) VALUES (?, ?, ?, ?, NULL, ?)',
				)
				.run(owner, absolutePath, path, beforeHash, new Date().toISOString());
			if (changes === 1 && before !== null && beforeHash !== null) {
				this.#db.prepare('INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)').run(beforeHash, before);
			}
		});
	}

	noteWritten(owner: string, absolutePath: string, afterHash: string): void {
		this.#db
			.prepare('UPDATE changes SET afterHash = ? WHERE threadId = ? AND absolutePath = ?')
			.run(afterHash, owner, absolutePath);
	}

	changedFiles(owner: string): ChangedFile[] {
		const sql = `SELECT path, absolutePath, beforeHash, text, afterHash FROM changes LEFT JOIN texts ON hash = beforeHash
			WHERE threadId = ? ORDER BY path`;
		const rows = this.#db.prepare(sql).all(owner) as unknown as ChangeRow[];
		return rows.map(({ beforeHash, text, ...file }) => {
			const isLost = beforeHash !== null && (text === null || sha256(text) !== beforeHash);
			return { ...file, before: isLost ? null : text, isLost };
		});
	}

	/** The newest first. */
	changedByExecutions(limit: number): ChangingExecution[] {
		const sql = `SELECT threadId AS executionId, min(at) AS since FROM changes WHERE threadId GLOB 'cap_*'
			GROUP BY threadId ORDER BY since DESC LIMIT ?`;
		return this.#db.prepare(sql).all(limit) as unknown as ChangingExecution[];
	}

	forget(owner: string, absolutePaths: readonly string[]): void {
		this.#inTransaction(() => {
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
		this.#inTransaction(() => {
			const { changes } = this.#db.prepare("DELETE FROM changes WHERE threadId GLOB 'cap_*' AND at < ?").run(before);
			if (changes > 0) {
				this.#dropUnusedTexts();
			}
		});
	}

	#dropUnusedTexts(): void {
		this.#db.exec('DELETE FROM texts WHERE hash NOT IN (SELECT beforeHash FROM changes WHERE beforeHash IS NOT NULL)');
	}

	#inTransaction(run: () => void): void {
		this.#db.exec('BEGIN IMMEDIATE');
		try {
			run();
			this.#db.exec('COMMIT');
		} catch (error) {
			if (this.#db.isTransaction) {
				this.#db.exec('ROLLBACK');
			}
			throw error;
		}
	}
}
