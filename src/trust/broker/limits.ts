/** Longest wait for the end of a stopped effect before its outcome is given without it; a stop must work within 3 s. */
export const EFFECT_STOP_GRACE_MS = 2_950;

/** Longest wait of `close` for the ops that it has cancelled. */
export const CLOSE_GRACE_MS = 3_200;

/** Time limit of the simulation, which is advice only. */
export const SIMULATION_TIMEOUT_MS = 15_000;

/** Time limit of the hooks before an op; no answer is a no. */
export const HOOK_TIMEOUT_MS = 30_000;

/** Outcomes kept whole in memory, for a server that asks again. */
export const MAX_SETTLED_OUTCOMES = 200;

/** Most items of a thread read for the context of an execution: more than its messages can be. */
export const THREAD_ITEMS_READ = 400;
