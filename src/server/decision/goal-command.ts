/** `/goal <condition>` at the beginning of a message: work until the condition, which follows, holds. */
export const GOAL_COMMAND = /^\/goal\s+(?=\S)/i;
