/** Bounds of the desk. The setting `prowess.approvals.timeoutMinutes` says how long a question waits. */

/** Kept approvals whose question is remembered; the oldest go first. */
export const MAX_ORIGINS = 5_000;

/** Characters of the head of a question that is remembered. */
export const MAX_ORIGIN_TITLE = 1_000;

/** Characters of the end of a trial's output that are shown with its question. */
export const SHOWN_TRIAL_CHARS = 4_000;
