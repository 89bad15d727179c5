/**
 * Places of memories that a provider's model has given, of one model at a time: another model, or another number of dimensions,
 * places all of them anew. Our own places stay beside them, for when the provider does not answer.
 */
import type { Database } from '../../store/database.ts';
import { computeVectorLength } from './embedding.ts';
import { memoryLimits } from './limits.ts';
import type { GivenPlace, UnplacedMemory } from './memory.ts';

export class GivenVectors {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Memories that may be recalled and have no place of this model, the newest first. */
	unplaced(model: string, count: number): UnplacedMemory[] {
		return this.#db.all<UnplacedMemory>(
			`SELECT m.number, m.text FROM memories m LEFT JOIN given_vectors g ON g.memory = m.number AND g.model = ?
				WHERE m.state = 'kept' AND g.memory IS NULL ORDER BY m.number DESC LIMIT ?`,
			...[model, count],
		);
	}

	/** A memory that is gone meanwhile gets none. */
	place(model: string, memory: number, vector: Int8Array): void {
		// A model that was replaced under its own name has other dimensions: what it gave before is of no use.
		this.#db.run('DELETE FROM given_vectors WHERE model = ? AND dimensions <> ?', model, vector.length);
		this.#db.run(
			`INSERT OR REPLACE INTO given_vectors (memory, project, model, dimensions, vector)
				SELECT number, project, ?, ?, ? FROM memories WHERE number = ?`,
			...[model, vector.length, new Uint8Array(vector.buffer, vector.byteOffset, vector.length), memory],
		);
	}

	/** Returns those of `numbers` that have a place of this model. */
	placed(model: string, numbers: readonly number[]): ReadonlySet<number> {
		const hasModelPlace = (number: number) =>
			this.#db.get('SELECT 1 FROM given_vectors WHERE memory = ? AND model = ?', number, model) !== undefined;
		return new Set(numbers.filter(hasModelPlace));
	}

	/** Memories of the user and of the project, the most similar first. */
	nearest(place: GivenPlace, project: string, count: number): readonly number[] {
		const rows = this.#db.all<StoredPlace>(
			`SELECT memory AS number, vector FROM given_vectors
				WHERE model = ? AND dimensions = ? AND (project = '' OR project = ?)`,
			...[place.model, place.vector.length, project],
		);
		return findNearestPlaces(rows, place.vector, count);
	}
}

interface StoredPlace {
	readonly number: number;
	readonly vector: Uint8Array;
}

/**
 * Returns the rows that are about as near as the nearest one, most similar first. All places must come from one model.
 */
export function findNearestPlaces(rows: readonly StoredPlace[], vector: Int8Array, count: number): readonly number[] {
	const length = computeVectorLength(vector);
	const near = rows
		.map(({ number, vector: bytes }) => {
			const other = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
			return { number, similarity: computeVectorProduct(vector, other) / (length * computeVectorLength(other)) };
		})
		.sort((a, b) => b.similarity - a.similarity)
		.slice(0, count);
	const best = near[0]?.similarity ?? 0;
	const least = Math.max(memoryLimits.leastGivenSimilarity, best * memoryLimits.shareOfBest);
	return near.filter(({ similarity }) => similarity >= least).map(({ number }) => number);
}

function computeVectorProduct(a: Int8Array, b: Int8Array): number {
	let sum = 0;
	for (let at = 0; at < a.length; at += 1) {
		sum += (a[at] as number) * (b[at] as number);
	}
	return sum;
}
