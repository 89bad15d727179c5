export const RATE_WINDOW_MS = 3_600_000;

/** Characters of a command or text that the risk assessor reads. */
export const MAX_ASSESSED_CHARS = 100_000;

/** Most bytes of a workspace's policy file. */
export const MAX_POLICY_BYTES = 65_536;

/** Most rules of one project that "Always allow in this project" saves, and most projects with such rules. */
export const MAX_PROJECT_RULES = 500;
export const MAX_PROJECTS_WITH_RULES = 10_000;

/** Threads whose level, or whose mode, is kept; of more, the first ones have the usual one again. */
export const MAX_KEPT_THREADS = 10_000;

/** Skills of one thread whose files its agent may read, and turns whose skills allow something beforehand; the latest stay. */
export const MAX_LOADED_PER_THREAD = 50;
export const MAX_LOADED_TURNS = 50;

/** In one list of a workspace's policy. */
export const MAX_POLICY_RULES = 1_000;

/** Open brackets in a workspace's policy. */
export const MAX_POLICY_NESTING = 100;
