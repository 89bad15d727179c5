/** A page with measure-entry.ts in it, as its specs and the bench use it. */
import type { Page } from 'playwright-core';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import type { Bench } from './measure-entry.ts';

export type InPage = { readonly bench: Bench };

/** Opens a thread of these items in it, the `newest` of them at first. `isPlain`: all that it holds is drawn. */
export function openThread(
	page: Page,
	items: ThreadItem[],
	newest: number,
	isPlain: boolean,
): ReturnType<Bench['open']> {
	return page.evaluate(([all, count, plain]) => (globalThis as unknown as InPage).bench.open(all, count, plain), [
		items,
		newest,
		isPlain,
	] as const);
}
