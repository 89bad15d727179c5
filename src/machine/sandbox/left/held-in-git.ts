/**
 * Files that a command has put into a commit, a stash or the index, where nobody here has written them: once Git has written one
 * into a folder, nobody here follows it until the user has saved it. Kept in the home, for each work tree of the repository.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findLinkedRepository } from '../../paths/names/repository-reach.ts';
import { readRegularFileSync, readTextOrEmpty } from '../../paths/reading/read-regular-file.ts';
import { CLOCK_STEP_MS, GIT_STATE_BYTES, NOTE_OF_GIT, SAVE_TAKES_MS } from '../limits.ts';

interface GitNote {
	/** Git's own folder. */
	readonly repository: string;
	/** From the top of a work tree; empty: all that steers there, because it was not looked through to its end. */
	readonly path: string;
	/** Names that Git gives what commands have put there. */
	readonly oids: readonly string[];
	/** When the first such command began. */
	readonly sinceMs: number;
	/** When each file at that path was last saved by somebody who may, by its absolute path. */
	readonly saved: Readonly<Record<string, number>>;
}

/** Work tree of a file, and where Git keeps its index. */
interface PlaceInTree {
	readonly tree: string;
	readonly repository: string;
	readonly index: string;
}

export class HeldInGit {
	readonly #folder: string;

	/** `folder`: where notes are kept. */
	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Holds what comes from Git at `path` from now on, and since `sinceMs`; but for `own`, files of work trees as they are now. */
	hold(repository: string, path: string, oids: readonly string[], sinceMs: number, own: readonly string[]): void {
		const before = this.#notes().find((note) => note.repository === repository && note.path === path);
		this.#write({
			repository,
			path,
			oids: [...new Set([...(before?.oids ?? []), ...oids])],
			sinceMs: before?.sinceMs ?? sinceMs,
			saved: { ...before?.saved, ...Object.fromEntries(own.map((each) => [each, Date.now()])) },
		});
	}

	/** Somebody who may is about to write it. */
	letGo(path: string): void {
		for (const note of this.#notesOn(path))
			this.#write({ ...note, saved: { ...note.saved, [path]: Date.now() + SAVE_TAKES_MS } });
	}

	/** True for a file that Git may have written after a command put it there. `mayBeWritten`: a command runs that may have written it since. */
	isHeld(path: string, mayBeWritten: boolean): boolean {
		const notes = this.#notesOn(path);
		const place = notes.length === 0 ? undefined : findPlaceInTree(path);
		if (place === undefined) return false;
		const isOn = (note: GitNote) => note.path === '' || join(place.tree, note.path) === path;
		return notes
			.filter((note) => note.repository === place.repository && isOn(note))
			.some((note) => isFromGit(note, path) && (mayBeWritten || !this.#isSaved(note, path, place)));
	}

	/** Paths below these roots at which files are held, whether they exist or not. */
	list(roots: readonly string[]): readonly string[] {
		return this.#notes().flatMap(({ path }) => (path === '' ? [] : roots.map((root) => join(root, path))));
	}

	/** Newer than the index, which Git writes last, and not what was put there: the user wrote it with another program. */
	#isSaved(note: GitNote, path: string, { index }: PlaceInTree): boolean {
		const [file, last] = [readChangeMs(path), readChangeMs(index)];
		const isSaved =
			file !== undefined &&
			last !== undefined &&
			file > last + CLOCK_STEP_MS &&
			!note.oids.includes(hashAsGit(path, note.oids[0] ?? '') ?? '');
		if (isSaved) this.#write({ ...note, saved: { ...note.saved, [path]: file } });
		return isSaved;
	}

	#notesOn(path: string): GitNote[] {
		return this.#notes().filter((note) => note.path === '' || path.endsWith(`/${note.path}`));
	}

	#notes(): GitNote[] {
		let names: readonly string[];
		try {
			names = readdirSync(this.#folder).filter((name) => name.startsWith(NOTE_OF_GIT));
		} catch {
			// Folder not made yet: nothing was ever held.
			return [];
		}
		return names.flatMap((name) => this.#read(name) ?? []);
	}

	/** Undefined: the disk has lost it, which lets go of no other. */
	#read(name: string): GitNote | undefined {
		try {
			return JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as GitNote;
		} catch {
			return undefined;
		}
	}

	#write(note: GitNote): void {
		const name = createHash('sha256').update(`${note.repository}\0${note.path}`).digest('hex').slice(0, 32);
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		// Another host never reads half of it.
		const next = join(this.#folder, `next-${process.pid}`);
		writeFileSync(next, JSON.stringify(note), { mode: 0o600 });
		renameSync(next, join(this.#folder, NOTE_OF_GIT + name));
	}
}

function isFromGit({ sinceMs, saved }: GitNote, path: string): boolean {
	const changedMs = readChangeMs(path);
	return changedMs === undefined || changedMs > (saved[path] ?? sinceMs - 2 * CLOCK_STEP_MS) + CLOCK_STEP_MS;
}

/** The innermost work tree that holds the path. */
function findPlaceInTree(path: string): PlaceInTree | undefined {
	for (let tree = dirname(path); ; tree = dirname(tree)) {
		const git = join(tree, '.git');
		const stat = lstatSync(git, { throwIfNoEntry: false });
		if (stat?.isDirectory() === true) return { tree, repository: git, index: join(git, 'index') };
		if (stat !== undefined) {
			const repository = findLinkedRepository(git);
			const [, named = ''] = /^gitdir: (.+)$/m.exec(readTextOrEmpty(git, 4_096)) ?? [];
			return repository === undefined ? undefined : { tree, repository, index: resolve(tree, named, 'index') };
		}
		if (dirname(tree) === tree) return undefined;
	}
}

function readChangeMs(path: string): number | undefined {
	return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
}

/** Name that Git gives what the file holds, in the form of another one; undefined: it cannot be read. */
export function hashAsGit(path: string, like: string): string | undefined {
	try {
		const bytes = readRegularFileSync(realpathSync(path), GIT_STATE_BYTES);
		const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
		return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
	} catch {
		return undefined;
	}
}
