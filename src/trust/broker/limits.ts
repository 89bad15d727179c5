/** How long an effect that was stopped may take to end before its outcome is given without it; stop works within 3 s. */
export const STOP_GRACE_MS = 2_950;

/** How long `close` waits for what it has cancelled. */
export const CLOSE_GRACE_MS = 3_200;

/** How long the simulation may take; it is advice only. */
export const SIMULATION_TIMEOUT_MS = 15_000;

/** How long the hooks before an op may take; no answer is a no. */
export const HOOK_TIMEOUT_MS = 30_000;

/** Outcomes kept whole in memory, for a server that asks again. */
export const MAX_SETTLED_OUTCOMES = 200;

/** Of a thread, for the context of an execution: more than its messages can be. */
export const THREAD_ITEMS_READ = 400;
