/** Runs one job on the index, from start to end, in a worker of its own. */
import { decodeForSearch } from '../../machine/search/decode-for-search.ts';
import { readSearchedFile } from '../../machine/search/walk.ts';
import type { GivenPlace } from '../memory/memory.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { indexMigrations } from './index-migrations.ts';
import { type FoundPlace, IndexStore } from './index-store.ts';
import { codeIndexLimits } from './limits.ts';
import { type CodeIndexState, updateIndex } from './update-index.ts';

export interface IndexJob {
	/** File of the index, absolute. */
	readonly database: string;
	/** Folder of the workspace, free of links. */
	readonly root: string;
	readonly usualEncoding: string | undefined;
	readonly maxBytes: number;
	/** Longest time for bringing the index up to date. */
	readonly limitMs: number;
	/** Places in the code that a provider's model has put somewhere. */
	readonly place?: { readonly model: string; readonly places: readonly PlacedChunk[] } | undefined;
	/** Absent: it is only brought up to date. */
	readonly find?:
		| {
				readonly query: string;
				readonly within: string;
				readonly count: number;
				readonly place?: GivenPlace | undefined;
		  }
		| undefined;
	/** So many texts are wanted that this model has not put anywhere. */
	readonly unplaced?: { readonly model: string; readonly count: number } | undefined;
}

interface PlacedChunk {
	readonly number: number;
	readonly vector: Int8Array;
}

interface ShownPlace extends FoundPlace {
	readonly text: string;
}

export interface IndexAnswer extends CodeIndexState {
	/** Best first. */
	readonly places: readonly ShownPlace[];
	readonly unplaced: readonly { readonly number: number; readonly text: string }[];
}

export function runIndexJob(job: IndexJob): IndexAnswer {
	const { database, root, usualEncoding, maxBytes, limitMs, find, place, unplaced } = job;
	const { db } = openMigratedDatabase(database, indexMigrations);
	try {
		const store = new IndexStore(db);
		const state = updateIndex(store, { root, usualEncoding, maxBytes, limitMs });
		if (place !== undefined && store.size <= maxBytes) {
			store.together(() =>
				place.places.forEach(({ number, vector }) => store.given.place(place.model, number, vector)),
			);
		}
		const found = find === undefined ? [] : store.find(find.query, find.within, find.count, 'both', find.place);
		const waiting =
			unplaced === undefined || store.size > maxBytes ? [] : store.given.unplaced(unplaced.model, unplaced.count);
		return {
			...state,
			places: found.flatMap((each) => readPlaceLines(root, each, usualEncoding)),
			unplaced: waiting.map(({ number, path, start_line, end_line, symbol }) => {
				const lines = { path, startLine: start_line, endLine: end_line, symbol };
				const text = readPlaceLines(root, lines, usualEncoding)[0]?.text ?? '';
				return { number, text: `${path} ${symbol}\n${text}` };
			}),
		};
	} finally {
		db.dispose();
	}
}

/**
 * Reads the lines of a place from its file, which may have changed since it was indexed; empty when they cannot be
 * read.
 */
function readPlaceLines(root: string, place: FoundPlace, usualEncoding: string | undefined): readonly ShownPlace[] {
	const bytes = readSearchedFile(root, place.path);
	const text = bytes === undefined || bytes === 'binary' ? undefined : decodeForSearch(bytes, usualEncoding)?.text;
	if (text === undefined) return [];
	const lines = text.split(/\r\n?|\n/).slice(place.startLine - 1, place.endLine);
	return [
		{ ...place, text: lines.slice(0, codeIndexLimits.shownLines).join('\n').slice(0, codeIndexLimits.shownChars) },
	];
}
