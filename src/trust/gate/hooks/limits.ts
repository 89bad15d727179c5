/** What a hook may say on either output. */
export const HOOK_OUTPUT_BYTES = 65_536;
/** Of what a hook says, in a message. */
export const HOOK_TEXT_CHARS = 1_000;
/** How long a hook after an op may take; nothing waits for it. */
export const AFTER_HOOK_TIMEOUT_MS = 30_000;
/** Hooks after ops that run at once, and that wait for their turn; more are left out, and that is logged. */
export const AFTER_HOOKS_AT_ONCE = 4;
export const AFTER_HOOKS_WAITING = 1_000;
/** How long the end of a host waits for hooks to hear of the last ops. */
export const HOOKS_CLOSE_MS = 1_500;
/** Files of hooks in one folder, programs that those of one file run, and bytes of one program. */
export const HOOK_FILES = 50;
export const HOOK_PROGRAMS = 200;
export const HOOK_PROGRAM_BYTES = 4_000_000;
/** Files and folders of a plugin, and bytes of all its files together: as many as one may have when it is installed. */
export const PLUGIN_FILES = 2_000;
export const PLUGIN_BYTES = 50 * 1_048_576;
/** Bytes of a file of hooks. */
export const HOOK_FILE_BYTES = 256 * 1024;
/** Files of hooks that the user has agreed to. */
export const KEPT_HOOK_FILES = 500;
/** How long a hook of another agent may take where its entry does not say; the most that an entry may say is what all hooks before an op may take. */
export const FOREIGN_HOOK_SECONDS = 30;
/** Of what a hook tells the agent. */
export const HOOK_CONTEXT_CHARS = 10_000;
