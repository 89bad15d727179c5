/** Limits of git. */

export const GIT_TIMEOUT_MS = 25_000;
export const STATUS_FILES = 2000;
/** Read of one git command; a diff is cut there. */
export const GIT_OUTPUT_BYTES = 400_000;
export const GIT_ERROR_BYTES = 4000;
/** Repositories that are looked into below a folder. */
export const NESTED_REPOSITORIES = 64;
/** Read of the names of all files in an index, among which submodules are looked for. */
export const GIT_INDEX_LIST_BYTES = 33_554_432;
/** Folders in which repositories are looked for where the workspace itself has none. */
export const SUBFOLDERS_LOOKED_AT = 200;

/** Maximum size of a repository's own configuration, which is searched before Git reads without a question. */
export const MAX_CONFIG_BYTES = 65_536;
/** Maximum size of a repository's index, which is searched for submodules. */
export const MAX_GIT_INDEX_BYTES = 33_554_432;
