/**
 * Finds the folders of capabilities and executors below a root. Bounded in depth and number; links are followed, but not out
 * of the workspace and never in a circle, and one that leads nowhere is said; what goes away meanwhile was not there.
 */
import { inParallel } from '../../../base/parallel-groups.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { CAPABILITY_ENTRIES } from '../../../protocol/execution/execution.ts';
import {
	CAPABILITY_MANIFESTS,
	EXECUTOR_FILES,
	EXECUTORS_FOLDER,
	SKILL_FILES,
} from '../../../protocol/capability/manifest.ts';
import { commandName, isCommandFile, isPromptFile } from '../../command-file.ts';
import { nameInPlugin, PLUGIN_NOTES, PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import { findErrno } from '../../../machine/paths/file-error.ts';
import { MAX_ITEMS, MAX_SKILL_DEPTH, MAX_SKILL_FOLDERS, SCAN_WIDTH } from '../limits.ts';
import {
	type ListedFolderEntry,
	type ItemFolder,
	toItemFolder,
	isItemFolder,
	type FolderListing,
	toFolderListing,
} from './listed-folder.ts';
import { isSameStamp, type Looks } from './looks.ts';
import { ITSELF, MANIFEST_FILES } from './manifest-files.ts';
import { installedPlugin } from './plugin-place.ts';
import type { ScanMemory } from './scan-memory.ts';
import type { Root } from '../sources/roots.ts';

interface FoundFolders {
	readonly capabilities: readonly ItemFolder[];
	readonly executors: readonly ItemFolder[];
	/** Every folder in which one more could appear, or one could change. */
	readonly visited: readonly string[];
	readonly problems: readonly string[];
}

/** Knowledge of earlier scans (`before`), and of this one (`memory`). */
export interface KnownScans {
	readonly before: ScanMemory;
	readonly memory: ScanMemory;
	readonly looks: Looks;
}

export async function findFolders(root: Root, known: KnownScans): Promise<FoundFolders> {
	const walk = new Walk(root, known);
	const isByType = root.layout === 'prowess' || root.layout === 'codebolt';
	await (isByType ? walk.types() : root.layout === 'skill-folder' ? walk.skills() : walk.commands());
	return walk;
}

class Walk implements FoundFolders {
	readonly capabilities: ItemFolder[] = [];
	readonly executors: ItemFolder[] = [];
	readonly visited: string[] = [];
	readonly problems: string[] = [];
	readonly #root: Root;
	readonly #known: KnownScans;
	#within: string | undefined;

	constructor(root: Root, known: KnownScans) {
		this.#root = root;
		this.#known = known;
	}

	/** `<type>/<name>`, `<name>` and `executors/<name>`. */
	async types(): Promise<void> {
		const below = await this.#begin();
		for (const entry of below) {
			const listed = await this.#list(entry.path);
			const { folders, files } = listed;
			if (entry.name === EXECUTORS_FOLDER) {
				this.executors.push(...(await this.#items(folders, undefined, EXECUTOR_FILES, [])));
			} else if (entry.name === PLUGINS_FOLDER && this.#root.layout === 'prowess') {
				for (const plugin of folders) await this.#plugin(plugin);
			} else if (isItemFolder(files, CAPABILITY_MANIFESTS, CAPABILITY_ENTRIES)) {
				this.capabilities.push(toItemFolder(entry, undefined, listed, CAPABILITY_MANIFESTS));
			} else {
				this.capabilities.push(...(await this.#items(folders, entry.name, CAPABILITY_MANIFESTS, CAPABILITY_ENTRIES)));
			}
		}
	}

	/** Adds the skills and commands of a plugin, each with its name; the plugin's own folder is not a capability. */
	async #plugin({ path, name, problem }: ListedFolderEntry): Promise<void> {
		if (problem !== undefined) {
			this.problems.push(`${path}: ${problem}`);
			return;
		}
		this.visited.push(path, join(path, PLUGIN_NOTES));
		try {
			const { skills } = await installedPlugin(path);
			const below = await inParallel(skills, SCAN_WIDTH, async (each) => {
				const entry = { path: join(path, each), name: nameInPlugin(name, basename(each)) };
				const real = await realpath(entry.path).catch(() => entry.path);
				return real === entry.path
					? entry
					: { ...entry, problem: `it is a link to ${real}; a plugin may hold no links` };
			});
			this.capabilities.push(...(await this.#items(below, undefined, CAPABILITY_MANIFESTS, [])));
		} catch (error) {
			if (!isGone(error)) this.problems.push(`${path}: ${toErrorMessage(error)}`);
		}
	}

	/** `…/<name>/SKILL.md`, in folders of folders; what lies below a skill belongs to it. */
	async skills(): Promise<void> {
		await this.#levels(await this.#begin(), (entry, listed) => {
			const isSkill = listed.files.some((name) => SKILL_FILES.includes(name));
			if (isSkill) this.capabilities.push(toItemFolder(entry, 'skill', listed, CAPABILITY_MANIFESTS));
			return isSkill;
		});
	}

	/** `…/<name>.md`, each a capability by itself; the folders it lies in are a part of its name. */
	async commands(): Promise<void> {
		const root = await this.#place();
		if (root === undefined) return;
		const isOurs = this.#root.layout === 'prompts' ? isPromptFile : isCommandFile;
		await this.#levels([{ path: root, name: '' }], ({ path: folder }, { files }) => {
			const room = MAX_ITEMS - this.capabilities.length;
			const ours = files.filter(isOurs).sort();
			if (ours.length > room) this.problems.push(tooMany(this.#root));
			for (const file of ours.slice(0, room)) {
				const path = join(folder, file);
				const name = commandName(relative(root, path));
				if (name === '') {
					this.problems.push(`${path}: its name has no letter from a to z and no digit; it was not read`);
					continue;
				}
				this.capabilities.push({ path, name, type: 'skill', manifests: [ITSELF], runnable: [], problem: undefined });
			}
			return false;
		});
	}

	/** From the folders of a level to those below, except where `take` has all of one. */
	async #levels(
		begin: readonly ListedFolderEntry[],
		take: (entry: ListedFolderEntry, listed: FolderListing) => boolean,
	): Promise<void> {
		let level = begin;
		const seen = new Set(level.map(({ path }) => path));
		for (let depth = 1; depth <= MAX_SKILL_DEPTH && level.length > 0; depth += 1) {
			const next: ListedFolderEntry[] = [];
			const lists = await inParallel(level, SCAN_WIDTH, ({ path }) => this.#trusted(path) ?? this.#list(path));
			for (const [at, listed] of lists.entries()) {
				if (take(level[at] as ListedFolderEntry, listed)) continue;
				for (const folder of this.#usable(listed.folders)) {
					if (seen.has(folder.path)) continue;
					if (seen.size >= MAX_SKILL_FOLDERS) {
						this.problems.push(
							`${this.#root.path}: more than ${MAX_SKILL_FOLDERS} folders; the others were not looked at`,
						);
						return;
					}
					seen.add(folder.path);
					next.push(folder);
				}
			}
			level = next;
		}
		if (level.length > 0) {
			const which = `${level.length} folders deeper than ${MAX_SKILL_DEPTH} levels were not looked at`;
			this.problems.push(`${this.#root.path}: ${which}, such as ${level[0]?.path}`);
		}
	}

	async #begin(): Promise<readonly ListedFolderEntry[]> {
		const real = await this.#place();
		return real === undefined ? [] : this.#usable((await this.#list(real)).folders);
	}

	/** Where the root really lies; undefined when it is not there, or not to be read. */
	async #place(): Promise<string | undefined> {
		const { path, within } = this.#root;
		try {
			this.#within = within === undefined ? undefined : await realpath(within);
			const real = await realpath(path);
			if (this.#leadsOut(real)) {
				this.problems.push(`${path}: it leads out of the workspace, to ${real}; it was not read`);
				return undefined;
			}
			return real;
		} catch (error) {
			if (!isGone(error)) this.problems.push(`${path}: ${toErrorMessage(error)}`);
			return undefined;
		}
	}

	/** Without those that are not to be read, which are told instead: nobody knows what would lie in them. */
	#usable(entries: readonly ListedFolderEntry[]): readonly ListedFolderEntry[] {
		this.problems.push(
			...entries.flatMap(({ path, problem }) => (problem === undefined ? [] : [`${path}: ${problem}`])),
		);
		return entries.filter(({ problem }) => problem === undefined);
	}

	async #items(
		entries: readonly ListedFolderEntry[],
		type: string | undefined,
		manifests: readonly string[],
		programs: readonly string[],
	): Promise<ItemFolder[]> {
		const room = MAX_ITEMS - this.capabilities.length - this.executors.length;
		if (entries.length > room) {
			this.problems.push(tooMany(this.#root));
		}
		return await inParallel(entries.slice(0, room), SCAN_WIDTH, async (entry) => {
			const listed = entry.problem === undefined ? await this.#list(entry.path) : { folders: [], files: [] };
			const problem = isItemFolder(listed.files, manifests, programs)
				? undefined
				: `there is none of ${[...manifests, ...programs].join(', ')} in it`;
			return toItemFolder({ problem, ...entry } as ListedFolderEntry, type, listed, manifests);
		});
	}

	/** A folder of a capability as it was, when that is good enough. */
	#trusted(path: string): FolderListing | undefined {
		const { before, memory, looks } = this.#known;
		const known = looks.areTrusting && before.readings.has(path) ? before.listings.get(path) : undefined;
		if (known === undefined) return undefined;
		this.visited.push(path);
		memory.listings.set(path, known);
		return toFolderListing(path, known);
	}

	/** In the order of their names; without those that begin with a dot. */
	async #list(path: string): Promise<FolderListing> {
		this.visited.push(path);
		const { before, memory, looks } = this.#known;
		const known = before.listings.get(path);
		// Before it is read: what changes meanwhile is another stamp.
		const stamp = await looks.stampOf(path);
		if (known !== undefined && isSameStamp(known.stamp, stamp)) {
			memory.listings.set(path, known);
			return toFolderListing(path, known);
		}
		const folders: ListedFolderEntry[] = [];
		const files: string[] = [];
		let isKnown = stamp !== undefined;
		try {
			for (const entry of await readdir(path, { withFileTypes: true })) {
				if (entry.isDirectory()) {
					if (!entry.name.startsWith('.') && entry.name !== 'node_modules') {
						folders.push({ path: join(path, entry.name), name: entry.name });
					}
				} else if (entry.isSymbolicLink()) {
					// Where it leads can change without its folder.
					isKnown = false;
					const target = await this.#linked(join(path, entry.name));
					// A manifest that leads nowhere is one nevertheless: whoever reads it says what is wrong.
					if (target === 'file' || MANIFEST_FILES.includes(entry.name)) files.push(entry.name);
					else if (target !== undefined) folders.push(target);
				} else {
					files.push(entry.name);
				}
			}
		} catch (error) {
			isKnown = false;
			if (!isGone(error)) this.problems.push(`${path}: ${toErrorMessage(error)}`);
		}
		folders.sort((a, b) => (a.name < b.name ? -1 : 1));
		if (isKnown && stamp !== undefined) {
			memory.listings.set(path, { stamp, folders: folders.map(({ name }) => name), files });
		}
		return { folders, files };
	}

	async #linked(path: string): Promise<ListedFolderEntry | 'file' | undefined> {
		const name = basename(path);
		try {
			const real = await realpath(path);
			if (!(await stat(real)).isDirectory()) return 'file';
			return this.#leadsOut(real)
				? { path, name, problem: `it is a link that leads out of the workspace, to ${real}` }
				: { path: real, name };
		} catch {
			const target = await readlink(path).catch(() => undefined);
			return target === undefined ? undefined : { path, name, problem: `it is a link that leads nowhere: ${target}` };
		}
	}

	#leadsOut(real: string): boolean {
		if (this.#within === undefined) return false;
		const way = relative(this.#within, real);
		return way === '..' || way.startsWith(`..${sep}`);
	}
}

function tooMany({ path }: Root): string {
	return `${path}: more than ${MAX_ITEMS} items; the others were not looked at`;
}

function isGone(error: unknown): boolean {
	return findErrno(error) === 'ENOENT' || findErrno(error) === 'ENOTDIR';
}
