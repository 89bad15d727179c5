/** Bounds of sub-turns. The host says how much of models a sub-turn may use. */

/** Tool calls that its summary names. */
export const MAX_TOOL_CALLS = 200;
/** Answers again after one that is not what the schema asks for. */
export const CORRECTIONS = 1;
/** Problems of such an answer that the model is told. */
export const MAX_OUTPUT_PROBLEMS = 10;

/** Characters of results that are kept to be read on, all together. */
export const MAX_RESULTS_CHARS = 8_000_000;
