/** The user's memories on the disk: what waits in the inbox, what is kept, and which of it fits a message. Synchronous. */
import { randomBytes } from 'node:crypto';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { RecalledMemory } from '../../protocol/ops/definitions/agent/memory.ts';
import { RECALLED_AT_MOST } from '../../protocol/ops/memory-bounds.ts';
import type { Database } from '../../store/database.ts';
import { relatedTo, splitCompound } from './concepts.ts';
import { computeEmbedding, EMBEDDING_VERSION } from './embedding.ts';
import { memoryLimits } from './limits.ts';
import { GivenVectors } from './given-vectors.ts';
import type { GivenPlace, Memory, MemoryFilter, NewMemory, Noted, RecallQuery, UnplacedMemory } from './memory.ts';
import { pickFitting } from './pick-fitting.ts';
import { Vectors } from './vectors.ts';
import { cutToStem, tellingWords } from './words.ts';

interface Ranking {
	/** Best first, each once. */
	readonly numbers: readonly number[];
	readonly weight: number;
}

interface MemoryRow {
	readonly number: number;
	readonly id: string;
	readonly text: string;
	readonly scope: Memory['scope'];
	readonly project: string;
	readonly kind: Memory['kind'];
	readonly state: Memory['state'];
	readonly by: Memory['by'];
	readonly thread_id: string | null;
	readonly turn_id: string | null;
	readonly created_at: number;
	readonly expires_at: number | null;
}

interface PlacedMemory {
	readonly number: number;
	readonly vector: Int8Array;
}

/** Halves of a recall; only a comparison asks for one alone. */
type RecallHalves = 'both' | 'words' | 'similarity';

export class MemoryStore {
	readonly #db: Database;
	readonly #vectors: Vectors;
	readonly #given: GivenVectors;
	readonly #now: () => number;

	constructor(db: Database, now: () => number = Date.now) {
		this.#db = db;
		this.#vectors = new Vectors(db);
		this.#given = new GivenVectors(db);
		this.#now = now;
		this.#placeAnew();
		db.run('DELETE FROM memories WHERE expires_at <= ?', now());
	}

