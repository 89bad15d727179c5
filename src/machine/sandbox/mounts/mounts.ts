/** The mounts of a sandbox, in the order in which bubblewrap makes them: a later one covers an earlier one at its place. */
import { HIDDEN_FOLDER_BYTES } from '../limits.ts';
import { SHARED_FILES_BYTES } from '../watch/watch-limits.ts';

/** `from` is to be seen at `path`. */
export interface Bind {
	readonly path: string;
	readonly from: string;
}

/** A link by which the user opened a folder of the workspace. */
export interface OpenedLink {
	/** Absolute. */
	readonly path: string;
	/** Free of links. */
	readonly to: string;
}

export class Mounts {
	readonly #flags: string[] = [];
	readonly #emptied: string[] = [];
	readonly #hidden: string[] = [];
	readonly #shown: string[] = [];
	readonly #binds: Bind[] = [];
	readonly #findSource: (path: string) => string;

	/** `findSource`: where that lies which is to be seen at a place; absent: there. */
	constructor(findSource: (path: string) => string = (path) => path) {
		this.#findSource = findSource;
	}

	/** All but those of folders of ours in place of the machine's. */
	get binds(): readonly Bind[] {
		return this.#binds;
	}

	get flags(): readonly string[] {
		return this.#flags;
	}

	/** The whole machine, read-only, with devices and processes of its own. */
	machine(): this {
		this.#flags.push('--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev');
		this.#flags.push('--size', String(SHARED_FILES_BYTES), '--tmpfs', '/dev/shm');
		// Writing to `/proc` changes settings of the kernel. For the superuser, who owns these files, bubblewrap leaves
		// it writable.
		if (process.getuid?.() === 0) this.#flags.push('--remount-ro', '/proc');
		return this;
	}

	/** An empty folder in its place, which is the sandbox's own. */
	hideFolder(path: string): this {
		this.#flags.push('--size', String(HIDDEN_FOLDER_BYTES), '--tmpfs', path);
		this.#emptied.push(path);
		this.#hidden.push(path);
		return this;
	}

	/** A link in a folder that is hidden; elsewhere the link of the machine is seen, or one that was made there. */
	showLink({ path, to }: OpenedLink): this {
		const others = [...this.#hidden.filter((place) => !this.#emptied.includes(place)), ...this.#shown];
		const isInEmpty = computeNearestLength(path, this.#emptied) > computeNearestLength(path, others);
		const isTaken = [...this.#emptied, ...others].some((place) => isInFolder(place, path));
		if (isInEmpty && !isTaken) this.#flags.push('--symlink', to, path);
		return this;
	}

	/** `empty` in its place. */
	hide(path: string, empty: string): this {
		this.#bind('--ro-bind', path, empty);
		return this;
	}

	/** A folder of ours in place of one of the machine. */
	replace(path: string, by: string): this {
		this.#flags.push('--bind', by, path);
		this.#hidden.push(path);
		return this;
	}

	readOnly(path: string, from = path): this {
		this.#bind('--ro-bind', path, from);
		this.#shown.push(path);
		return this;
	}

	writable(path: string, from = path): this {
		this.#bind('--bind', path, from);
		this.#shown.push(path);
		return this;
	}

	/** True when the sandbox shows nothing of the machine at this place. */
	isHidden(path: string): boolean {
		return computeNearestLength(path, this.#hidden) > computeNearestLength(path, this.#shown);
	}

	#bind(flag: '--bind' | '--ro-bind', path: string, named: string): void {
		const from = named === path ? this.#findSource(path) : named;
		this.#flags.push(flag, from, path);
		this.#binds.push({ path, from });
	}
}

/** True when `path` is `folder` or lies in it. */
export function isInFolder(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** Returns the length of the longest place that holds `path`; 0 for none. */
function computeNearestLength(path: string, places: readonly string[]): number {
	return Math.max(0, ...places.filter((place) => isInFolder(path, place)).map(({ length }) => length));
}
