/** Time limit of counting the changed lines of one file; beyond it all lines count as changed. */
export const LINE_DIFF_TIMEOUT_MS = 300;

/** Time limit of undoing one file. */
export const UNDO_TIMEOUT_MS = 30_000;

/** Files that are read at the same time when a restore is planned. */
export const RESTORE_FILES_AT_ONCE = 16;

/** Threads whose changes are offered for undo, the newest. */
export const LISTED_THREADS = 50;

/** Executions whose changes are offered for undo, the newest. */
export const LISTED_EXECUTIONS = 50;

/** Files of a thread that are looked at for changes since it wrote them, the newest, and those of them that it is told of. */
export const FILES_LOOKED_AT = 200;
export const FILES_TOLD = 50;
