/** The index of one workspace folder: its files as they were read last, and the places in them by words and by meaning. */
import { DIMENSIONS, computeEmbedding, EMBEDDING_VERSION, computeVectorLength } from '../memory/embedding.ts';
import { relatedTo } from '../memory/concepts.ts';
import type { GivenPlace } from '../memory/memory.ts';
import type { Database } from '../../store/database.ts';
import type { CodeChunk } from './chunks.ts';
import { listCodeStems, splitCodeWords, listChunkWords } from './code-words.ts';
import { GivenChunks } from './given-chunks.ts';
import { codeIndexLimits } from './limits.ts';
import { cutToStem } from '../memory/words.ts';

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

/** Files that are asked for by their name: what they try stands elsewhere. */
const TESTS = /\b(?:tests?|specs?)\b|_test\.|fixtures?/i;

/** `words` and `similarity` are there to be compared with both. */
type IndexHalves = 'both' | 'words' | 'similarity';

interface ChunkRow {
	readonly number: number;
	readonly file: number;
	readonly path: string;
	readonly start_line: number;
	readonly end_line: number;
	readonly symbol: string;
}

export class IndexStore {
	readonly #db: Database;
	readonly given: GivenChunks;

	constructor(db: Database) {
		this.#db = db;
		this.given = new GivenChunks(db);
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
	put({ path, size, changedAt }: Omit<IndexedFile, 'number'>, chunks: readonly CodeChunk[]): void {
		this.forget(path);
		this.#db.run('INSERT INTO files (path, size, changed_at) VALUES (?, ?, ?)', path, size, changedAt);
		const file = this.#db.get<{ number: number }>('SELECT number FROM files WHERE path = ?', path)?.number ?? 0;
		const head = (chunks[0]?.text ?? '').split('\n').slice(0, codeIndexLimits.headLines).join('\n');
		const about = [
			...splitCodeWords(path),
			...splitCodeWords(head),
			...chunks.flatMap(({ symbol }) => splitCodeWords(symbol)),
		];
		this.#db.run(
			'INSERT INTO file_words (rowid, words) VALUES (?, ?)',
			file,
			joinStems(about.slice(0, codeIndexLimits.wordsOfFile)),
		);
		for (const chunk of chunks) {
			const words = listChunkWords(path, chunk);
			if (words.length === 0) continue;
			const vector = new Uint8Array(computeEmbedding(words.join(' ')).buffer);
			const { startLine, endLine, symbol } = chunk;
			this.#db.run(
				'INSERT INTO chunks (file, start_line, end_line, symbol, vector) VALUES (?, ?, ?, ?, ?)',
				...[file, startLine, endLine, symbol, vector],
			);
			this.#db.run('INSERT INTO code_words (rowid, words) VALUES (last_insert_rowid(), ?)', joinStems(words));
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
	find(
		query: string,
		within: string,
		count: number,
		halves: IndexHalves = 'both',
		place?: GivenPlace,
	): readonly FoundPlace[] {
		const byWords = halves === 'similarity' ? [] : this.#withWords(createMatchTerms(query), within);
		const similar = halves === 'words' ? [] : this.#similarWith(query, within, place);
		const related = halves === 'both' ? this.#withWords(createMatchTerms(query, true), within) : [];
		const files = halves === 'both' ? this.#filesWithWords(createMatchTerms(query), within) : [];
		const scores = new Map<number, number>();
		const addScores = (numbers: readonly number[], weight: number) => {
			for (const [place, number] of numbers.entries()) {
				scores.set(number, (scores.get(number) ?? 0) + weight / (codeIndexLimits.rankConstant + place + 1));
			}
		};
		addScores(byWords, 1);
		addScores(similar, 1);
		addScores(related, codeIndexLimits.relatedWeight);
		const rows = new Map([...scores.keys()].map((number) => [number, this.#row(number)]));
		for (const [place, { file, first }] of files.entries()) {
			const own = [...rows].flatMap(([number, row]) => (row?.file === file ? [number] : []));
			if (own.length === 0) rows.set(first, this.#row(first));
			for (const number of own.length === 0 ? [first] : own) {
				scores.set(
					number,
					(scores.get(number) ?? 0) + codeIndexLimits.fileWeight / (codeIndexLimits.rankConstant + place + 1),
				);
			}
		}
		const ofTests = TESTS.test(query) ? 1 : codeIndexLimits.testWeight;
		const ranked = [...rows].flatMap(([number, row]) =>
			row === undefined ? [] : [{ row, score: (scores.get(number) ?? 0) * (TESTS.test(row.path) ? ofTests : 1) }],
		);
		return pickBestPlaces(
			ranked.sort((a, b) => b.score - a.score).map(({ row }) => row),
			count,
		);
	}

	/** Returns the places that contain any of `terms`, best match first; rare words weigh more. */
	#withWords(terms: string, within: string): readonly number[] {
		return terms === ''
			? []
			: this.#db
					.all<{ number: number }>(
						`SELECT c.number FROM code_words w CROSS JOIN chunks c ON c.number = w.rowid CROSS JOIN files f ON f.number = c.file
							WHERE code_words MATCH ? AND (? = '' OR substr(f.path, 1, length(?)) = ?) ORDER BY w.rank LIMIT ?`,
						...[terms, within, within, within, codeIndexLimits.candidates],
					)
					.map(({ number }) => number);
	}

	/**
	 * Returns the files whose paths, names or first lines contain any of `terms`, best match first. `first`: number of
	 * the first place in the file.
	 */
	#filesWithWords(terms: string, within: string): readonly { readonly file: number; readonly first: number }[] {
		return terms === ''
			? []
			: this.#db.all<{ file: number; first: number }>(
					`SELECT f.number AS file, (SELECT min(number) FROM chunks WHERE file = f.number) AS first
						FROM file_words w CROSS JOIN files f ON f.number = w.rowid
						WHERE file_words MATCH ? AND (? = '' OR substr(f.path, 1, length(?)) = ?) ORDER BY w.rank LIMIT ?`,
					...[terms, within, within, within, codeIndexLimits.candidateFiles],
				);
	}

	/**
	 * Returns similar places by the vectors of the provider's model, followed by our own ranking of places that the
	 * model has not placed yet.
	 */
	#similarWith(query: string, within: string, place: GivenPlace | undefined): readonly number[] {
		const own = this.#similar(query, within);
		if (place === undefined) return own;
		const placed = this.given.placed(place.model, own);
		return [
			...this.given.nearest(place, within, codeIndexLimits.candidates),
			...own.filter((number) => !placed.has(number)),
		];
	}

	#similar(query: string, within: string): readonly number[] {
		const place = computeEmbedding(splitCodeWords(query).join(' '));
		const length = computeVectorLength(place);
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
				return { number, similarity: computePlaceProduct(place, other) / (length * computeVectorLength(other)) };
			})
			.filter(({ similarity }) => similarity >= codeIndexLimits.leastSimilarity)
			.sort((a, b) => b.similarity - a.similarity)
			.slice(0, codeIndexLimits.candidates)
			.map(({ number }) => number);
	}

	#row(number: number): ChunkRow | undefined {
		return this.#db.get<ChunkRow>(
			'SELECT c.*, f.path FROM chunks c JOIN files f ON f.number = c.file WHERE c.number = ?',
			number,
		);
	}
}

