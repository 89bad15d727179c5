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
