/** The mounts of a sandbox, in the order in which bubblewrap makes them: a later one covers an earlier one at its place. */
import { existsSync } from 'node:fs';
import { HIDDEN_FOLDER_BYTES } from './limits.ts';

/** Of what the kernel shows, what it also obeys. Bubblewrap leaves it writable for the superuser, who owns it. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/driver', '/proc/mtrr'];

export class Mounts {
	readonly #flags: string[] = [];
	readonly #hidden: string[] = [];
	readonly #shown: string[] = [];

	get flags(): readonly string[] {
		return this.#flags;
	}

	/** The whole machine, read-only, with devices and processes of its own. */
	machine(): this {
		this.#flags.push('--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev');
		// Each mount costs time, and those of others are not theirs to write.
		const isSuperuser = process.getuid?.() === 0;
		for (const path of KERNEL_SETTINGS.filter((each) => isSuperuser && existsSync(each))) this.readOnly(path);
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
		this.#flags.push('--ro-bind', empty, path);
		return this;
	}

	/** A folder of ours in place of one of the machine. */
	replace(path: string, by: string): this {
		this.#flags.push('--bind', by, path);
		this.#hidden.push(path);
		return this;
	}

	readOnly(path: string, from = path): this {
		this.#flags.push('--ro-bind', from, path);
		this.#shown.push(path);
		return this;
	}

	writable(path: string, from = path): this {
		this.#flags.push('--bind', from, path);
		this.#shown.push(path);
		return this;
	}

	/** Whether nothing of the machine is seen at this place. */
	isHidden(path: string): boolean {
		return nearest(path, this.#hidden) > nearest(path, this.#shown);
	}
}

/** Whether `path` is `folder` or lies in it. */
export function isIn(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** How long the longest of the places is that hold `path`; 0 for none. */
function nearest(path: string, places: readonly string[]): number {
	return Math.max(0, ...places.filter((place) => isIn(path, place)).map(({ length }) => length));
}
