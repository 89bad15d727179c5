/** The index of one workspace folder: its files as they were read last, and the places in them by words and by meaning. */
import { DIMENSIONS, embed, EMBEDDING_VERSION, lengthOf } from '../memory/embedding.ts';
import { fused } from '../memory/rank.ts';
import type { Database } from '../../store/database.ts';
import type { Chunk } from './chunks.ts';
import { stemsOf, wordsIn, wordsOf } from './code-words.ts';
import { limits } from './limits.ts';
import { stemOf } from '../memory/words.ts';

export interface IndexedFile {
	readonly number: number;
	readonly path: string;
	readonly size: number;
	readonly changedAt: number;
}

export interface FoundPlace {
	/** Below the root. */
	readonly path: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly symbol: string;
}

/** `words` and `similarity` are there to be compared with both. */
type Halves = 'both' | 'words' | 'similarity';

interface Row {
	readonly number: number;
	readonly path: string;
	readonly start_line: number;
	readonly end_line: number;
	readonly symbol: string;
}

export class IndexStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
		if (this.#db.get<{ embedding: number }>('SELECT embedding FROM made')?.embedding !== EMBEDDING_VERSION) {
			this.#db.transaction('process', () => {
				this.#db.run('DELETE FROM chunks');
				this.#db.run('DELETE FROM files');
				this.#db.run('UPDATE made SET embedding = ?', EMBEDDING_VERSION);
			});
		}
	}

	files(): readonly IndexedFile[] {
		return this.#db.all<IndexedFile>('SELECT number, path, size, changed_at AS changedAt FROM files');
	}

	/** All of `work` or nothing; what a power cut takes is read again. */
	together(work: () => void): void {
		this.#db.transaction('process', work);
	}

	/** In place of what is known of that file. */
	put({ path, size, changedAt }: Omit<IndexedFile, 'number'>, chunks: readonly Chunk[]): void {
		this.forget(path);
		this.#db.run('INSERT INTO files (path, size, changed_at) VALUES (?, ?, ?)', path, size, changedAt);
		const file = this.#db.get<{ number: number }>('SELECT number FROM files WHERE path = ?', path)?.number ?? 0;
		for (const chunk of chunks) {
			const words = wordsOf(path, chunk);
			if (words.length === 0) continue;
			const vector = new Uint8Array(embed(words.join(' ')).buffer);
			const { startLine, endLine, symbol } = chunk;
			this.#db.run(
				'INSERT INTO chunks (file, start_line, end_line, symbol, vector) VALUES (?, ?, ?, ?, ?)',
				...[file, startLine, endLine, symbol, vector],
			);
			this.#db.run(
				'INSERT INTO code_words (rowid, words) VALUES (last_insert_rowid(), ?)',
				words.map(stemOf).join(' '),
			);
		}
	}

	forget(path: string): void {
		this.#db.run('DELETE FROM chunks WHERE file = (SELECT number FROM files WHERE path = ?)', path);
		this.#db.run('DELETE FROM files WHERE path = ?', path);
	}

	/** Bytes on the disk. */
	get size(): number {
		const pages = this.#db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
		return pages * (this.#db.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 0);
	}

	/** Best first. `within`: below this folder; empty for all. */
	find(query: string, within: string, count: number, halves: Halves = 'both'): readonly FoundPlace[] {
		const rankings = [
			...(halves === 'similarity' ? [] : [{ numbers: this.#withWords(query, within), weight: 1 }]),
			...(halves === 'words' ? [] : [{ numbers: this.#similar(query, within), weight: 1 }]),
		];
		const perFile = new Map<string, number>();
		const found: FoundPlace[] = [];
		for (const number of fused(rankings)) {
			const row = this.#row(number);
			const known = perFile.get(row?.path ?? '') ?? 0;
			if (row === undefined || known >= limits.placesOfFile) continue;
			perFile.set(row.path, known + 1);
			found.push({ path: row.path, startLine: row.start_line, endLine: row.end_line, symbol: row.symbol });
			if (found.length === count) break;
		}
		return found;
	}

	/** By the words they share, rare ones first. */
	#withWords(query: string, within: string): readonly number[] {
		const stems = [...new Set(stemsOf(query))].slice(0, limits.queryWords);
		if (stems.length === 0) {
			return [];
		}
		return this.#db
			.all<{ number: number }>(
				`SELECT c.number FROM code_words w CROSS JOIN chunks c ON c.number = w.rowid CROSS JOIN files f ON f.number = c.file
					WHERE code_words MATCH ? AND (? = '' OR substr(f.path, 1, length(?)) = ?) ORDER BY w.rank LIMIT ?`,
				stems.map((stem) => `"${stem}"`).join(' OR '),
				within,
				within,
				within,
				limits.candidates,
			)
			.map(({ number }) => number);
	}

	#similar(query: string, within: string): readonly number[] {
		const place = embed(wordsIn(query).join(' '));
		const length = lengthOf(place);
		const rows = this.#db.all<{ number: number; vector: Uint8Array }>(
			`SELECT c.number, c.vector FROM chunks c JOIN files f ON f.number = c.file
				WHERE ? = '' OR substr(f.path, 1, length(?)) = ?`,
			within,
			within,
			within,
		);
		return rows
			.map(({ number, vector }) => {
				const other = new Int8Array(vector.buffer, vector.byteOffset, DIMENSIONS);
				return { number, similarity: product(place, other) / (length * lengthOf(other)) };
			})
			.filter(({ similarity }) => similarity >= limits.leastSimilarity)
			.sort((a, b) => b.similarity - a.similarity)
			.slice(0, limits.candidates)
			.map(({ number }) => number);
	}

	#row(number: number): Row | undefined {
		return this.#db.get<Row>(
			'SELECT c.*, f.path FROM chunks c JOIN files f ON f.number = c.file WHERE c.number = ?',
			number,
		);
	}
}

function product(a: Int8Array, b: Int8Array): number {
	let sum = 0;
	for (let at = 0; at < DIMENSIONS; at += 1) {
		sum += (a[at] as number) * (b[at] as number);
	}
	return sum;
}
