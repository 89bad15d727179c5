/** Limits of the ops. */

/** Most lines, and most characters, of one page of `fs.read`. */
export const PAGE_LINES = 2000;
export const PAGE_CHARS = 200_000;
/** Characters of a file above the limit of texts that are read to count its lines, once the page is found. */
export const COUNTED_CHARS = 256 * 1024 * 1024;
/** Lines of one output of a notebook's cell; the file has all of them. */
export const NOTEBOOK_OUTPUT_LINES = 60;
/** In what the agent is told of where it works: names at the top, and how long Git may take. */
export const TOP_NAMES = 60;
export const ENVIRONMENT_GIT_MS = 1500;
/** The patch in a result; what is shown for approval is whole. */
export const PATCH_CHARS = 100_000;
/** The patch of what the user or a formatter on save changed further: a model reads it with the result. */
export const FURTHER_PATCH_CHARS = 8000;
/** After this long a diff is given as one block instead of its smallest form. */
export const FILE_DIFF_TIMEOUT_MS = 1000;
/** Lines looked at for "the closest line is". */
export const CLOSEST_LINES = 20_000;
export const NAMED_LINES = 10;
/** Texts of files that are remembered as known to a model; of those beyond, it has to read the file again. */
export const SEEN_TEXTS = 10_000;
/** A longer line stands for no text that is left out. */
export const MARK_LINE_CHARS = 160;
/** Names that the wildcards of one op look at, and words that one of them becomes at most. */
export const NAMES_OF_PATTERNS = 50_000;
export const MATCHES_OF_PATTERN = 1_000;

/** Files changed by a command that its result names. */
export const CHANGES_LISTED = 20;

/** Longest wait for the last look at what an ended command in the background changed, when its output is read. */
export const LOOK_AFTER_END_MS = 5_000;

/** Commands in the background whose changes nobody has read. */
export const UNREAD_CHANGES = 100;

/** Longest time of a command that is tried on a copy of the workspace, the copying included. */
export const TRIAL_MS = 120_000;

/** For the files of a change in several to get their texts back, where a later one cannot be written. */
export const TAKE_BACK_MS = 10_000;
