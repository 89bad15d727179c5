/** Limits of searching; both engines keep to the same ones. */

/** Larger files are not searched. */
export const SEARCH_FILE_BYTES = 10 * 1024 * 1024;
/** As much of a file tells most binary ones, before all of it is read. */
export const SEARCH_HEAD_BYTES = 8 * 1024;
/** A matching line is shown up to this length, around its match. */
export const LINE_CHARS = 500;
export const LINE_CHARS_BEFORE_MATCH = 100;
/** What is cut from a line begins and ends with a token, if that is no longer. */
export const EDGE_CHARS = 1000;
/** Lines of one match that are shown. */
export const MATCH_LINES = 20;
/** One line of ripgrep's own output; a longer one is skipped and the result counts as truncated. */
export const ENGINE_LINE_BYTES = 24 * 1024 * 1024;
export const PROBE_TIMEOUT_MS = 3000;
export const PATTERN_WILDCARDS = 8;
export const IGNORE_FILE_BYTES = 1024 * 1024;
export const WORKER_HEAP_MB = 512;
