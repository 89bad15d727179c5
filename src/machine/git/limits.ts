/** Limits of git. */

export const GIT_TIMEOUT_MS = 25_000;
export const STATUS_FILES = 2000;
/** Read of one git command; a diff is cut there. */
export const GIT_OUTPUT_BYTES = 400_000;
export const GIT_ERROR_BYTES = 4000;

/** Maximum size of a repository's own configuration, which is searched before Git reads without a question. */
export const MAX_CONFIG_BYTES = 65_536;
/** Maximum size of a repository's index, which is searched for submodules. */
export const MAX_GIT_INDEX_BYTES = 33_554_432;