/** Takes the first `count` places, at most `placesOfFile` from one file. */
function pickBestPlaces(rows: readonly ChunkRow[], count: number): readonly FoundPlace[] {
	const perFile = new Map<string, number>();
	const found: FoundPlace[] = [];
	for (const { path, start_line, end_line, symbol } of rows) {
		const known = perFile.get(path) ?? 0;
		if (known >= codeIndexLimits.placesOfFile) continue;
		perFile.set(path, known + 1);
		found.push({ path, startLine: start_line, endLine: end_line, symbol });
		if (found.length === count) break;
	}
	return found;
}

function joinStems(words: readonly string[]): string {
	return words.map(cutToStem).join(' ');
}

/** For a match of any of its words; empty for none. `areRelated`: of those that mean the same, in either language. */
function createMatchTerms(query: string, areRelated = false): string {
	const stems = [...new Set(listCodeStems(query))].slice(0, codeIndexLimits.queryWords);
	const terms = areRelated ? [...new Set(stems.flatMap(relatedTo))] : stems;
	return terms.map((stem) => `"${stem}"`).join(' OR ');
}

function computePlaceProduct(a: Int8Array, b: Int8Array): number {
	let sum = 0;
	for (let at = 0; at < DIMENSIONS; at += 1) {
		sum += (a[at] as number) * (b[at] as number);
	}
	return sum;
}
