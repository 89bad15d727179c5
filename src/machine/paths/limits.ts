/** Limits of the path service. */

export const PATH_CHARS = 4096;
/** A file that `fs.write` may create (5,000,000 characters) must be readable again, whatever its characters. */
export const TEXT_FILE_BYTES = 20 * 1024 * 1024;
/** Bytes held at a time of a larger file. The number is even, so that no unit of UTF-16 is split. */
export const PIECE_BYTES = 1024 * 1024;
/** Size of a file of settings, of Git or of another tool in the home, that is read, and number of those that others include. */
export const GIT_SETTINGS_BYTES = 4 * 1024 * 1024;
export const GIT_SETTINGS_FILES = 50;
/** Folders of submodules of one repository, and folders in all that are looked into to find them. */
export const GIT_MODULE_FOLDERS = 5_000;
export const GIT_LOOKED_FOLDERS = 20_000;
/** After which a file of others counts as unreadable: only a disk that has gone takes so long. */
export const FILE_READ_MS = 10_000;
/** Entries of one folder that are given out, and that are looked at. */
export const LIST_ENTRIES = 2000;
export const LIST_SCAN_ENTRIES = 100_000;
/** Waits between tries while the machine is out of descriptors. */
export const STARVED_RETRY_MS: readonly number[] = [20, 80, 320, 1000];
/**
 * Limits of a single op that moves or deletes: everything is looked at, and its text kept, before the op changes
 * anything.
 */
export const TREE_ENTRIES = 2000;
export const TREE_BYTES = 64 * 1024 * 1024;
export const NEAR_NAMES = 5;
