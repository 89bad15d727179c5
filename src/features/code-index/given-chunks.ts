/** Places in the code as a provider's model has put them, of one model at a time; our own stay beside them. */
import type { Database } from '../../store/database.ts';
import { findNearestPlaces } from '../memory/given-vectors.ts';
import type { GivenPlace } from '../memory/memory.ts';

interface UnplacedRow {
	readonly number: number;
	readonly path: string;
	readonly start_line: number;
	readonly end_line: number;
	readonly symbol: string;
}

export class GivenChunks {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Places in the code that this model has not put anywhere. */
	unplaced(model: string, count: number): readonly UnplacedRow[] {
		return this.#db.all<UnplacedRow>(
			`SELECT c.number, f.path, c.start_line, c.end_line, c.symbol FROM chunks c JOIN files f ON f.number = c.file
				LEFT JOIN given_vectors g ON g.chunk = c.number AND g.model = ? WHERE g.chunk IS NULL ORDER BY c.number LIMIT ?`,
			...[model, count],
		);
	}

	/** Stores the vector of a place; a place that has gone meanwhile gets none. */
	place(model: string, number: number, vector: Int8Array): void {
		// A model that was replaced under its own name has other dimensions: what it gave before is of no use.
		this.#db.run('DELETE FROM given_vectors WHERE model = ? AND dimensions <> ?', model, vector.length);
		this.#db.run(
			`INSERT OR REPLACE INTO given_vectors (chunk, model, dimensions, vector)
				SELECT number, ?, ?, ? FROM chunks WHERE number = ?`,
			...[model, vector.length, new Uint8Array(vector.buffer, vector.byteOffset, vector.length), number],
		);
	}

	/** Returns those of `numbers` for which this model has given a vector. */
	placed(model: string, numbers: readonly number[]): ReadonlySet<number> {
		const hasVector = (number: number) =>
			this.#db.get('SELECT 1 FROM given_vectors WHERE chunk = ? AND model = ?', number, model) !== undefined;
		return new Set(numbers.filter(hasVector));
	}

	/** The most similar first. `within`: below this folder; empty for all. */
	nearest({ model, vector }: GivenPlace, within: string, count: number): readonly number[] {
		const rows = this.#db.all<{ number: number; vector: Uint8Array }>(
			`SELECT g.chunk AS number, g.vector FROM given_vectors g
				JOIN chunks c ON c.number = g.chunk JOIN files f ON f.number = c.file
				WHERE g.model = ? AND g.dimensions = ? AND (? = '' OR substr(f.path, 1, length(?)) = ?)`,
			...[model, vector.length, within, within, within],
		);
		return findNearestPlaces(rows, vector, count);
	}
}
