/** Limits of the registry. */
/** So many take longer to be looked at than a first request may wait. */
export const MANY_ITEMS = 200;
/** Longest time for which the readings of the process before serve a first request. */
export const REMEMBERED_MS = 5_000;
/** Changes on the disk become one scan in so many milliseconds at most. */
export const RESCAN_MS = 1_000;
/** A change seldom comes alone. */
export const WATCH_SETTLE_MS = 50;
/** Where the system does not tell of changes, it is looked again and again. */
export interface WatchLimits {
	/** Folders that the system is asked to watch. */
	readonly folders: number;
	/** Least time between two looks at folders that are not watched. */
	readonly pollMs: number;
	/** Looking takes at most one part in so many of the time. */
	readonly pollShare: number;
}
export const watchLimits: WatchLimits = { folders: 2_000, pollMs: 10_000, pollShare: 50 };
/** Places that one item is said to take the place of: ten thousand of one name would have fifty million. */
export const MAX_OVERRIDES = 100;
/** Work that the loop of the process waits for before it turns. */
export const PIECE_MS = 10;
/** Items of one root. */
export const MAX_ITEMS = 10_000;
/** Deepest level of folders below a root for Agent Skills, which may be sorted into folders. */
export const MAX_SKILL_DEPTH = 6;
export const MAX_SKILL_FOLDERS = 20_000;
/** Folders read at the same time. */
export const SCAN_WIDTH = 8;
/** Folders whose files are read before the first of them is taken apart. */
export const READ_AHEAD = 64;
/** A file that was written so shortly before it was read may have been written again without a trace. */
export const STAMP_SETTLED_MS = 2_000;
/** Most characters of readings kept for the next process; with more, each process reads all of them again. */
export const MAX_KEPT_READING_CHARS = 16_000_000;
/** Workspaces of which an offer is kept, and the most of one. */
export const MAX_KEPT_OFFERS = 8;
export const MAX_KEPT_OFFER_BYTES = 32_000_000;
/** Capabilities of a kept offer that are read again because they changed; with more, all are looked at. */
export const MAX_READ_AGAIN = 16;
/** Threads of a process that are told of capabilities which came after their beginning. */
export const MAX_FOLLOWED_THREADS = 1_000;
/** Uses of capabilities in one project, the latest; a project without any for a year is forgotten. */
export const MAX_USED_CAPABILITIES = 200;
export const USES_KEPT_MS = 365 * 24 * 60 * 60 * 1000;
/**
 * Longest wait of the first message of a process in a continued thread, to learn of capabilities that came meanwhile.
 */
export const LOOK_FOR_NEWCOMERS_MS = 1_000;
/** Names of capabilities that were offered in one project, and the most of their file; a project not looked at for a year is forgotten. */
export const MAX_SEEN_CAPABILITIES = 20_000;
export const MAX_SEEN_FILE_BYTES = 8_000_000;
export const SEEN_KEPT_MS = 365 * 24 * 60 * 60 * 1000;
/** After a month a use counts half. */
export const HALF_USED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
/** Delay after a scan before its readings are kept, so that the request that caused the scan goes first. */
export const KEEP_AFTER_MS = 1_000;
/** A look at one file that took longer says that the disk is slow; so many of the next ones are waited for. */
export const SLOW_LOOK_MS = 2;
export const LOOKS_WAITED_FOR = 64;
