/**
 * Files that a command has put into a commit, a stash or the index, where nobody here has written them: once Git has written one
 * into a folder, nobody here follows it until the user has saved it. Kept in the home: a folder for each repository, in it a note
 * for each path, found by its name, so that a look costs the same however many there are.
 */
import { createHash } from 'node:crypto';
import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findLinkedRepository } from '../../paths/names/repository-reach.ts';
import { readRegularFileSync, readTextOrEmpty } from '../../paths/reading/read-regular-file.ts';
import { CLOCK_STEP_MS, GIT_NOTE_TEXTS, GIT_NOTES, GIT_STATE_BYTES, SAVE_TAKES_MS } from '../limits.ts';
import { isInFolder } from '../mounts/mounts.ts';

interface GitNote {
	/** Git's own folder. */
	readonly repository: string;
	/** From the top of a work tree; empty: all that steers there, because it was not looked through to its end. */
	readonly path: string;
	/** Names that Git gives what commands have put there; null: more than are kept, so only a save in the editor counts. */
	readonly oids: readonly string[] | null;
	/** When the first such command began. */
	readonly sinceMs: number;
	/** When each file at that path was last saved by somebody who may, by its absolute path. */
	readonly saved: Readonly<Record<string, number>>;
	/** Texts that were saved so and that no command has put there: the hash of each, and its path from the top. */
	readonly own: readonly string[];
}

/** A path in a work tree, from its top, and where Git keeps its index. */
interface PlaceInTree {
	readonly tree: string;
	readonly at: string;
	readonly repository: string;
	readonly index: string;
}

/** Name of the note on all that steers in a repository. */
const NOTE_ON_ALL = 'all';

export class HeldInGit {
	readonly #folder: string;

	/** `folder`: where notes are kept. */
	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Holds what comes from Git at `path` from now on, and since `sinceMs`; but for `own`, files of work trees as they are now. */
	hold(repository: string, path: string, oids: readonly string[], sinceMs: number, own: readonly string[]): void {
		const before = this.#read(repository, path);
		const note: GitNote = {
			repository,
			path,
			oids: before?.oids === null ? null : [...new Set([...(before?.oids ?? []), ...oids])],
			sinceMs: before?.sinceMs ?? sinceMs,
			saved: { ...before?.saved, ...Object.fromEntries(own.map((each) => [each, readChangeMs(each) ?? Date.now()])) },
			own: before?.own ?? [],
		};
		this.#write(own.reduce((now, each) => withOwnText(now, each, path), note));
		this.#fold(repository);
	}

	/** Somebody who may is about to write it. */
	letGo(path: string): void {
		for (const { note } of this.#notesOn(path)) {
			this.#write({ ...note, saved: { ...note.saved, [path]: Date.now() + SAVE_TAKES_MS } });
		}
	}

