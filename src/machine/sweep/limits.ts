/** Files of a workspace folder, `node_modules` with them, up to which sweeps look at it at all. */
export const SWEPT_FILES = 50_000;

/** Time for which a folder counts as too large without being counted again. */
export const RECOUNT_HOURS = 24;

/** A larger file is looked at, and what it held is not kept. */
export const SWEPT_FILE_BYTES = 2 * 1024 * 1024;

/** Longest time for which a sweep before a command reads changed files; the rest is read before the next command. */
export const READING_MS = 4_000;

/** Files changed by one command of which what they held is kept; with more, none is. */
export const KEPT_SWEPT_CHANGES = 2_000;

/** A file that changed so shortly before it was looked at may have changed again since, within the clock of its disk. */
export const UNSETTLED_MS = 50;

/** Longest wait of a host for a sweep. */
export const SWEEP_MS = 30_000;

/** Longest wait of a sweep for another host that sweeps the same folder. */
export const SWEEP_BUSY_MS = 5_000;

/** Number of days for which the copy of a folder is kept after the last command in it. */
export const UNUSED_COPY_DAYS = 30;

/** Longest time for which a command in the background is watched: later changes are more likely the work of others. */
export const FOLLOWED_MS = 10 * 60_000;

/** Longest wait of a closing host for the last looks. */
export const CLOSING_MS = 3_000;

/**
 * Longest time in which the processes of a command may have run between two looks for what changed to count as its own. The
 * system does not tell who wrote a file, so the longer they run, the likelier it was somebody else; what changed then is
 * listed apart.
 */
export const SHOWN_MS = 3_000;

/** Longest time from the word that a host is about to write a file to that write, where the host does not say that it is over. */
export const WRITE_MS = 2_000;

/** Steps of the clock that the disk stamps files with; none is longer. */
export const STAMP_STEP_MS = 20;

/** A longer journal is begun anew when no command runs. */
export const JOURNAL_BYTES = 128 * 1024;
