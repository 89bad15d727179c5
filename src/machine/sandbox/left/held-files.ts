/**
 * Files that steer agents or other programs and that appeared while a command ran in the background: the command may have
 * made them, or the user. Until the user has written them, nobody here follows them. Kept in the home: the next host must
 * not follow them either, and one that was killed has left a note of the command that it ran.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessRunning } from '../../../store/running-process.ts';
import { CLOCK_STEP_MS, HELD_FILES } from '../limits.ts';
import { isInFolder } from '../mounts/mounts.ts';
import type { HeldInGit } from './held-in-git.ts';

/** Note of a command in the background, for other hosts. */
interface RunningNote {
	readonly pid: number;
	readonly roots: readonly string[];
	/** Steering files that were there before. */
	readonly known: readonly string[];
}

/** Note of a folder that could not be looked through to its end when a command had ended. */
interface UnseenNote {
	readonly root: string;
	/** Files that steer and that no command has made or changed: there before, or saved by the user since. */
	readonly known: readonly string[];
	/** When the last such command ended. */
	readonly atMs: number;
}

interface HeldFile {
	readonly path: string;
	/** File, and time of its last change, when it was found. */
	readonly version: string;
}

export class HeldFiles {
	readonly #folder: string;
	/** Notes on files that commands have put into Git. */
	readonly #gitFolder: string;
	readonly #load: () => Promise<typeof HeldInGit>;
	/** Files that a command has put into Git; undefined until they are needed. */
	#inGit: HeldInGit | undefined;

	constructor(home: string, load: () => Promise<typeof HeldInGit>) {
		this.#folder = join(home, 'held');
		this.#gitFolder = join(this.#folder, 'git');
		this.#load = load;
	}

