/**
 * Stores images by turn, synchronously: runs in the thread of the databases. Holds the content of a file before each
 * turn that changed it, byte for byte, so that the files of a thread can go back to any message; and the last restore
 * of each thread, which is its journal while it runs. Bytes are kept once, by their hash, and packed. The oldest go
 * when they are too many, and their rows stay, so that a restore can report what it lacks.
 */
import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import type {
	ImageAfter,
	NewRestore,
	NewTurnImage,
	RestoredFile,
	RestoreEnd,
	RestoreRow,
	RestoreTurn,
	TurnImage,
} from './image-rows.ts';
import { inTransaction } from './in-transaction.ts';
import { KEPT_BLOB_BYTES, PRUNE_BLOBS_EVERY_BYTES } from './limits.ts';

export const TURN_IMAGE_SCHEMA = `
CREATE TABLE IF NOT EXISTS blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS turn_images (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	threadId TEXT NOT NULL, turnId TEXT NOT NULL, absolutePath TEXT NOT NULL, path TEXT NOT NULL,
	before TEXT NOT NULL, after TEXT, newFolder TEXT, isTakenBack INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS turn_images_file ON turn_images (threadId, absolutePath, number);
CREATE TABLE IF NOT EXISTS restores (
	threadId TEXT PRIMARY KEY, turnId TEXT NOT NULL, withConversation INTEGER NOT NULL, state TEXT NOT NULL,
	at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS restored_files (
	threadId TEXT NOT NULL, absolutePath TEXT NOT NULL, path TEXT NOT NULL, fromState TEXT NOT NULL, toState TEXT NOT NULL,
	newFolder TEXT, images TEXT NOT NULL, known TEXT, isLeft INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (threadId, absolutePath)
) STRICT, WITHOUT ROWID`;

const IMAGE_COLUMNS = 'number, turnId, path, absolutePath, before, after, newFolder';

export class TurnImageStore {
	readonly #db: DatabaseSync;
	#sincePruning = 0;

	constructor(db: DatabaseSync) {
		this.#db = db;
	}

