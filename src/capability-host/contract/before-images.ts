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
	/** Records what our own write left (undefined: removed), so that later changes by others are noticed. */
	written(change: { readonly caller: Caller; readonly absolutePath: string; readonly after: string | undefined }): void;
}
