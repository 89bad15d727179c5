/** Limits of the process that runs SQL. */

export const RESULT_CHARS = 4_000_000;
export const HEAP_MB = 256;
/** Longest wait for another program that writes the same database. */
export const BUSY_MS = 3_000;
export const ERROR_CHARS = 2_000;