	/** Loads those that a command has put into Git. */
	async loadInGit(): Promise<HeldInGit> {
		return (this.#inGit ??= new (await this.#load())(this.#gitFolder));
	}

	/** Resolves before a prompt may be sent: until then all files that steer are held where some are that a command has put into Git. */
	async ready(): Promise<void> {
		if (this.#hasInGit()) await this.loadInGit();
	}

	/** Notes that a command runs in the background; what it gives ends the note. */
	begin(roots: readonly string[], known: readonly string[]): () => void {
		const note: RunningNote = { pid: process.pid, roots, known };
		const name = `run-${process.pid}-${createHash('sha256').update(`${performance.now()}`).digest('hex').slice(0, 12)}`;
		this.#write(name, note);
		return () => rmSync(join(this.#folder, name), { force: true });
	}

	/** Holds a file, or all files in a folder: one by one, or whatever is in it now where they are too many. */
	hold(path: string): void {
		const files = listFilesIn(path);
		for (const file of files.slice(0, HELD_FILES)) {
			this.#write(computeRecordName(file), { path: file, version: readFileVersion(file) ?? '' } satisfies HeldFile);
		}
		if (files.length > HELD_FILES) this.holdUnseen(path, this.knownIn(path) ?? []);
	}

	/** Files in a folder that was not looked through that no command has made or changed; undefined: it is not held so. */
	knownIn(root: string): readonly string[] | undefined {
		return this.#read<UnseenNote>(computeUnseenName(root))?.known;
	}

	/**
	 * Holds all that steers below `root` and is neither among the known nor newer than now: what a command made there could not be
	 * looked for to the end.
	 */
	holdUnseen(root: string, known: readonly string[]): void {
		this.#write(computeUnseenName(root), { root, known, atMs: Date.now() } satisfies UnseenNote);
	}

	/** The folder was looked through to its end: from now on, of the files there, those that `holdUnseen` held are held one by one. */
	settleUnseen(root: string, files: Iterable<string>): void {
		const note = this.#read<UnseenNote>(computeUnseenName(root));
		if (note === undefined) return;
		for (const file of files) if (isUnseen(note, file)) this.hold(file);
		rmSync(join(this.#folder, computeUnseenName(root)), { force: true });
	}

	/** Somebody who may is about to write it. */
	letGo(path: string): void {
		if (this.#inGit !== undefined) this.#inGit.letGo(path);
		else if (this.#hasInGit()) this.#whenLoaded((inGit) => inGit.letGo(path));
		this.#letGoHere(path);
	}

	#letGoHere(path: string): void {
		rmSync(join(this.#folder, computeRecordName(path)), { force: true });
		const isNew = ({ root, known }: UnseenNote) => isInFolder(path, root) && !known.includes(path);
		for (const note of this.#unseenNotes().filter(isNew)) {
			this.#write(computeUnseenName(note.root), { ...note, known: [...note.known, path] } satisfies UnseenNote);
		}
	}

	/**
	 * True for a file that is held, and for a steering file that came while a command of another host still runs.
	 * `mayBeWritten`: a command of this host runs that may have written it since.
	 */
	isHeld(path: string, mayBeWritten: boolean): boolean {
		const isIn = (places: readonly string[]) => places.some((place) => isInFolder(path, place));
		if (this.#notes().some(({ roots, known }) => isIn(roots) && !isIn(known))) {
			return true;
		}
		if (
			this.#unseenNotes().some((note) => isUnseen(note, path, mayBeWritten)) ||
			this.#isHeldInGit(path, mayBeWritten)
		) {
			return true;
		}
		const held = this.#read<HeldFile>(computeRecordName(path));
		if (held === undefined || held.version === readFileVersion(path)) {
			return held !== undefined;
		}
		// Written again while no command ran, and not by Git: that was the user.
		if (!mayBeWritten) this.#letGoHere(path);
		return mayBeWritten;
	}

	#isHeldInGit(path: string, mayBeWritten: boolean): boolean {
		if (this.#inGit !== undefined) return this.#inGit.isHeld(path, mayBeWritten);
		const isSome = this.#hasInGit();
		if (isSome) this.#whenLoaded(() => undefined);
		return isSome;
	}

	#hasInGit(): boolean {
		return existsSync(this.#gitFolder);
	}

	/** Where they cannot be loaded or written, all stays held. */
	#whenLoaded(use: (inGit: HeldInGit) => void): void {
		this.loadInGit()
			.then(use)
			.catch(() => undefined);
	}

	/** Files that may be held and are still there. */
	list(roots: readonly string[]): readonly string[] {
		const files = this.#names('file-').flatMap((name) => this.#read<HeldFile>(name)?.path ?? []);
		return [...new Set([...files, ...(this.#inGit?.list(roots) ?? [])])].filter(
			(path) => readFileVersion(path) !== undefined,
		);
	}

	/** Notes of hosts that were killed, each taken away: `findNew` gives what has appeared in its folders since. */
	takeLeft(findNew: (roots: readonly string[], known: readonly string[]) => readonly string[]): void {
		for (const name of this.#names('run-')) {
			const note = this.#read<RunningNote>(name);
			if (note !== undefined && !isProcessRunning(note.pid)) {
				const isIn = (path: string) => note.roots.some((root) => isInFolder(path, root));
				// Commands may have changed held files as well.
				for (const path of [...findNew(note.roots, note.known), ...this.list([]).filter(isIn)]) this.hold(path);
				rmSync(join(this.#folder, name), { force: true });
			}
		}
	}

	/** Notes of commands that run in other hosts. */
	#notes(): RunningNote[] {
		const notes = this.#names('run-').flatMap((name) => this.#read<RunningNote>(name) ?? []);
		return notes.filter(({ pid }) => pid !== process.pid && isProcessRunning(pid));
	}

	#unseenNotes(): UnseenNote[] {
		return this.#names('unseen-').flatMap((name) => this.#read<UnseenNote>(name) ?? []);
	}

	#names(start: string): string[] {
		try {
			return readdirSync(this.#folder).filter((name) => name.startsWith(start));
		} catch {
			// Folder not made yet: nothing was ever held.
			return [];
		}
	}

	#read<T>(name: string): T | undefined {
		try {
			return JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as T;
		} catch {
			// Gone, or its host is writing it at this moment.
			return undefined;
		}
	}

	#write(name: string, content: RunningNote | UnseenNote | HeldFile): void {
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		writeFileSync(join(this.#folder, name), JSON.stringify(content), { mode: 0o600 });
	}
}

function computeRecordName(path: string): string {
	return `file-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

function computeUnseenName(root: string): string {
	return `unseen-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
}

/** `mayBeWritten`: a command runs that may have written it since. */
function isUnseen({ root, known, atMs }: UnseenNote, path: string, mayBeWritten = false): boolean {
	if (!isInFolder(path, root) || known.some((place) => isInFolder(path, place))) {
		return false;
	}
	const stat = lstatSync(path, { throwIfNoEntry: false });
	return stat === undefined || mayBeWritten || stat.ctimeMs <= atMs + CLOCK_STEP_MS;
}

/** Undefined: it is gone. */
function readFileVersion(path: string): string | undefined {
	try {
		const { ino, ctimeNs } = lstatSync(path, { bigint: true });
		return `${ino} ${ctimeNs}`;
	} catch {
		return undefined;
	}
}

function listFilesIn(path: string): string[] {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (stat?.isDirectory() !== true) {
		return stat === undefined ? [] : [path];
	}
	try {
		const entries = readdirSync(path, { withFileTypes: true, recursive: true });
		return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
	} catch {
		return [path];
	}
}