	/** Kept unless the last image of the file covers it: one of the same turn, after which nobody else has changed the file. */
	keepImage({ threadId, turnId, absolutePath, path, before, newFolder, bytes }: NewTurnImage): void {
		const last = this.#lastOf(threadId, absolutePath);
		if (last?.turnId === turnId && (last.after ?? last.before) === before) {
			return;
		}
		inTransaction(this.#db, () => {
			this.#db
				.prepare(
					'INSERT INTO turn_images (threadId, turnId, absolutePath, path, before, newFolder) VALUES (?, ?, ?, ?, ?, ?)',
				)
				.run(threadId, turnId, absolutePath, path, before, newFolder);
			this.#keepBlob(hashIn(before), bytes);
		});
		this.#prune();
	}

	/** Notes the content after the write in the last image of the file; without an image, notes nothing. */
	noteAfter({ threadId, absolutePath, after, bytes }: ImageAfter): void {
		const last = this.#lastOf(threadId, absolutePath);
		if (last !== undefined) {
			inTransaction(this.#db, () => {
				this.#db.prepare('UPDATE turn_images SET after = ? WHERE number = ?').run(after, last.number);
				this.#keepBlob(hashIn(after), bytes);
			});
		}
	}

	/** Returns the images of this turn and later ones that are not taken back, the oldest first. */
	imagesSince(threadId: string, turnId: string): TurnImage[] {
		const sql = `SELECT ${IMAGE_COLUMNS} FROM turn_images WHERE threadId = ? AND turnId >= ? AND isTakenBack = 0 ORDER BY number`;
		return this.#db.prepare(sql).all(threadId, turnId) as unknown as TurnImage[];
	}

	/** The last of a file before that one, which is not taken back. */
	imageBefore(threadId: string, absolutePath: string, number: number): TurnImage | undefined {
		const sql = `SELECT ${IMAGE_COLUMNS} FROM turn_images WHERE threadId = ? AND absolutePath = ? AND number < ?
			AND isTakenBack = 0 ORDER BY number DESC LIMIT 1`;
		return this.#db.prepare(sql).get(threadId, absolutePath, number) as unknown as TurnImage | undefined;
	}

	/** Undefined: they are not kept, or not any more, or the disk no longer holds them. */
	blob(hash: string): Uint8Array | undefined {
		const row = this.#db.prepare('SELECT bytes FROM blobs WHERE hash = ?').get(hash);
		if (row === undefined) {
			return undefined;
		}
		try {
			const bytes = inflateRawSync(row['bytes'] as Uint8Array);
			return createHash('sha256').update(bytes).digest('hex') === hash ? bytes : undefined;
		} catch {
			return undefined;
		}
	}

	/** Written before anything is restored, in the place of the last restore of the thread. */
	beginRestore({ threadId, turnId, withConversation, files, blobs }: NewRestore): void {
		inTransaction(this.#db, () => {
			this.#dropRestore(threadId);
			this.#db
				.prepare("INSERT INTO restores (threadId, turnId, withConversation, state, at) VALUES (?, ?, ?, 'forth', ?)")
				.run(threadId, turnId, withConversation ? 1 : 0, new Date().toISOString());
			const add = this.#db.prepare(
				`INSERT INTO restored_files (threadId, absolutePath, path, fromState, toState, newFolder, images, known)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			);
			for (const { absolutePath, path, from, to, newFolder, images, known } of files) {
				add.run(threadId, absolutePath, path, from, to, newFolder, JSON.stringify(images), known);
			}
			for (const { hash, bytes } of blobs) {
				this.#keepBlob(hash, bytes);
			}
		});
	}

	/** From one state to the other, where it is in the first. */
	turnRestore({ threadId, from, to }: RestoreTurn): void {
		this.#db.prepare('UPDATE restores SET state = ? WHERE threadId = ? AND state = ?').run(to, threadId, from);
	}

	/** For one that was not to be, before it changed anything. */
	dropRestore(threadId: string): void {
		inTransaction(this.#db, () => this.#dropRestore(threadId));
	}

	restoreOf(threadId: string): RestoreRow | undefined {
		const row = this.#db
			.prepare('SELECT turnId, withConversation, state, at FROM restores WHERE threadId = ?')
			.get(threadId);
		if (row === undefined) {
			return undefined;
		}
		const files = this.#db
			.prepare('SELECT * FROM restored_files WHERE threadId = ? ORDER BY path')
			.all(threadId)
			.map((file): RestoredFile => ({
				path: String(file['path']),
				absolutePath: String(file['absolutePath']),
				from: String(file['fromState']),
				to: String(file['toState']),
				newFolder: file['newFolder'] as string | null,
				images: JSON.parse(String(file['images'])) as number[],
				known: file['known'] as string | null,
				isLeft: file['isLeft'] === 1,
			}));
		return {
			threadId,
			turnId: String(row['turnId']),
			withConversation: row['withConversation'] === 1,
			state: row['state'] as RestoreRow['state'],
			at: String(row['at']),
			files,
		};
	}

	/**
	 * Ends a restore in either direction. Forth: the images of the files that were not left count as taken back. Back:
	 * they count again. Does nothing once it has ended.
	 */
	endRestore({ threadId, state, left }: RestoreEnd): void {
		const restore = this.restoreOf(threadId);
		if (restore?.state !== state) {
			return;
		}
		const isForth = state === 'forth';
		inTransaction(this.#db, () => {
			const mark = this.#db.prepare('UPDATE turn_images SET isTakenBack = ? WHERE number = ?');
			for (const file of restore.files.filter(({ absolutePath, isLeft }) => !isLeft && !left.includes(absolutePath))) {
				for (const number of file.images) {
					mark.run(isForth ? 1 : 0, number);
				}
				if (isForth && restore.withConversation) {
					this.#resetLastWritten(threadId, file);
				}
			}
			if (isForth) {
				const leave = this.#db.prepare('UPDATE restored_files SET isLeft = 1 WHERE threadId = ? AND absolutePath = ?');
				for (const absolutePath of left) {
					leave.run(threadId, absolutePath);
				}
				this.#db.prepare("UPDATE restores SET state = 'done' WHERE threadId = ?").run(threadId);
			} else {
				this.#dropRestore(threadId);
			}
		});
	}

	/** For a thread that is gone. */
	forgetImages(threadId: string): void {
		inTransaction(this.#db, () => {
			this.#dropRestore(threadId);
			this.#db.prepare('DELETE FROM turn_images WHERE threadId = ?').run(threadId);
			this.#dropUnusedBlobs();
		});
	}

	/** Nobody deletes an execution: its images go with its changes. Within a transaction. */
	dropOfExecutionsWithoutChanges(): void {
		this.#db.exec(`DELETE FROM turn_images WHERE threadId GLOB 'cap_*'
			AND threadId NOT IN (SELECT threadId FROM changes WHERE threadId GLOB 'cap_*')`);
		this.#dropUnusedBlobs();
	}

	/** Bytes that all images take on the disk. */
	blobBytes(): number {
		return Number(this.#db.prepare('SELECT coalesce(sum(length(bytes)), 0) AS total FROM blobs').get()?.['total']);
	}

	/** Sets what the thread last wrote to a file back, so that the end of its turns is not told to it as somebody's change. */
	#resetLastWritten(threadId: string, { absolutePath, known }: RestoredFile): void {
		if (known === null) {
			this.#db.prepare('DELETE FROM written WHERE threadId = ? AND absolutePath = ?').run(threadId, absolutePath);
		} else {
			this.#db
				.prepare('UPDATE written SET afterHash = ? WHERE threadId = ? AND absolutePath = ?')
				.run(known, threadId, absolutePath);
		}
	}

	#lastOf(threadId: string, absolutePath: string): TurnImage | undefined {
		return this.imageBefore(threadId, absolutePath, Number.MAX_SAFE_INTEGER);
	}

	#dropRestore(threadId: string): void {
		this.#db.prepare('DELETE FROM restores WHERE threadId = ?').run(threadId);
		this.#db.prepare('DELETE FROM restored_files WHERE threadId = ?').run(threadId);
	}

	#keepBlob(hash: string | undefined, bytes: Uint8Array | undefined): void {
		if (hash === undefined || bytes === undefined) {
			return;
		}
		if (this.#db.prepare('SELECT 1 FROM blobs WHERE hash = ?').get(hash) === undefined) {
			const packed = deflateRawSync(bytes, { level: 1 });
			this.#db.prepare('INSERT INTO blobs (hash, bytes) VALUES (?, ?)').run(hash, packed);
			this.#sincePruning += packed.length;
		}
	}

	/** The bytes of the oldest images go first. A look at all costs time, so it is not taken for every one. */
	#prune(): void {
		if (this.#sincePruning < PRUNE_BLOBS_EVERY_BYTES) {
			return;
		}
		this.#sincePruning = 0;
		let excess = this.blobBytes() - KEPT_BLOB_BYTES;
		if (excess <= 0) {
			return;
		}
		inTransaction(this.#db, () => {
			this.#dropUnusedBlobs();
			excess = this.blobBytes() - KEPT_BLOB_BYTES;
			const hashes = this.#db.prepare(
				`SELECT substr(before, 1, 64) AS hash, max(number) AS last FROM turn_images WHERE before <> 'none'
					GROUP BY hash ORDER BY last`,
			);
			const drop = this.#db.prepare('DELETE FROM blobs WHERE hash = ? RETURNING length(bytes) AS bytes');
			for (const { hash } of hashes.all()) {
				if (excess <= 0) {
					break;
				}
				excess -= Number(drop.get(hash as string)?.['bytes'] ?? 0);
			}
		});
	}

	#dropUnusedBlobs(): void {
		this.#db.exec(`DELETE FROM blobs WHERE hash NOT IN (
			SELECT substr(before, 1, 64) FROM turn_images UNION SELECT substr(after, 1, 64) FROM turn_images WHERE after IS NOT NULL
			UNION SELECT substr(fromState, 1, 64) FROM restored_files UNION SELECT substr(toState, 1, 64) FROM restored_files)`);
	}
}

/** Undefined: of no file. */
function hashIn(state: string): string | undefined {
	return /^[0-9a-f]{64} /.exec(state)?.[0].trimEnd();
}
