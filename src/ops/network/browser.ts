/** The browsers of a host, without what only the first page needs. */
import type { BrowserPages } from './browser-pages.ts';
import type { BrowserParts } from './thread-pages.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

/** None runs before a page is opened. */
export class Browsers {
	readonly #parts: BrowserParts;
	#pages: Promise<BrowserPages> | undefined;

	constructor(parts: BrowserParts) {
		this.#parts = parts;
	}

	load(): Promise<BrowserPages> {
		this.#pages ??= import('./reaching-ops.ts').then(({ BrowserPages }) => new BrowserPages(this.#parts));
		return this.#pages;
	}

	async watch(threadId: ThreadId, signal: AbortSignal) {
		return (await this.#pages)?.watch(threadId, signal);
	}

	/** Ends the browser of a thread. */
	async forget(threadId: ThreadId): Promise<void> {
		await (await this.#pages)?.forget(threadId);
	}

	async close(): Promise<void> {
		await (await this.#pages)?.close();
	}
}
