/** For another change, such as an installation, to end. */
export const LOCK_WAIT_MS = 180_000;
export const LOCK_POLL_MS = 50;
/** Time for which the memory of a workspace is kept after it was last set: a year. */
export const MEMORY_KEPT_MS = 365 * 24 * 60 * 60 * 1000;
