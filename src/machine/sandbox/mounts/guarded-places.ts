/**
 * Finds what a sandboxed command may not read or change inside the workspace: secret files, and those that steer what runs.
 * Folders are read once, and again when they have changed. A workspace larger than the limits is guarded as far as they
 * reach, and the search says so.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isClosedFolder } from '../../paths/is-folder.ts';
import { isToolFolderName } from '../../paths/names/name-rules.ts';
import { GUARDED_LOOK_MS, GUARDED_PLACES, SCANNED_DEPTH, SCANNED_FOLDERS } from '../limits.ts';
import type { GuardedPlace } from './guarded-place.ts';
import { GuardingFolders } from './guarding-folders.ts';
import { isInFolder } from './mounts.ts';
import { type PackageStore, PackageStores } from './package-stores.ts';
import { isInSecretFolder, readGuardedFolder, type ReadFolder } from './read-folder.ts';
import { guardSecondNames } from './second-names.ts';
import { ToolFolders } from './tool-folders.ts';

/** Longest path, with its end, that the system takes; some room is left for what lies in the folder. */
const MAX_PATH_BYTES = 4_096 - 256;
/** Number of times a root is searched while folders found in it disappear before they are looked into. */
const FIND_TRIES = 5;

export class GuardedPlaces {
	/** Folders that were read, by path, of each root. */
	readonly #known = new Map<string, ReadonlyMap<string, ReadFolder>>();
	readonly #stores = new PackageStores();
	readonly #tools = new Map<string, ToolFolders>();
	readonly #guarding: GuardingFolders;
	/** Roots that were not looked through to the end. */
	readonly #cut = new Set<string>();
	/** Folder of each root that had disappeared each time before it was looked into. */
	readonly #gone = new Map<string, string>();

	/** `home`: PROWESS_HOME, where it is kept which folders hold guarded files. */
	constructor(home?: string) {
		this.#guarding = new GuardingFolders(home);
	}

	/** True when the last `find` found everything below `root`, apart from folders that tools make. */
	isComplete(root: string): boolean {
		return !this.#cut.has(root);
	}

	/**
	 * A folder below `root` that another program moved or removed while `find` last looked, each time it did: something may lie
	 * elsewhere that was not found.
	 */
	goneIn(root: string): string | undefined {
		return this.#gone.get(root);
	}

