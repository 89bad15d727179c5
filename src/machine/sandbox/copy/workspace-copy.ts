/**
 * Copy of the workspace on which a command is tried, in its sandbox and at the places of the real workspace. Folders
 * that tools have installed are not copied: they are shown read-only. Afterwards the copy tells what the command
 * changed.
 */
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { chmod, mkdir, opendir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { listLeftBehind, ownName } from '../../../store/left-behind.ts';
import { descriptorPath, openVerified } from '../../paths/reading/verified-open.ts';
import { isInFolder } from '../mounts/mounts.ts';
import {
	copyOpened,
	type EntryKind,
	toEntryKind,
	findEntryStats,
	modeIn,
	sizeIn,
	formatEntryState,
	holdSame,
} from './copied-entry.ts';
import { COPIED_BYTES, COPIED_ENTRIES, COPY_MS, COPIED_FILES_AT_ONCE, TRIED_ENTRIES } from './limits.ts';

/**
 * Change that the command made to a single entry. `copied`: the entry's place in the copy; undefined when it is gone.
 */
export interface TriedChange {
	/** Root of the real workspace folder, free of links. */
	readonly root: string;
	readonly path: string;
	readonly kind: 'created' | 'modified' | 'deleted';
	readonly entry: EntryKind;
	readonly copied: string | undefined;
	/** Size of a file in the copy; of anything else 0. */
	readonly bytes: number;
}

interface SeenEntry {
	readonly root: string;
	/** State of the real entry when it was copied; undefined: the entry was not copied from the workspace. */
	readonly real: string | undefined;
	readonly copy: string;
	readonly entry: EntryKind;
}

/** Source of a copy: a folder of the workspace, and the files in it to hide. */
interface From {
	readonly root: string;
	readonly path: string;
	isHidden(path: string): boolean;
}

/** Never copied: large, and made by tools. */
const SHARED_FOLDER_NAMES = new Set(['node_modules', '.venv', 'venv']);

const TRIALS_FOLDER = 'trials';

/** Copies of hosts that were killed. Never rejects. */
export async function removeLeftCopies(home: string): Promise<void> {
	const all = join(home, TRIALS_FOLDER);
	await Promise.allSettled(listLeftBehind(all).map((name) => rm(join(all, name), { recursive: true, force: true })));
}

export class WorkspaceCopy {
	readonly folder: string;
	readonly #signal: AbortSignal;
	readonly #roots = new Map<string, string>();
	readonly #shared: string[] = [];
	readonly #seen = new Map<string, SeenEntry>();
	#entries = 0;
	#bytes = 0;

	/** In a new folder in `home`, PROWESS_HOME. `signal` stops the copying, which may take `limitMs`. */
	constructor(home: string, signal: AbortSignal, limitMs = COPY_MS) {
		this.folder = join(home, TRIALS_FOLDER, ownName() + randomUUID());
		this.#signal = AbortSignal.any([signal, createCopyTimeout(limitMs)]);
	}

	/** A folder for what is in the workspace before the changes are done to it; nothing of it is in the copy. */
	get before(): string {
		return join(this.folder, 'before');
	}

	/** Absolute paths of what is not copied, as they are in the workspace. */
	get shared(): readonly string[] {
		return this.#shared;
	}

	/**
	 * Copies the folders of the workspace. Files for which `isHidden` returns true are copied as empty files of the
	 * same name. Rejects with INVALID_STATE when the folders are larger than a trial takes, and with TIMEOUT when
	 * copying them takes too long.
	 */
	async fill(roots: readonly string[], isHidden: (path: string) => boolean): Promise<void> {
		for (const [index, root] of roots.entries()) {
			const copy = join(this.folder, String(index));
			this.#roots.set(root, copy);
			await mkdir(copy, { recursive: true, mode: 0o700 });
			await this.#copyFolder({ root, path: root, isHidden }, copy);
		}
	}

	/** Where that lies which the command is to find at this place. */
	findSource(path: string): string {
		for (const [root, copy] of this.#roots) {
			if (isInFolder(path, root) && !this.#shared.some((each) => isInFolder(path, each))) {
				return join(copy, relative(root, path));
			}
		}
		return path;
	}

	/** In the order of their paths. Rejects with INVALID_STATE when there are more than `most` entries to look at. */
	async changes(most = TRIED_ENTRIES): Promise<readonly TriedChange[]> {
		const now = new Map<string, SeenEntry>();
		for (const [root, copy] of this.#roots) await this.#look(root, root, copy, now, most);
		const found: TriedChange[] = [];
		for (const [path, seen] of now) {
			const before = this.#seen.get(path);
			const { root, entry } = seen;
			const at = { root, path, copied: this.findSource(path), bytes: entry === 'file' ? sizeIn(seen.copy) : 0 };
			if (before === undefined) {
				found.push({ ...at, kind: 'created', entry });
			} else if (before.entry !== entry) {
				found.push({ ...at, kind: 'modified', entry: 'other' });
			} else if (entry !== 'folder' && before.copy !== seen.copy && !(await this.#isSame(at, before, seen))) {
				found.push({ ...at, kind: 'modified', entry });
			}
		}
		for (const [path, { root, entry }] of this.#seen) {
			if (!now.has(path)) found.push({ root, path, kind: 'deleted', entry, copied: undefined, bytes: 0 });
		}
		return found.sort((a, b) => (a.path < b.path ? -1 : 1));
	}

	/**
	 * True when the place in the workspace still is as it was copied; for a new entry, when the place is still empty.
	 */
	async isUnchanged(path: string): Promise<boolean> {
		const stat = await findEntryStats(path);
		const seen = this.#seen.get(path);
		return seen?.entry === 'folder'
			? stat?.isDirectory() === true
			: (stat === undefined ? undefined : formatEntryState(stat)) === seen?.real;
	}

	async remove(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
	}

	/** Copies through the open folder: another command may move it, or put a link in its place. */
	async #copyFolder(from: From, to: string): Promise<void> {
		const folder = await openVerified(from.path, 'folder');
		try {
			const folders: string[] = [];
			const copyEach = (names: readonly string[]) =>
				waitForAll(
					names.map((name) => {
						const at = join(descriptorPath(folder), name);
						const entry = { ...from, path: join(from.path, name) };
						return this.#copyEntry(entry, at, join(to, name), () => folders.push(name));
					}),
				);
			let some: string[] = [];
			for await (const { name } of await opendir(descriptorPath(folder))) {
				some.push(name);
				if (some.length === COPIED_FILES_AT_ONCE) {
					await copyEach(some);
					some = [];
				}
			}
			await copyEach(some);
			for (const name of folders) {
				await this.#copyFolder({ ...from, path: join(from.path, name) }, join(to, name));
			}
		} finally {
			await folder.close();
		}
	}

	/** `at`: where it is reached. `onFolder` is called for one whose entries are to be copied, too. */
	async #copyEntry({ root, path, isHidden }: From, at: string, copy: string, onFolder: () => void): Promise<void> {
		this.#signal.throwIfAborted();
		const stat = await findEntryStats(at);
		if (stat === undefined) return;
		this.#count(stat);
		const mode = Number(stat.mode & 0o7777n);
		if (stat.isDirectory()) {
			await mkdir(copy, { mode: mode | 0o700 });
			if (SHARED_FOLDER_NAMES.has(basename(path))) {
				this.#shared.push(path);
				return;
			}
			onFolder();
		} else if (stat.isSymbolicLink()) {
			await symlink(await readlink(at), copy);
		} else if (!stat.isFile()) {
			return;
		} else if (isHidden(path)) {
			await writeFile(copy, '', { mode });
		} else if (await copyOpened(at, copy)) {
			await chmod(copy, mode);
		} else {
			return;
		}
		const copied = await findEntryStats(copy);
		this.#seen.set(path, {
			root,
			entry: toEntryKind(stat),
			real: formatEntryState(stat),
			copy: copied === undefined ? '' : formatEntryState(copied),
		});
	}

	#count(stat: BigIntStats): void {
		this.#entries += 1;
		this.#bytes += stat.isFile() ? Number(stat.size) : 0;
		if (this.#entries > COPIED_ENTRIES || this.#bytes > COPIED_BYTES) {
			const limit = { entries: COPIED_ENTRIES, bytes: COPIED_BYTES };
			throw new ProwessError('INVALID_STATE', 'the workspace is too large to try a command on a copy of it', {
				...limit,
				said: text('The workspace is too large to be copied: more than {entries} files, or {megabytes} MB.', {
					entries: COPIED_ENTRIES,
					megabytes: COPIED_BYTES / 1_048_576,
				}),
			});
		}
	}

	async #look(root: string, path: string, copy: string, now: Map<string, SeenEntry>, most: number): Promise<void> {
		for await (const { name } of await opendir(copy)) {
			const [place, copied] = [join(path, name), join(copy, name)];
			const stat = await findEntryStats(copied);
			if (stat === undefined || this.#shared.includes(place)) continue;
			if (now.size >= most) {
				throw new ProwessError('INVALID_STATE', `the command left more than ${most} entries on the copy`, {
					said: text('It left more than {n} files and folders, which are too many to look at.', { n: most }),
				});
			}
			now.set(place, { root, real: undefined, copy: formatEntryState(stat), entry: toEntryKind(stat) });
			if (stat.isDirectory()) await this.#look(root, place, copied, now, most);
		}
	}

	/** Many programs write what was there before. */
	async #isSame(
		{ path, copied }: { path: string; copied: string },
		before: SeenEntry,
		seen: SeenEntry,
	): Promise<boolean> {
		const isAlike = modeIn(before.copy) === modeIn(seen.copy) && sizeIn(before.copy) === sizeIn(seen.copy);
		return before.entry === 'file' && isAlike && (await this.isUnchanged(path)) && (await holdSame(path, copied));
	}
}

/** Rejects with the first failure once all have ended: the folder that they work in is closed then. */
async function waitForAll(some: readonly Promise<void>[]): Promise<void> {
	const ends = await Promise.allSettled(some);
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

/** Aborts with what the person is told. */
function createCopyTimeout(limitMs: number): AbortSignal {
	const late = new AbortController();
	const seconds = limitMs / 1_000;
	const said = text('The workspace took longer than {seconds} s to be copied.', { seconds });
	const abortCopy = () => {
		late.abort(new ProwessError('TIMEOUT', `the workspace was not copied within ${seconds} s`, { limitMs, said }));
	};
	setTimeout(abortCopy, limitMs).unref();
	return late.signal;
}