	/** True for a file that Git may have written after a command put it there. `mayBeWritten`: a command runs that may have written it since. */
	isHeld(path: string, mayBeWritten: boolean): boolean {
		return this.#notesOn(path).some(({ note, place }) => {
			if (isFromGit(note, path)) return mayBeWritten || !this.#isSaved(note, path, place);
			// Once the save that was announced is over.
			if (!mayBeWritten && (note.saved[path] ?? Infinity) < Date.now())
				this.#keep(note, withOwnText(note, path, place.at));
			return false;
		});
	}

	/** Paths below these roots at which files are held, whether they exist or not. */
	list(roots: readonly string[]): readonly string[] {
		return roots.flatMap((root) =>
			findPlacesInTrees(join(root, 'x')).flatMap(({ tree, repository }) =>
				this.#notesOf(repository)
					.flatMap(({ path }) => (path === '' ? [] : join(tree, path)))
					.filter((path) => isInFolder(path, root)),
			),
		);
	}

	/** True for a text that the user has saved there before, or one that is newer than the index, which Git writes last, and not what was put there. */
	#isSaved(note: GitNote, path: string, { index, at }: PlaceInTree): boolean {
		const { text, oid } = readHashes(path, note.oids?.[0]);
		if (note.own.includes(`${text} ${at}`)) return true;
		const [file, last] = [readChangeMs(path), readChangeMs(index)];
		if (file === undefined || last === undefined || file <= last + CLOCK_STEP_MS) return false;
		if (note.oids?.includes(oid) !== false) return false;
		this.#write(withOwnText({ ...note, saved: { ...note.saved, [path]: file } }, path, at));
		return true;
	}

	/** Notes on the path in all work trees around it: one without an index of its own may stand between it and the one that Git knows. */
	#notesOn(path: string): { readonly note: GitNote; readonly place: PlaceInTree }[] {
		return findPlacesInTrees(path).flatMap((place) =>
			['', place.at].flatMap((at) => {
				const note = this.#read(place.repository, at);
				return note === undefined ? [] : { note, place };
			}),
		);
	}

	/** Makes one note of too many, which holds all that steers in the repository. */
	#fold(repository: string): void {
		const names = this.#namesOf(repository);
		if (names.length <= GIT_NOTES) return;
		const notes = this.#notesOf(repository);
		this.#write({
			repository,
			path: '',
			oids: notes.some(({ oids }) => oids === null) ? null : [...new Set(notes.flatMap(({ oids }) => oids ?? []))],
			sinceMs: Math.min(...notes.map(({ sinceMs }) => sinceMs)),
			saved: Object.assign({}, ...notes.map(({ saved }) => saved)) as GitNote['saved'],
			own: notes.flatMap(({ own }) => own),
		});
		for (const name of names) if (name !== NOTE_ON_ALL) rmSync(join(this.#folderOf(repository), name), { force: true });
	}

	#notesOf(repository: string): GitNote[] {
		return this.#namesOf(repository).flatMap((name) => this.#readNote(repository, '', name) ?? []);
	}

	#namesOf(repository: string): readonly string[] {
		try {
			return readdirSync(this.#folderOf(repository));
		} catch {
			// Folder not made yet: nothing was ever held there.
			return [];
		}
	}

	#read(repository: string, path: string): GitNote | undefined {
		return this.#readNote(repository, path, computeNoteName(path));
	}

	/** Returns undefined where there is none. A note that the disk has damaged holds whatever it may have been about. */
	#readNote(repository: string, path: string, name: string): GitNote | undefined {
		try {
			return JSON.parse(readFileSync(join(this.#folderOf(repository), name), 'utf8')) as GitNote;
		} catch (error) {
			const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
			return isGone ? undefined : { repository, path, oids: null, sinceMs: 0, saved: {}, own: [] };
		}
	}

	#keep(before: GitNote, note: GitNote): void {
		if (note !== before) this.#write(note);
	}

	#write(note: GitNote): void {
		const { repository, path, oids, saved, own } = note;
		const isMany = oids !== null && oids.length > GIT_NOTE_TEXTS;
		const newest = Object.entries(saved).toSorted(([, one], [, other]) => other - one);
		const bounded: GitNote = {
			...note,
			oids: isMany ? null : oids,
			saved: Object.fromEntries(newest.slice(0, GIT_NOTE_TEXTS)),
			own: own.slice(-GIT_NOTE_TEXTS),
		};
		mkdirSync(this.#folderOf(repository), { recursive: true, mode: 0o700 });
		// Another host never reads half of it.
		const next = join(this.#folder, `next-${process.pid}`);
		writeFileSync(next, JSON.stringify(bounded), { mode: 0o600 });
		renameSync(next, join(this.#folderOf(repository), computeNoteName(path)));
	}

	#folderOf(repository: string): string {
		return join(this.#folder, computeNoteName(repository));
	}
}

function computeNoteName(path: string): string {
	return path === '' ? NOTE_ON_ALL : createHash('sha256').update(path).digest('hex').slice(0, 32);
}

function isFromGit({ sinceMs, saved }: GitNote, path: string): boolean {
	const changedMs = readChangeMs(path);
	return changedMs === undefined || changedMs > (saved[path] ?? sinceMs - 2 * CLOCK_STEP_MS) + CLOCK_STEP_MS;
}

/** The note with what the file now holds among the texts of the user, but for what a command may have put there. */
function withOwnText(note: GitNote, path: string, at: string): GitNote {
	const { oids, own } = note;
	const { text, oid } = readHashes(path, oids?.[0]);
	const isKnown = own.includes(`${text} ${at}`);
	// Where no name of a text is known, none is known to be of somebody else.
	if (isKnown || text === '' || oids === null || oids.length === 0 || oids.includes(oid)) return note;
	return { ...note, own: [...own, `${text} ${at}`] };
}

/** Work trees that hold the path, the innermost first. */
function findPlacesInTrees(path: string): PlaceInTree[] {
	const places: PlaceInTree[] = [];
	for (let tree = dirname(path); ; tree = dirname(tree)) {
		const git = join(tree, '.git');
		const stat = lstatSync(git, { throwIfNoEntry: false });
		const at = path.slice(tree === '/' ? 1 : tree.length + 1);
		if (stat?.isDirectory() === true) places.push({ tree, at, repository: git, index: join(git, 'index') });
		else if (stat !== undefined) {
			const repository = findLinkedRepository(git);
			const [, named = ''] = /^gitdir: (.+)$/m.exec(readTextOrEmpty(git, 4_096)) ?? [];
			if (repository !== undefined) places.push({ tree, at, repository, index: resolve(tree, named, 'index') });
		}
		if (dirname(tree) === tree) return places;
	}
}

function readChangeMs(path: string): number | undefined {
	return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
}

/** Name that Git gives what the file holds, in the form of another one; undefined: it cannot be read. */
export function hashAsGit(path: string, like: string): string | undefined {
	return readHashes(path, like).oid || undefined;
}

/** Hash of what the file holds, and its name in Git, in the form of another one. Both empty: it cannot be read. */
function readHashes(path: string, like = ''): { readonly text: string; readonly oid: string } {
	try {
		const bytes = readRegularFileSync(realpathSync(path), GIT_STATE_BYTES);
		const oid = createHash(like.length === 64 ? 'sha256' : 'sha1')
			.update(`blob ${bytes.length}\0`)
			.update(bytes);
		return { text: createHash('sha256').update(bytes).digest('hex'), oid: oid.digest('hex') };
	} catch {
		return { text: '', oid: '' };
	}
}
