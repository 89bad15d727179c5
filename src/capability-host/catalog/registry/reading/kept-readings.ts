/**
 * What manifests said, for the next process: to parse a few of them in code that runs for the first time takes a twelfth of
 * the processor time of a short command. The file is a memory and no authority: a manifest is taken from it only while its own
 * file looks as it did, and what is about to run is read and hashed anew.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { MAX_KEPT_READING_CHARS } from '../limits.ts';
import type { KnownReading, ScanMemory } from './scan.ts';

interface KeptReadingsDeps {
	readonly home: string;
	/** Changes with the program that reads, because another one may read otherwise. Undefined: nothing is kept. */
	programStamp(): Promise<string | undefined>;
}

export class KeptReadings {
	readonly #deps: KeptReadingsDeps;
	readonly #path: string;
	/** Of the file, as far as this process knows. */
	#firstLine: string | undefined;
	#written: Promise<void> = Promise.resolve();

	constructor(deps: KeptReadingsDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, 'manifests.json');
	}

	/** Empty when there is none, or it is damaged or of another program. Never rejects. */
	async load(): Promise<ScanMemory> {
		try {
			const text = (await readIfThere(this.#path)) ?? '';
			const end = text.indexOf('\n');
			const body = text.slice(end + 1);
			const firstLine = await this.#firstLineFor(body);
			if (end < 0 || text.slice(0, end) !== firstLine) {
				return new Map();
			}
			this.#firstLine = firstLine;
			return new Map(JSON.parse(body) as [string, KnownReading][]);
		} catch {
			return new Map();
		}
	}

	/** Replaces what was kept if it differs. Without it, the next process only reads the manifests again. */
	keep(memory: ScanMemory): void {
		this.#written = this.#written.then(() => this.#write(memory)).catch(() => undefined);
	}

	/** Resolves when nothing is being written any more. Never rejects. */
	async settled(): Promise<void> {
		await this.#written;
	}

	async #write(memory: ScanMemory): Promise<void> {
		// One that cannot be used says what is wrong with it; that is read each time.
		const usable = [...memory].filter(([, { read }]) => read.manifest !== undefined);
		// They come in the order in which the disk has answered.
		const body = JSON.stringify(usable.sort(([a], [b]) => (a < b ? -1 : 1)));
		const firstLine = await this.#firstLineFor(body);
		if (firstLine === undefined || firstLine === this.#firstLine || body.length > MAX_KEPT_READING_CHARS) {
			return;
		}
		await replaceDurably(this.#path, `${firstLine}\n${body}`);
		this.#firstLine = firstLine;
	}

	/** A digest that tells a file that was cut or damaged, or is of another program. */
	async #firstLineFor(body: string): Promise<string | undefined> {
		const stamp = await this.#deps.programStamp();
		return stamp === undefined ? undefined : createHash('sha256').update(`${stamp}\n${body}`).digest('hex');
	}
}
