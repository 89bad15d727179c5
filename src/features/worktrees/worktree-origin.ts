/**
 * The project that a folder is a worktree of, by the record in the home, which no command and no capability can reach. Reads
 * that one file and nothing else: hosts ask before anything is loaded.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

interface WorktreeOrigin {
	readonly name: string;
	/** Real path of the folder whose work it takes. */
	readonly project: string;
	/** Where its links lead: folders and files of that project which commands may read. */
	readonly linked: readonly string[];
}

/** Undefined: it is no worktree of ours, or one that is not whole. `folder` is absolute. */
export function worktreeOrigin(home: string, folder: string): WorktreeOrigin | undefined {
	const names = findRealPlaceOrSelf(folder).split(sep);
	// Wherever the user has them made: below a folder that is named after the project.
	const at = names.findLastIndex((each) => /^[0-9a-f]{32}$/.test(each));
	const [key = '', name = '', ...below] = at === -1 ? [] : names.slice(at);
	if (name === '' || name.startsWith('.')) return undefined;
	const own = join(home, 'worktrees', key, name);
	try {
		const record = JSON.parse(readFileSync(`${own}.json`, 'utf8')) as Record<string, unknown>;
		const { project, prefix, state, extras, tree = own } = record;
		const isHere = typeof tree === 'string' && findRealPlaceOrSelf(tree) === names.slice(0, at + 2).join(sep);
		const isThis = isHere && state === 'ready' && prefix === below.join('/') && typeof project === 'string';
		return isThis ? { name, project, linked: linkedPlaces(project, extras) } : undefined;
	} catch {
		// Without a record that can be read it is a folder like any other, and not trusted.
		return undefined;
	}
}

function findRealPlaceOrSelf(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		// Gone: nothing runs in it.
		return path;
	}
}

function linkedPlaces(project: string, extras: unknown): string[] {
	return (Array.isArray(extras) ? extras : []).flatMap((each: { readonly path?: unknown; readonly way?: unknown }) => {
		if (each.way !== 'link' || typeof each.path !== 'string') return [];
		const place = join(project, each.path);
		// A command in the project could put a link there, to whatever it may not read itself. Gone, the link leads nowhere.
		return findRealPlaceOrSelf(place) === place && existsSync(place) ? [place] : [];
	});
}
