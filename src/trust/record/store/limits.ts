/** Characters of a summary in a row (S0-20), and of an error's text (S0-09). */
export const MAX_SUMMARY_CHARS = 200;
export const MAX_ROW_ERROR_CHARS = 300;
/** Why something was allowed or denied; holds the user's own words. */
export const MAX_DECISION_CHARS = 2_000;

/** Longest wait for another host that is writing. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Rows in one step of `verify` and `export`; appends run in between. */
export const PAGE_ROWS = 2_000;

/** Rows that one step of the search for acts looks at; appends run in between. */
export const ACT_STEP_ROWS = 5_000;

/** Rows that are removed in one step; appends run in between. */
export const PRUNE_ROWS = 5_000;

/** Rows and time after which a host writes an anchor of its chain: what is cut from a chain before that is not found. */
export const ANCHOR_EVERY_ROWS = 500;
export const ANCHOR_EVERY_MS = 60_000;
/** A larger database is not checked whole when it is opened. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/** Longest wait of `close` for the worker to finish its work. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** Packed bytes of images by turn that are kept on the disk, and how many new ones it takes to look whether there are more. */
export const KEPT_BLOB_BYTES = 512 * 1024 * 1024;
export const PRUNE_BLOBS_EVERY_BYTES = 16 * 1024 * 1024;

/** Days for which the changes of an execution outside of any thread can be undone. */
export const EXECUTION_IMAGE_DAYS = 30;
