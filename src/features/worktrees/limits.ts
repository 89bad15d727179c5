/** Limits of worktrees. */

/** Worktrees of one project; another one is refused, naming those that were not used for longest. */
export const MAX_WORKTREES = 20;
/** A worktree that nothing has worked in for so long is named as stale. */
export const STALE_MS = 14 * 24 * 60 * 60 * 1000;
/** Making one may check out a large repository. */
export const MAKE_TIMEOUT_MS = 600_000;
export const WORKTREE_GIT_MS = 120_000;
/** Read of one Git command: names of files. */
export const WORKTREE_OUTPUT_BYTES = 64_000_000;
/** Names of files that one Git command is given at once, in bytes. */
export const PATHS_AT_ONCE_BYTES = 60_000;
/** Most files, and bytes, of a folder that is copied as a whole or measured. */
export const MAX_WORKTREE_FILES = 300_000;
export const MAX_WORKTREE_BYTES = 8 * 1024 ** 3;
/** Entries whose size is added up for the list; beyond, "at least" is said. */
export const MEASURED_FILES = 200_000;
/** Largest file that is brought home: it is compared in memory. */
export const HOME_FILE_BYTES = 256 * 1024 ** 2;
export const DIFF_BYTES = 4_000_000;
