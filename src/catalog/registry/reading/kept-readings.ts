/**
 * Keeps the content of manifests and the lists of folders for the next process. Parsing a few manifests in code that
 * runs for the first time takes a twelfth of the processor time of a short command, and thousands of them take seconds.
 * The file is a memory and no authority: an entry counts only while the file or folder itself looks as it did, and
 * anything about to run is read and hashed anew.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { KEEP_AFTER_MS, MAX_KEPT_READING_CHARS } from '../limits.ts';
import { Later } from '../watch/later.ts';
import { ScanMemory } from './scan-memory.ts';
import { restoreScanMemory, type WrittenMemory, serializeScanMemory } from './written-memory.ts';

interface KeptReadingsDeps {
	readonly home: string;
	/** Changes with the program that reads, because another one may read otherwise. Undefined: nothing is kept. */
	programStamp(): Promise<string | undefined>;
	/** Called when the readings are too large to be kept, so that each process reads all of them anew. */
	onTooMuch?(chars: number, limit: number): void;
}

export class KeptReadings {
	readonly #deps: KeptReadingsDeps;
	readonly #path: string;
	/** First line of the file, as far as this process knows. */
	#firstLine: string | undefined;
	readonly #writing = new Later<ScanMemory>(KEEP_AFTER_MS, (memory) => this.#write(memory));

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
				return new ScanMemory();
			}
			this.#firstLine = firstLine;
			return restoreScanMemory(JSON.parse(body) as WrittenMemory);
		} catch {
			return new ScanMemory();
		}
	}

	/** Replaces what was kept if it differs, in a while. Without it, the next process only reads the manifests again. */
	keep(memory: ScanMemory): void {
		this.#writing.wish(memory);
	}

	/** Resolves when nothing is to be written any more. Never rejects. */
	async settled(): Promise<void> {
		await this.#writing.settled();
	}

	async #write(memory: ScanMemory): Promise<void> {
		const body = JSON.stringify(serializeScanMemory(memory));
		if (body.length > MAX_KEPT_READING_CHARS) {
			this.#deps.onTooMuch?.(body.length, MAX_KEPT_READING_CHARS);
			return;
		}
		const firstLine = await this.#firstLineFor(body);
		if (firstLine === undefined || firstLine === this.#firstLine) {
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