	/** The same text of the same project is noted once; accepted by the user, it leaves the inbox. */
	note({ text, project, kind, state, by, origin, expiresInDays }: NewMemory): Noted {
		return this.#db.transaction('power', () => {
			const known = this.#db.get<MemoryRow>('SELECT * FROM memories WHERE project = ? AND text = ?', project, text);
			if (known !== undefined && !this.#isExpired(known)) {
				if (known.state === 'inbox' && state === 'kept') {
					this.accept(known.id);
					return { id: known.id, state, isKnown: false };
				}
				return { id: known.id, state: known.state, isKnown: true };
			}
			this.#db.run('DELETE FROM memories WHERE number = ?', known?.number ?? -1);
			this.#refuseTooMany(project, state);
			const id = `mem_${randomBytes(6).toString('hex')}`;
			const now = this.#now();
			this.#db.run(
				`INSERT INTO memories (id, text, scope, project, kind, state, by, thread_id, turn_id, created_at, expires_at)
					VALUES (?, ?, ?, ?, ?, 'inbox', ?, ?, ?, ?, ?)`,
				id,
				text,
				project === '' ? 'user' : 'project',
				project,
				kind,
				by,
				origin?.threadId ?? null,
				origin?.turnId ?? null,
				now,
				expiresInDays === undefined ? null : now + expiresInDays * 86_400_000,
			);
			if (state === 'kept') {
				this.accept(id);
			}
			return { id, state, isKnown: false };
		});
	}

	/** From now on it is recalled. Undefined: there is none of this id in the inbox. */
	accept(id: string): Memory | undefined {
		return this.#db.transaction('power', () => {
			const row = this.#row(id);
			if (row === undefined || row.state === 'kept') {
				return undefined;
			}
			this.#db.run("UPDATE memories SET state = 'kept' WHERE number = ?", row.number);
			this.#db.run('INSERT INTO memory_text (rowid, text) VALUES (?, ?)', row.number, row.text);
			this.#place(row);
			return toMemory({ ...row, state: 'kept' });
		});
	}

	/** Undefined: there was none. */
	forget(id: string): Memory | undefined {
		return this.#db.transaction('power', () => {
			const row = this.#row(id);
			this.#db.run('DELETE FROM memories WHERE number = ?', row?.number ?? -1);
			return row === undefined ? undefined : toMemory(row);
		});
	}

	get(id: string): Memory | undefined {
		const row = this.#row(id);
		return row === undefined ? undefined : toMemory(row);
	}

	/** Newest first. `project` undefined: of all projects. With `query`, those that fit it, best first. */
	list({ state, project, query, place }: MemoryFilter): Memory[] {
		const ofQuery = query === undefined ? undefined : new Set(this.#listed(query, project, place));
		const rows = this.#db.all<MemoryRow>(
			`SELECT * FROM memories WHERE (expires_at IS NULL OR expires_at > ?) AND (? IS NULL OR state = ?)
				AND (? IS NULL OR project = '' OR project = ?) ORDER BY created_at DESC, number DESC LIMIT ?`,
			this.#now(),
			state ?? null,
			state ?? null,
			project ?? null,
			project ?? null,
			ofQuery === undefined ? memoryLimits.listed : memoryLimits.memories,
		);
		const found = ofQuery === undefined ? rows : rows.filter(({ number }) => ofQuery.has(number));
		return found.slice(0, memoryLimits.listed).map(toMemory);
	}

	/** At most five: what fits the message, and the user's preferences where there is room, those told before left out. */
	recall({ query, project, told, place }: RecallQuery, halves: RecallHalves = 'both'): RecalledMemory[] {
		const leftOut = new Set(told);
		const selectMemories = (numbers: readonly number[]) =>
			numbers
				.map((number) => this.#db.get<MemoryRow>('SELECT * FROM memories WHERE number = ?', number))
				.filter((row): row is MemoryRow => row?.state === 'kept' && !leftOut.has(row.id) && !this.#isExpired(row));
		const preferences = halves === 'both' ? selectMemories(this.#preferences(project)) : [];
		const asked = query.slice(0, memoryLimits.queryChars);
		const near = selectMemories(this.#fitting(asked, project, halves, place));
		const fits = halves === 'both' ? this.#telling(asked, near, project, place) : near;
		const kept = Math.min(memoryLimits.preferencePlaces, preferences.length);
		const chosen = new Map<number, MemoryRow>();
		for (const row of [
			...fits.slice(0, RECALLED_AT_MOST - kept),
			...preferences.slice(0, kept),
			...fits,
			...preferences,
		]) {
			if (chosen.size < RECALLED_AT_MOST) {
				chosen.set(row.number, row);
			}
		}
		return [...chosen.values()].map(({ id, text, scope, kind, by, created_at, thread_id }) => ({
			id,
			text,
			scope,
			kind,
			by,
			at: new Date(created_at).toISOString(),
			...(by === 'user' || thread_id === null ? {} : { threadId: thread_id }),
		}));
	}

	/** Kept ones without a place of this model, newest first. */
	unplaced({ model, count }: { readonly model: string; readonly count: number }): UnplacedMemory[] {
		return this.#given.unplaced(model, count);
	}

	placed({ model, places }: { readonly model: string; readonly places: readonly PlacedMemory[] }): void {
		this.#db.transaction('process', () => {
			for (const { number, vector } of places) {
				this.#given.place(model, number, vector);
			}
		});
	}

	#fitting(query: string, project: string, halves: RecallHalves, place?: GivenPlace): readonly number[] {
		const bySimilarity = halves === 'words' ? [] : this.#similar(query, project, place);
		const byWords = halves === 'similarity' ? [] : this.#withWords(query, project);
		const all = [...new Set([...byWords, ...bySimilarity])];
		return fuseRankings([
			{ numbers: byWords, weight: 1 },
			{ numbers: bySimilarity, weight: 1 },
			...(halves === 'both' ? [{ numbers: [...all].sort((a, b) => b - a), weight: memoryLimits.recencyWeight }] : []),
		]);
	}

	/**
	 * Returns similar memories by the provider's places, followed by our own ranking of memories that the provider has
	 * not placed.
	 */
	#similar(query: string, project: string, place: GivenPlace | undefined): readonly number[] {
		const own = this.#vectors.nearest(computeEmbedding(query), project, memoryLimits.candidates);
		if (place === undefined) {
			return own;
		}
		const placed = this.#given.placed(place.model, own);
		const given = this.#given.nearest(place, project, memoryLimits.candidates);
		return [...given, ...own.filter((number) => !placed.has(number))];
	}

	/** Returns those that say something about the message, by its words or by the provider's places. */
	#telling(query: string, near: readonly MemoryRow[], project: string, place?: GivenPlace): readonly MemoryRow[] {
		const given = place === undefined ? [] : this.#given.nearest(place, project, memoryLimits.candidates);
		const fits = pickFitting(query, near, {
			total: this.#count(
				"SELECT count(*) AS count FROM memories WHERE state = 'kept' AND (project = '' OR project = ?)",
				project,
			),
			withStem: (stem) => {
				const words = [stem, ...relatedTo(stem)].map((each) => `"${each}"*`).join(' OR ');
				return this.#count(
					`SELECT count(*) AS count FROM (SELECT 1 FROM memory_text t CROSS JOIN memories m ON m.number = t.rowid
						WHERE memory_text MATCH ? AND (m.project = '' OR m.project = ?) LIMIT ?)`,
					words,
					project,
					memoryLimits.countedWithWord,
				);
			},
		});
		return near.filter(({ number }) => fits.has(number) || given.includes(number));
	}

	#count(sql: string, ...values: (string | number)[]): number {
		return this.#db.get<{ count: number }>(sql, ...values)?.count ?? 0;
	}

	/** Returns the memories that share words with the query, best match first; rare words weigh more. */
	#withWords(query: string, project: string): readonly number[] {
		const terms = [...new Set(tellingWords(query).flatMap((word) => [word, ...splitCompound(word)]))].slice(
			0,
			memoryLimits.queryWords,
		);
		if (terms.length === 0) {
			return [];
		}
		return this.#db
			.all<{ number: number }>(
				`SELECT m.number FROM memory_text t CROSS JOIN memories m ON m.number = t.rowid
					WHERE memory_text MATCH ? AND (m.project = '' OR m.project = ?) ORDER BY t.rank LIMIT ?`,
				terms.map((term) => `"${term}" OR "${cutToStem(term)}"*`).join(' OR '),
				project,
				memoryLimits.candidates,
			)
			.map(({ number }) => number);
	}

	#preferences(project: string): readonly number[] {
		return this.#db
			.all<{ number: number }>(
				`SELECT number FROM memories WHERE kind = 'preference' AND state = 'kept' AND (project = '' OR project = ?)
					ORDER BY created_at DESC LIMIT ?`,
				project,
				memoryLimits.candidates,
			)
			.map(({ number }) => number);
	}

	/** Kept ones by meaning; in the inbox, those that hold the words. */
	#listed(query: string, project: string | undefined, place: GivenPlace | undefined): readonly number[] {
		const inbox = this.#db.all<{ number: number }>(
			"SELECT number FROM memories WHERE state = 'inbox' AND instr(lower(text), lower(?)) > 0",
			query,
		);
		const kept = project === undefined ? this.#everywhere(query, place) : this.#fitting(query, project, 'both', place);
		return [...inbox.map(({ number }) => number), ...kept];
	}

	#everywhere(query: string, place: GivenPlace | undefined): readonly number[] {
		const projects = this.#db.all<{ project: string }>('SELECT DISTINCT project FROM memories');
		return projects.flatMap(({ project }) => this.#fitting(query, project, 'both', place));
	}

	#refuseTooMany(project: string, state: Memory['state']): void {
		const all = this.#count('SELECT count(*) AS count FROM memories');
		const inbox = this.#count("SELECT count(*) AS count FROM memories WHERE state = 'inbox' AND project = ?", project);
		if (all >= memoryLimits.memories || (state === 'inbox' && inbox >= memoryLimits.inbox)) {
			const limit = all >= memoryLimits.memories ? memoryLimits.memories : memoryLimits.inbox;
			throw new ProwessError(
				'MEMORY_FULL',
				`${limit} memories ${state === 'inbox' ? 'wait for a review' : 'are kept'} already`,
				{
					limit,
				},
			);
		}
	}

	#row(id: string): MemoryRow | undefined {
		return this.#db.get<MemoryRow>('SELECT * FROM memories WHERE id = ?', id);
	}

	#isExpired({ expires_at }: MemoryRow): boolean {
		return expires_at !== null && expires_at <= this.#now();
	}

	#place({ number, project, text }: Pick<MemoryRow, 'number' | 'project' | 'text'>): void {
		const vector = new Uint8Array(computeEmbedding(text).buffer);
		this.#db.run('INSERT INTO memory_vectors (memory, project, vector) VALUES (?, ?, ?)', number, project, vector);
	}

	/** Another version of us placed the texts otherwise. */
	#placeAnew(): void {
		const readVersion = () => this.#db.get<{ embedding: number }>('SELECT embedding FROM memory_state')?.embedding;
		if (readVersion() === EMBEDDING_VERSION) {
			return;
		}
		this.#db.transaction('power', () => {
			if (readVersion() === EMBEDDING_VERSION) {
				return;
			}
			this.#db.run('DELETE FROM memory_vectors');
			for (const row of this.#db.all<MemoryRow>("SELECT * FROM memories WHERE state = 'kept'")) {
				this.#place(row);
			}
			this.#db.run('UPDATE memory_state SET embedding = ?', EMBEDDING_VERSION);
		});
	}
}

function toMemory(row: MemoryRow): Memory {
	const { id, text, scope, project, kind, state, by, thread_id, turn_id, created_at, expires_at } = row;
	return {
		id,
		text,
		scope,
		project,
		kind,
		state,
		by,
		at: new Date(created_at).toISOString(),
		...(expires_at === null ? {} : { expiresAt: new Date(expires_at).toISOString() }),
		...(thread_id === null ? {} : { origin: { threadId: thread_id, turnId: turn_id } }),
	};
}

/**
 * Reciprocal rank fusion: rankings that count in different units become one, by the places alone. Holds all that are in a
 * ranking, best first; of two that are equal, the one that an earlier ranking puts first.
 */
export function fuseRankings(rankings: readonly Ranking[]): readonly number[] {
	const scores = new Map<number, number>();
	for (const { numbers, weight } of rankings) {
		for (const [place, number] of numbers.entries()) {
			scores.set(number, (scores.get(number) ?? 0) + weight / (memoryLimits.rankConstant + place + 1));
		}
	}
	return [...scores].sort(([, a], [, b]) => b - a).map(([number]) => number);
}
