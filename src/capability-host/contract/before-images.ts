import type { Caller } from './caller.ts';

/** Keeps the before-image of a file that is about to change, for undo. Resolves when it is durable. */
export interface BeforeImages {
	keep(change: {
		readonly caller: Caller;
		readonly path: string;
		readonly absolutePath: string;
		/** Text before; undefined when the file did not exist. */
		readonly before: string | undefined;
	}): Promise<void>;
	/** What our own write left (undefined: nothing, it was removed), so that later changes of others are noticed. */
	written(change: { readonly caller: Caller; readonly absolutePath: string; readonly after: string | undefined }): void;
}
