/** Most bytes that a hook may write to each of its two outputs. */
export const HOOK_OUTPUT_BYTES = 65_536;
/** Most characters of a hook's output in a message. */
export const HOOK_TEXT_CHARS = 1_000;
/** Time limit of a hook after an op; nothing waits for it. */
export const AFTER_HOOK_TIMEOUT_MS = 30_000;
/** Hooks after ops that run at once, and that wait for their turn; more are left out, and that is logged. */
export const AFTER_HOOKS_AT_ONCE = 4;
export const AFTER_HOOKS_WAITING = 1_000;
/** Longest wait at the end of a host for hooks to hear of the last ops. */
export const HOOKS_CLOSE_MS = 1_500;
/** Files of hooks in one folder, programs that those of one file run, and bytes of one program. */
export const MAX_HOOK_FILES = 50;
export const HOOK_PROGRAMS = 200;
export const HOOK_PROGRAM_BYTES = 4_000_000;
/** Largest program, and largest manifest, whose text is read for the programs that it names. */
export const FOLLOWED_PROGRAM_BYTES = 262_144;
/** Files and folders of a plugin, and bytes of all its files together: as many as one may have when it is installed. */
export const MAX_PLUGIN_HOOK_FILES = 2_000;
export const PLUGIN_BYTES = 50 * 1_048_576;
/** Bytes of a file of hooks. */
export const HOOK_FILE_BYTES = 256 * 1024;
/** Files of hooks that the user has agreed to. */
export const KEPT_HOOK_FILES = 500;
/**
 * Time limit of a hook of another agent whose entry sets none. An entry may set at most the time limit of all hooks
 * before an op.
 */
export const FOREIGN_HOOK_SECONDS = 30;
/** Longest time limit that the entry of such a hook may set. */
export const FOREIGN_HOOK_MOST_SECONDS = 3_600;
/** Most characters of the text that a hook adds for the agent. */
export const HOOK_CONTEXT_CHARS = 10_000;

/** Longest that the regular expression of a matcher may take on what an agent does; then its hook is asked. */
export const MATCHER_BUDGET_MS = 250;
