/** One look into the index, from start to end; runs in its worker. */
import { decodeForSearch } from '../machine/search/decode-for-search.ts';
import { readBelow } from '../machine/search/walk.ts';
import { openDatabase } from '../../store/open-database.ts';
import { indexMigrations } from './index-migrations.ts';
import { type FoundPlace, IndexStore } from './index-store.ts';
import { limits } from './limits.ts';
import { type IndexState, updateIndex } from './update-index.ts';

export interface IndexJob {
	/** File of the index, absolute. */
	readonly database: string;
	/** Folder of the workspace, free of links. */
	readonly root: string;
	readonly usualEncoding: string | undefined;
	readonly maxBytes: number;
	/** How long the index may be brought up to date. */
	readonly limitMs: number;
	/** Absent: it is only brought up to date. */
	readonly find?: { readonly query: string; readonly within: string; readonly count: number };
}

interface ShownPlace extends FoundPlace {
	readonly text: string;
}

export interface IndexAnswer extends IndexState {
	/** Best first. */
	readonly places: readonly ShownPlace[];
}

export function runIndexJob({ database, root, usualEncoding, maxBytes, limitMs, find }: IndexJob): IndexAnswer {
	const { db } = openDatabase(database, indexMigrations);
	try {
		const store = new IndexStore(db);
		const state = updateIndex(store, { root, usualEncoding, maxBytes, limitMs });
		const found = find === undefined ? [] : store.find(find.query, find.within, find.count);
		return { ...state, places: found.flatMap((place) => shown(root, place, usualEncoding)) };
	} finally {
		db.dispose();
	}
}

/** As the file is now; it may have changed while the index was looked at. */
function shown(root: string, place: FoundPlace, usualEncoding: string | undefined): readonly ShownPlace[] {
	const bytes = readBelow(root, place.path);
	const text = bytes === undefined || bytes === 'binary' ? undefined : decodeForSearch(bytes, usualEncoding)?.text;
	if (text === undefined) return [];
	const lines = text.split(/\r\n?|\n/).slice(place.startLine - 1, place.endLine);
	return [{ ...place, text: lines.slice(0, limits.shownLines).join('\n').slice(0, limits.shownChars) }];
}
