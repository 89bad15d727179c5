/** Bounds of memories. Apart from the schemas, because the worker that keeps memories must not carry those. */

/** Longest memory: one thought, not a document. */
export const MEMORY_CHARS = 1_000;
/** Memories that one recall gives at most. */
export const RECALLED_AT_MOST = 5;
