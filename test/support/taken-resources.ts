/** What the processes below one take of the machine, at most, while it is watched. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from './processes.ts';

/** More than any of this is an attack on the machine, whatever it runs. */
const PROCESSES = 2_000;
const MEMORY_BYTES = 8 * 2 ** 30;
const DISK_BYTES = 5 * 2 ** 30;
const EVERY_MS = 250;
const PAGE_BYTES = 4096;

export class TakenResources {
	readonly #root: number;
	readonly #folder: string;
	readonly #timer: NodeJS.Timeout;
	readonly #found = new Set<string>();

	/** `folder`: where the temporary folders of commands lie. */
	constructor(root: number, folder: string) {
		this.#root = root;
		this.#folder = folder;
		this.#timer = setInterval(() => this.#look(), EVERY_MS);
	}

	end(): string[] {
		clearInterval(this.#timer);
		return [...this.#found];
	}

	#look(): void {
		const pids = processTree(this.#root).map(({ pid }) => pid);
		if (pids.length > PROCESSES) this.#found.add(`ran more than ${PROCESSES} processes`);
		if (sum(pids.map(memoryOf)) > MEMORY_BYTES) this.#found.add('took more than 8 GB of memory');
		if (sizeOf(this.#folder, 5) > DISK_BYTES) this.#found.add('took more than 5 GB of disk');
	}
}

/** What it shares with nobody, and its share of files in memory. */
function memoryOf(pid: number): number {
	try {
		const [, resident = '0', shared = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
		return (Number(resident) - Number(shared)) * PAGE_BYTES;
	} catch {
		// It has ended.
		return 0;
	}
}

function sizeOf(folder: string, depth: number): number {
	if (depth === 0 || !existsSync(folder)) return 0;
	try {
		return sum(
			readdirSync(folder, { withFileTypes: true }).map((entry) => {
				const path = join(folder, entry.name);
				return entry.isDirectory() ? sizeOf(path, depth - 1) : entry.isFile() ? statSync(path).size : 0;
			}),
		);
	} catch {
		// It was removed while it was looked at.
		return 0;
	}
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}
