/** Bounds of the desk. How long a question waits is the setting `prowess.approvals.timeoutMinutes`. */

/** Kept approvals whose question is remembered; the oldest go first. */
export const MAX_ORIGINS = 5_000;

/** Characters of the head of a question that is remembered. */
export const MAX_ORIGIN_TITLE = 1_000;

/** Characters of the end of a trial's output that are shown with its question. */
export const SHOWN_TRIAL_CHARS = 4_000;
