/** Limits of commands. */

/** Between asking a command to end and ending it. */
export const COMMAND_STOP_GRACE_MS = 2000;
/** For the system to report the end after a kill. */
export const COMMAND_KILL_WAIT_MS = 700;
/** After a command's end, for output that is still in its pipes; a grandchild may hold them open for ever. */
export const OUTPUT_DRAIN_MS = 200;
/** Pipes that are made at once, each for one stream of a program; those not yet taken stay open. A shell has names for 7. */
export const PIPES_MADE = 7;
/** For the system to make them; afterwards sockets take their place. */
export const PIPES_MADE_MS = 5_000;
/** Kept of each command's unread output: this much of its beginning and this much of its end. */
export const KEPT_HEAD_CHARS = 60_000;
export const KEPT_TAIL_CHARS = 60_000;
/**
 * Maximum cost, at the beginning and at the end, of letting the part left out in the middle begin and end with a line.
 */
export const CUT_LINE_CHARS = 4096;
/** Streamed while it runs; the result holds head and tail whatever was streamed. */
export const LIVE_CHARS = 200_000;
/** Kept of a run's output for a user who begins to follow it. */
export const FOLLOWED_CHARS = 100_000;
/** Kept before that where more came, so that no secret is shown from its middle: more than redaction holds back. */
export const LEAD_CHARS = 100_000;
/** Lines of the screen on which a program redraws its output: its cursor reaches no further back. */
export const SCREEN_ROWS = 60;
/** A longer line is given on in pieces, and not redrawn. */
export const ROW_CHARS = 4_000;
/** An escape sequence that runs longer than this is not one. */
export const SEQUENCE_CHARS = 8192;
export const BACKGROUND_PER_THREAD = 16;
/** Ended background commands whose output can still be read. */
export const ENDED_COMMANDS_KEPT = 50;
