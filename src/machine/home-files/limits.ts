/** For another change, such as an installation, to end. */
export const LOCK_WAIT_MS = 180_000;
export const LOCK_POLL_MS = 50;
/** What a workspace remembers, after it was set the last time: a year. */
export const MEMORY_KEPT_MS = 365 * 24 * 60 * 60 * 1000;
