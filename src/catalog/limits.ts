/** Limits of the files of a capability: what is found, installed and run is held to the same. */

export const MAX_FILES = 2_000;
export const MAX_FILE_DEPTH = 12;
export const MAX_TOTAL_BYTES = 50 * 1_048_576;
/** Files of a plugin's data that are counted. */
export const DATA_FILES = 10_000;
