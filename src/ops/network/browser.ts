/** The ops of browsers, without what only the first page needs. */
import type { BrowserOp, BrowserPages, BrowserParts } from './browser-pages.ts';
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

/** The browsers of a host: none runs before a page is opened. */
export class Browsers {
	readonly #parts: BrowserParts;
	#pages: Promise<BrowserPages> | undefined;

	constructor(parts: BrowserParts) {
		this.#parts = parts;
	}

	load(): Promise<BrowserPages> {
		this.#pages ??= import('./browser-pages.ts').then(({ BrowserPages }) => new BrowserPages(this.#parts));
		return this.#pages;
	}

	/** Ends the browser of a thread. */
	async forget(threadId: ThreadId): Promise<void> {
		await (await this.#pages)?.forget(threadId);
	}

	async close(): Promise<void> {
		await (await this.#pages)?.close();
	}
}

export function browserOps({
	browsers,
}: {
	readonly browsers: Pick<Browsers, 'load'>;
}): Pick<OpImplementations, BrowserOp> {
	const late = <N extends BrowserOp>(op: N): OpImplementation<N> => ({
		prepare: async (params, context) => (await browsers.load()).ops[op].prepare(params, context),
	});
	return {
		'browser.open': late('browser.open'),
		'browser.look': late('browser.look'),
		'browser.act': late('browser.act'),
	};
}
