/** Limits of the process that runs SQL. */

export const SQL_RESULT_CHARS = 4_000_000;
export const SQL_HEAP_MB = 256;
/** Longest wait for another program that writes the same database. */
export const SQL_BUSY_MS = 3_000;
export const ERROR_CHARS = 2_000;
