/** Vectors of all memories that may be recalled, in memory: read once, then as far as new ones came. Other processes write the same file. */
import type { Database } from '../../store/database.ts';
import { DIMENSIONS, computeVectorLength } from './embedding.ts';
import { memoryLimits } from './limits.ts';

interface VectorRow {
	readonly number: number;
	readonly memory: number;
	readonly project: string;
	readonly vector: Uint8Array;
}

export class Vectors {
	readonly #db: Database;
	/** Coordinates of one vector after the other; there may be room behind the last. */
	#places = new Int8Array(0);
	#lengths = new Float32Array(0);
	#memories: number[] = [];
	#projects: number[] = [];
	readonly #projectNumbers = new Map<string, number>();
	#last = 0;
	#removed = 0;

	constructor(db: Database) {
		this.#db = db;
	}

	/**
	 * Returns memories of the user and of the project, most similar first. A removed memory may still be among them.
	 */
	nearest(place: Int8Array, project: string, count: number): readonly number[] {
		this.#readOn();
		const length = computeVectorLength(place);
		const user = this.#projectNumbers.get('') ?? -1;
		const own = this.#projectNumbers.get(project) ?? -1;
		const best: { readonly memory: number; readonly similarity: number }[] = [];
		let least: number = memoryLimits.leastSimilarity;
		for (let at = 0; at < this.#memories.length; at += 1) {
			const of = this.#projects[at];
			if (of !== user && of !== own) {
				continue;
			}
			const similarity = this.#product(place, at * DIMENSIONS) / (length * (this.#lengths[at] ?? 1));
			if (similarity >= least) {
				insertBySimilarity(best, { memory: this.#memories[at] ?? 0, similarity }, count);
				least = best.length === count ? (best.at(-1)?.similarity ?? least) : least;
			}
		}
		return best.map(({ memory }) => memory);
	}

	#product(place: Int8Array, from: number): number {
		const places = this.#places;
		let sum = 0;
		for (let index = 0; index < DIMENSIONS; index += 1) {
			sum += (place[index] as number) * (places[from + index] as number);
		}
		return sum;
	}

	#readOn(): void {
		const removed = this.#db.get<{ removed: number }>('SELECT removed FROM memory_state')?.removed ?? 0;
		if (removed - this.#removed > memoryLimits.staleVectors) {
			this.#memories = [];
			this.#projects = [];
			this.#last = 0;
		}
		if (this.#last === 0) {
			this.#removed = removed;
		}
		const rows = this.#db.all<VectorRow>(
			'SELECT number, memory, project, vector FROM memory_vectors WHERE number > ? ORDER BY number',
			this.#last,
		);
		this.#makeRoom(this.#memories.length + rows.length);
		for (const { number, memory, project, vector } of rows) {
			const at = this.#memories.length;
			const bytes = new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
			this.#places.set(bytes.subarray(0, DIMENSIONS), at * DIMENSIONS);
			this.#lengths[at] = computeVectorLength(bytes);
			this.#memories.push(memory);
			this.#projects.push(this.#numberOf(project));
			this.#last = number;
		}
	}

	#makeRoom(count: number): void {
		if (this.#lengths.length >= count) {
			return;
		}
		const room = Math.max(count, Math.floor(this.#lengths.length * 1.5));
		const places = new Int8Array(room * DIMENSIONS);
		places.set(this.#places);
		const lengths = new Float32Array(room);
		lengths.set(this.#lengths);
		this.#places = places;
		this.#lengths = lengths;
	}

	#numberOf(project: string): number {
		const known = this.#projectNumbers.get(project) ?? this.#projectNumbers.size;
		this.#projectNumbers.set(project, known);
		return known;
	}
}

/** Into a list that stays sorted and holds at most `count`. */
function insertBySimilarity<T extends { readonly similarity: number }>(best: T[], one: T, count: number): void {
	let at = best.length;
	while (at > 0 && (best[at - 1]?.similarity ?? 0) < one.similarity) {
		at -= 1;
	}
	best.splice(at, 0, one);
	if (best.length > count) {
		best.pop();
	}
}
