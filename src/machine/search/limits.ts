/** Limits of searching; both engines keep to the same ones. */

/** Larger files are not searched. */
export const SEARCH_FILE_BYTES = 10 * 1024 * 1024;
/** Length of a file's beginning that identifies most binary files, before the whole file is read. */
export const SEARCH_HEAD_BYTES = 8 * 1024;
/** A matching line is shown up to this length, around its match. */
export const LINE_CHARS = 500;
export const LINE_CHARS_BEFORE_MATCH = 100;
/** Longest token at the edge of a cut line: the cut extends to the end of a token that is no longer than this. */
export const EDGE_CHARS = 1000;
/** Lines of one match that are shown. */
export const MATCH_LINES = 20;
/** Maximum length of a line of ripgrep's own output; a longer line is skipped and the result counts as truncated. */
export const ENGINE_LINE_BYTES = 24 * 1024 * 1024;
export const RIPGREP_PROBE_TIMEOUT_MS = 3000;
export const PATTERN_WILDCARDS = 8;
/** Entries among which ignored files are looked for, where no other matches. */
export const IGNORED_LOOKED_AT = 20_000;
export const IGNORE_FILE_BYTES = 1024 * 1024;
/**
 * Folders whose `.gitignore` is looked at before a search by ripgrep begins, and the time after which all others are, while it
 * has not ended.
 */
export const LOOKED_AT_FOLDERS = 50;
export const UNSTALLED_MS = 250;
export const WORKER_HEAP_MB = 512;
