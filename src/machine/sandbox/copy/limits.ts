/** Limits of the copy that a command is tried on. */

/** Files and folders that are copied; with more, nothing is tried. */
export const COPIED_ENTRIES = 60_000;
/** Maximum size of all copied files, where the disk cannot share the content of two files. */
export const COPIED_BYTES = 1024 * 1024 * 1024;
/** Maximum size to which the copy may grow; a command that makes it larger is ended. */
export const TRIED_BYTES = 2 * 1024 * 1024 * 1024;
/** Files of one folder that are copied side by side. */
export const COPIED_FILES_AT_ONCE = 8;
/** Longest time for making the copy. */
export const COPY_MS = 60_000;
/** Changes that can be kept; with more, the command has to run in the workspace. */
export const KEPT_COPY_CHANGES = 2_000;
/** Size of a file that can be kept. */
export const KEPT_FILE_BYTES = 64 * 1024 * 1024;
/** Files and folders of the copy that are looked at when the command has ended; with more, the trial fails. */
export const TRIED_ENTRIES = 100_000;
