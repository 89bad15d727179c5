/** For another change, such as an installation, to end. */
export const LOCK_WAIT_MS = 180_000;
export const LOCK_POLL_MS = 50;