	/** Pipes, sockets and devices that the last `find` came by below `root`, absolute. */
	findOdd(root: string): readonly string[] {
		return [...(this.#known.get(root)?.values() ?? [])].flatMap(({ odd }) => odd);
	}

	/** All places below `root`, those nearest to it first. */
	find(root: string): readonly GuardedPlace[] {
		for (let left = FIND_TRIES; ; left--) {
			this.#gone.delete(root);
			const places = this.#findOnce(root);
			const isToRepeat = this.#gone.has(root) || this.#followMoved(root);
			if (left <= 1 || !isToRepeat) return places;
		}
	}

	/** Looks for repositories in the folders below `root` that tools fill. `find` names those of the last such look. */
	async lookAtTools(root: string): Promise<void> {
		this.find(root);
		for (const _ of this.#toolsIn(root).look(this.#toolFoldersIn(root))) await setImmediate();
	}

	toolRepositoriesIn(root: string): readonly GuardedPlace[] {
		return this.#toolsIn(root).repositories;
	}

	#toolsIn(root: string): ToolFolders {
		const known = this.#tools.get(root) ?? new ToolFolders();
		this.#tools.set(root, known);
		return known;
	}

	#toolFoldersIn(root: string): readonly string[] {
		return [...(this.#known.get(root)?.values() ?? [])].flatMap(({ packages }) => packages);
	}

	/**
	 * Looks where nothing is guarded for folders with guarded files that lay elsewhere before. True when some are there: from now
	 * on they are looked through as well.
	 */
	#followMoved(root: string): boolean {
		const known = this.#known.get(root) ?? new Map<string, ReadFolder>();
		const before = this.#guarding.read(root);
		const holding = [...known].filter(([path, { places }]) => path !== root && places.length > 0);
		const now = new Map(holding.map(([path, { identity }]) => [identity, path]));
		const away = [...before].filter(([identity, path]) => known.get(path)?.identity !== identity);
		const seen = away.length === 0 ? undefined : new Set([...known.values()].map(({ identity }) => identity));
		const missing = away.filter(([identity]) => seen?.has(identity) === false);
		let isFound = false;
		if (missing.length > 0) {
			const tools = this.#toolsIn(root);
			for (const _ of tools.look(this.#toolFoldersIn(root)));
			const found = tools.findFolders(new Set(missing.map(([identity]) => identity)));
			const isWhole = tools.isWhole && !this.#cut.has(root);
			for (const [identity, path] of missing) {
				const there = found.get(identity) ?? (isWhole ? undefined : path);
				if (there !== undefined) now.set(identity, there);
			}
			isFound = found.size > 0;
		}
		this.#guarding.write(root, now);
		return isFound;
	}

	/** Names of the folders from `root` to each that a command has moved to where tools fill folders. */
	#movedIn(root: string): readonly (readonly string[])[] {
		const moved = [...this.#guarding.read(root).values()].filter(
			(path) => path.slice(root.length).split('/').some(isToolFolderName) && existsSync(path),
		);
		const outermost = moved.filter((path) => !moved.some((other) => other !== path && isInFolder(path, other)));
		return outermost.map((path) => path.slice(root.length + 1).split('/'));
	}

	#findOnce(root: string): readonly GuardedPlace[] {
		const places: GuardedPlace[] = [];
		const known = new Map<string, ReadFolder>();
		let level: readonly (readonly string[])[] = [[], ...this.#movedIn(root)];
		let isCut = false;
		// The next search does not read again what was read by then, and so gets further.
		const endMs = performance.now() + GUARDED_LOOK_MS;
		for (let depth = 0; level.length > 0 && depth < SCANNED_DEPTH; depth++) {
			const next: (readonly string[])[] = [];
			for (const segments of level) {
				if (known.size >= SCANNED_FOLDERS || places.length >= GUARDED_PLACES || performance.now() > endMs) {
					isCut = true;
					break;
				}
				const path = join(root, ...segments);
				const look = readGuardedFolder(path, segments, this.#known.get(root)?.get(path), endMs);
				if (look !== undefined) {
					const { folder, isWhole } = look;
					known.set(path, folder);
					places.push(...folder.places);
					for (const name of folder.folders) next.push([...segments, name]);
					isCut ||= !isWhole;
				} else if (isPathTooLong(root, segments)) {
					isCut = true;
				} else if (segments.length > 0 && !existsSync(path)) {
					this.#gone.set(root, path);
				} else if (isClosedFolder(path) && !isInSecretFolder(segments)) {
					places.push(toClosedFolder(path));
				}
			}
			level = next;
		}
		const read = [...known.values()];
		const tools = this.#tools.get(root);
		const all = [
			...places,
			...(tools?.repositories ?? []).filter(({ path }) => !places.some((each) => each.path === path)),
			...guardSecondNames(
				read.flatMap(({ named }) => named),
				places,
			),
			...read.flatMap(({ packages }) =>
				packages.flatMap((path) => this.#stores.storeIn(path) ?? []).map(toGuardedStore),
			),
		];
		isCut ||= all.length > GUARDED_PLACES || tools?.isWhole === false;
		if (isCut || level.length > 0) this.#cut.add(root);
		else this.#cut.delete(root);
		// Folders beyond a cut stay known: they were not looked for.
		this.#known.set(root, isCut ? new Map([...(this.#known.get(root) ?? []), ...known]) : known);
		return all.slice(0, GUARDED_PLACES);
	}
}

/** True of a folder that only programs reach which go there step by step. */
function isPathTooLong(root: string, segments: readonly string[]): boolean {
	return Buffer.byteLength(join(root, ...segments)) >= MAX_PATH_BYTES;
}

function toClosedFolder(path: string): GuardedPlace {
	return { path, kind: 'folder', isSecret: true, isProtected: false, isRepository: false, isClosed: true };
}

function toGuardedStore({ path, writable }: PackageStore): GuardedPlace {
	const kept = { isSecret: false, isProtected: true, isRepository: false, isSecondName: true } as const;
	return { path, kind: 'folder', ...kept, writable };
}
