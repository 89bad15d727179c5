/** Edits of selected lines, loaded with the first of them. */
import type { InlineEditPorts, InlineEdits } from './inline-edits.ts';

export class LazyInlineEdits {
	readonly #ports: InlineEditPorts;
	#loading: Promise<InlineEdits> | undefined;
	#isDisposed = false;

	constructor(ports: InlineEditPorts) {
		this.#ports = ports;
	}

	/** Resolves with the same at each call. A load that fails is tried again by the next caller. */
	async get(): Promise<InlineEdits> {
		this.#loading ??= this.#load();
		return this.#loading;
	}

	/** Undefined: nothing is proposed. */
	async loaded(): Promise<InlineEdits | undefined> {
		return this.#loading;
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#loading?.then(
			(edits) => edits.dispose(),
			() => undefined,
		);
	}

	async #load(): Promise<InlineEdits> {
		try {
			const { InlineEdits } = await import('./inline-edits.ts');
			const edits = new InlineEdits(this.#ports);
			if (this.#isDisposed) {
				edits.dispose();
			}
			return edits;
		} catch (error) {
			this.#loading = undefined;
			throw error;
		}
	}
}
