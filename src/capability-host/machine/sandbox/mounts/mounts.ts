/** The mounts of a sandbox, in the order in which bubblewrap makes them: a later one covers an earlier one at its place. */
import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { HIDDEN_FOLDER_BYTES, SHARED_FILES_SHARE } from '../limits.ts';

/**
 * Of what the kernel shows, what it also obeys. Bubblewrap leaves it writable for the superuser, who owns it; `/proc/irq` and
 * `/proc/bus` it covers by itself.
 */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/fs', '/proc/acpi', '/proc/driver', '/proc/mtrr'];

const SHARED_FILES_BYTES = Math.round(totalmem() * SHARED_FILES_SHARE);

/** `from` is to be seen at `path`. */
export interface Bind {
	readonly path: string;
	readonly from: string;
}

export class Mounts {
	readonly #flags: string[] = [];
	readonly #hidden: string[] = [];
	readonly #shown: string[] = [];
	readonly #binds: Bind[] = [];

	/** All but those of folders of ours in place of the machine's. */
	get binds(): readonly Bind[] {
		return this.#binds;
	}

	get flags(): readonly string[] {
		return this.#flags;
	}

	/** The whole machine, read-only, with devices and processes of its own. Nothing can be kept in memory beside its devices. */
	machine(): this {
		this.#flags.push('--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev');
		this.#flags.push('--size', String(SHARED_FILES_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev');
		// Each mount costs time, and those of others are not theirs to write.
		const isSuperuser = process.getuid?.() === 0;
		for (const path of KERNEL_SETTINGS.filter((each) => isSuperuser && hasContent(each))) this.readOnly(path);
		return this;
	}

	/** An empty folder in its place, which is the sandbox's own. */
	hideFolder(path: string): this {
		this.#flags.push('--size', String(HIDDEN_FOLDER_BYTES), '--tmpfs', path);
		this.#hidden.push(path);
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

	/** Whether nothing of the machine is seen at this place. */
	isHidden(path: string): boolean {
		return nearest(path, this.#hidden) > nearest(path, this.#shown);
	}

	#bind(flag: '--bind' | '--ro-bind', path: string, from: string): void {
		this.#flags.push(flag, from, path);
		this.#binds.push({ path, from });
	}
}

/** Whether it is a file, or a folder with something in it. */
function hasContent(path: string): boolean {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat !== undefined && (!stat.isDirectory() || readdirSync(path).length > 0);
}

/** Whether `path` is `folder` or lies in it. */
export function isIn(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** How long the longest of the places is that hold `path`; 0 for none. */
function nearest(path: string, places: readonly string[]): number {
	return Math.max(0, ...places.filter((place) => isIn(path, place)).map(({ length }) => length));
}
