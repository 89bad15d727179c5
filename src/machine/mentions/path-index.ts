/**
 * The files of the workspace and their folders, prepared for the questions that each key after `@` asks. A query that goes
 * on from the one before looks only at what fitted that.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Best, type Matchable, scoreMatch, toMatchable, toMatchQuery } from './match.ts';

/** So many paths are prepared in one turn of the loop: some milliseconds. */
const PATHS_IN_TURN = 2_000;
const OPEN_BONUS = 50;

export interface IndexedPath extends Matchable {
	readonly kind: 'file' | 'folder';
	readonly path: string;
}

/** Candidate that is suggested beside paths, such as the problems. */
export interface NamedCandidate extends Matchable {
	/** Added to the score. */
	readonly bonus: number;
}

interface Beside<T extends NamedCandidate> {
	readonly named: readonly T[];
	/** Paths in open editors, which come first; also those that are not indexed. */
	readonly open: ReadonlySet<string>;
}

export class PathIndex {
	readonly #entries: readonly IndexedPath[];
	#last: { readonly wanted: string; readonly fitting: readonly IndexedPath[] };

	private constructor(entries: readonly IndexedPath[]) {
		this.#entries = entries;
		this.#last = { wanted: '', fitting: entries };
	}

	/** Paths that come twice count once. */
	static async of(paths: Iterable<string>): Promise<PathIndex> {
		const [files, folders] = [new Set<string>(), new Set<string>()];
		const entries: IndexedPath[] = [];
		for (const path of paths) {
			if (files.has(path)) {
				continue;
			}
			files.add(path);
			entries.push(toIndexedPath('file', path));
			for (const folder of walkFoldersAbove(path)) {
				if (folders.has(folder)) {
					break;
				}
				folders.add(folder);
				entries.push(toIndexedPath('folder', folder));
			}
			if (files.size % PATHS_IN_TURN === 0) {
				await nextTurn();
			}
		}
		return new PathIndex(entries);
	}

	/** Returns up to `most` candidates that fit the query, best first. */
	rank<T extends NamedCandidate>(query: string, { named, open }: Beside<T>, most: number): (T | IndexedPath)[] {
		const wanted = toMatchQuery(query);
		const best = new Best<T | IndexedPath>(most);
		const offerItem = (item: T | IndexedPath, bonus: number) => {
			const score = scoreMatch(wanted, item);
			if (score !== undefined) {
				best.offer(item, score + bonus);
			}
			return score !== undefined;
		};
		for (const item of named) {
			offerItem(item, item.bonus);
		}
		for (const path of open) {
			offerItem(toIndexedPath('file', path), OPEN_BONUS);
		}
		const folderBonus = query.endsWith('/') ? 5 : -5;
		const isOpen = (item: IndexedPath) => item.kind === 'file' && open.has(item.path);
		const { wanted: before, fitting } = this.#last;
		const isFitting = (item: IndexedPath) =>
			isOpen(item) ? scoreMatch(wanted, item) !== undefined : offerItem(item, item.kind === 'folder' ? folderBonus : 0);
		this.#last = {
			wanted: wanted.text,
			fitting: (wanted.text.startsWith(before) ? fitting : this.#entries).filter(isFitting),
		};
		return best.items;
	}
}

function toIndexedPath(kind: IndexedPath['kind'], path: string): IndexedPath {
	return { kind, path, ...toMatchable(kind === 'folder' ? `${path}/` : path) };
}

/** From the innermost outwards. */
function* walkFoldersAbove(path: string): Generator<string> {
	for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
		yield path.slice(0, end);
	}
}
