/** Limits of the registry. */
/** Changes on the disk become one scan in so many milliseconds at most. */
export const RESCAN_MS = 1_000;
/** A change seldom comes alone. */
export const SETTLE_MS = 50;
/** Least time between two scans where the system does not tell of changes. */
export const POLL_MS = 10_000;
/** Scanning takes at most one part in so many of the time where it is done again and again. */
export const POLL_SHARE = 50;
/** Folders that the system is asked to watch; beyond them it is looked again and again. */
export const MAX_WATCHED_FOLDERS = 2_000;
/** Items of one root. */
export const MAX_ITEMS = 10_000;
/** Of a root for Agent Skills, which may be sorted into folders. */
export const MAX_SKILL_DEPTH = 6;
export const MAX_SKILL_FOLDERS = 2_000;
/** Folders read at the same time. */
export const SCAN_WIDTH = 8;
/** A file that was written so shortly before it was read may have been written again without a trace. */
export const SETTLED_MS = 2_000;
