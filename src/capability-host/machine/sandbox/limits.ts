/** Limits of the sandboxes. */

/** For the test of what a sandbox keeps out. */
export const PROBE_TIMEOUT_MS = 10_000;
/** Of an executor's JavaScript heap. */
export const HEAP_MB = 256;
