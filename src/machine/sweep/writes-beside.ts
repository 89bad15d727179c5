/**
 * Writes of a host itself, beside commands: by the ops of its threads, by undo, by the person in its editor. A look at the
 * files may come between the word of a write and the write: then nobody knows on which side of the look it was.
 */
import { WRITE_MS } from './limits.ts';

export interface WrittenByOthers {
	/** Absolute paths that were written since the look before. */
	readonly wrote: ReadonlySet<string>;
	/** Absolute paths that were written before that look, or since it. */
	readonly mayHave: ReadonlySet<string>;
}

interface Write {
	/** Number of the last look that had begun before it. */
	readonly after: number;
	readonly beganMs: number;
	/** The same at its end; undefined: nobody has said that it is over. */
	readonly until: number | undefined;
}

export class WritesBeside {
	readonly #writes = new Map<string, Write>();
	#looks = 0;

	begin(absolutePath: string): void {
		this.#writes.set(absolutePath, { after: this.#looks, beganMs: Date.now(), until: undefined });
	}

	/** Writes that took long were a command's, into the file: its changes are its own. */
	end(absolutePath: string): void {
		const write = this.#writes.get(absolutePath);
		if (write === undefined) return;
		if (Date.now() - write.beganMs < WRITE_MS) this.#writes.set(absolutePath, { ...write, until: this.#looks });
		else if (write.after < this.#looks - 1) this.#writes.delete(absolutePath);
	}

	/** Returns the number of the look. */
	beginLook(): number {
		return ++this.#looks;
	}

	/**
	 * Returns what was written since the look before that one, which began at `beforeMs`; to be asked when it has ended. A write
	 * during a look may come before or after its file is seen, so it counts for this look and for the next.
	 */
	since(look: number, beforeMs: number): WrittenByOthers {
		const [wrote, mayHave] = [new Set<string>(), new Set<string>()];
		for (const [path, { after, beganMs, until }] of this.#writes) {
			if (after >= look - 1) wrote.add(path);
			else if (until === undefined ? beganMs > beforeMs - WRITE_MS : until >= look - 1) mayHave.add(path);
			else this.#writes.delete(path);
		}
		return { wrote, mayHave };
	}
}
