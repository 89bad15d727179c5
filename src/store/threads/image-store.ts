/** Pictures of messages and results: their bytes lie here, and nowhere else; messages have their ids. */
import type { Database } from '../database.ts';
import { storeLimits } from '../limits.ts';

export interface NewImage {
	readonly id: string;
	readonly type: string;
	readonly width: number;
	readonly height: number;
	readonly name: string | undefined;
	readonly data: Uint8Array;
}

interface ImageRow {
	readonly id: string;
	readonly type: string;
	readonly width: number;
	readonly height: number;
	readonly name: string | null;
	readonly bytes: number;
}

export class ImageStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** For a message that is yet to be sent. */
	keep(image: NewImage): void {
		this.#db.transaction('process', () => insertImage(this.#db, image, undefined));
	}

	/** Without its bytes. */
	find(id: string): ImageRow | undefined {
		return this.#db.get<ImageRow>(
			'SELECT id, type, width, height, name, length(data) AS bytes FROM images WHERE id = ?',
			id,
		);
	}

	data(id: string): Uint8Array | undefined {
		return this.#db.get<{ data: Uint8Array }>('SELECT data FROM images WHERE id = ?', id)?.data;
	}

	/**
	 * Deletes pictures that no message has taken for long: from drafts that were given up, and from turns that were
	 * cut.
	 */
	forgetUnused(): void {
		this.#db.transaction('process', () => {
			this.#db.run('DELETE FROM images WHERE turn_id IS NULL AND kept_at < ?', Date.now() - storeLimits.unusedImageMs);
		});
	}
}

export function insertImage(
	db: Database,
	{ id, type, width, height, name, data }: NewImage,
	of: { readonly threadId: string; readonly turnId: string } | undefined,
): void {
	db.run(
		'INSERT INTO images (id, thread_id, turn_id, type, width, height, name, data, kept_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
		...[id, of?.threadId ?? null, of?.turnId ?? null, type, width, height, name ?? null, data, Date.now()],
	);
}
