/**
 * Limits of the marketplace. The limits of a capability's files (count, depth, bytes) are in `catalog/limits.ts`, so
 * that whatever is installed can also be run.
 */

/** A key that signs an index, as a file. */
export const MAX_KEY_BYTES = 65_536;
export const MAX_ARCHIVE_BYTES = 20 * 1_048_576;
export const MAX_INDEX_FILE_BYTES = 5 * 1_048_576;
/** Most bytes of one plugin file that names the plugin's skills. */
export const MAX_PLUGIN_FILE_BYTES = 1_048_576;
/** Most times its packed size that one entry over `RATIO_FROM_BYTES` may unpack to. */
export const MAX_RATIO = 100;
export const RATIO_FROM_BYTES = 1_048_576;
export const MAX_SEGMENT_BYTES = 200;
/** A whole download, redirects included. */
export const DOWNLOAD_TIMEOUT_MS = 120_000;
/** All of one index, its repository included. */
export const INDEX_TIMEOUT_MS = 60_000;
/** Time for which an index that was read stays fresh. */
export const INDEX_FRESH_MS = 300_000;
export const MAX_DOWNLOAD_REDIRECTS = 5;
/** Most bytes that a repository may take on the disk; checked every `REPOSITORY_POLL_MS` while it is fetched. */
export const MAX_REPOSITORY_BYTES = 100 * 1_048_576;
export const REPOSITORY_POLL_MS = 200;
/** Skills of one index in a plugin's form. */
export const MAX_PLUGIN_SKILLS = 1_000;
/** Folders in folders in which skills of an index without a file that names them are looked for. */
export const MAX_INDEX_DEPTH = 8;
/** Names of files that are looked through for those of one plugin. */
export const MAX_PLUGIN_TREE_FILES = 50_000;
export const MAX_README_CHARS = 200_000;
export const MAX_LOCK_FILE_BYTES = 16 * 1_048_576;
