/**
 * Defaults for one request of a capability to a model, when the request sets no limits. The budget of its execution
 * stands above them.
 */
import { SUB_TURN_LIMIT_MS } from '../../protocol/ops/definitions/agent/agent.ts';

export const subTurnDefaults = { iterations: 25, tokens: 200_000, timeMs: SUB_TURN_LIMIT_MS } as const;
/** Reserved for an answer whose length is not limited. */
export const ANSWER_TOKENS = 8_192;
/** Characters that a token stands for when a request is counted before it is made; below what is usual, to be safe. */
const CHARS_PER_TOKEN = 3;

/** Seed 0, S0-16 and S0-18. */
export const SIMULATION_TOKENS = 300;
export const SIMULATED_CONTEXT_CHARS = 500;
export const SIMULATION_KEPT_MS = 5 * 60_000;
/** A long script is told by its beginning. */
export const SIMULATED_PARAMS_CHARS = 2_000;
/** At this limit the answer ends with what came; the broker's own limit is above it. */
export const SIMULATION_MS = 12_000;
export const KEPT_SIMULATIONS = 200;

/** Room for a model that thinks before it says yes or no. */
export const HOOK_ANSWER_TOKENS = 1_000;

/** More of a diff says little more about what it is for. */
export const COMMIT_DIFF_CHARS = 60_000;
export const COMMIT_BEGUN_CHARS = 2_000;
export const COMMIT_TITLES = 10;
export const COMMIT_TITLE_CHARS = 120;
export const COMMIT_MESSAGE_TOKENS = 1_000;
export const COMMIT_MESSAGE_CHARS = 4_000;

/**
 * Limits of an edit of selected lines: characters of those lines, tokens of the model's answer, and characters that it
 * reads on either side.
 */
export const EDIT_CHARS = 60_000;
export const EDIT_TOKENS = 16_000;
export const EDIT_AROUND_CHARS = 8_000;
export const EDIT_INSTRUCTION_CHARS = 4_000;

/**
 * Limits of a question that is asked beside a thread: characters of the question, of the thread's conversation, and of
 * the answer.
 */
export const SIDE_QUESTION_CHARS = 20_000;
export const SIDE_CONVERSATION_CHARS = 60_000;
export const SIDE_ANSWER_CHARS = 20_000;
export const TITLE_WORDS_CHARS = 2_000;
export const THREAD_TITLE_CHARS = 60;
/** Room for a model that thinks before it answers. */
export const TITLE_TOKENS = 1_000;
export const SIDE_ANSWER_TOKENS = 4_000;

/** Longest wait for the list of models before a question names one. */
export const MODEL_LIST_MS = 20_000;

/** Longest time for one question that the host asks for the user. */
export const USER_QUESTION_MS = 120_000;

/** Most characters of a text that is sent for its embedding. */
export const EMBEDDED_CHARS = 8_000;

/** Estimates tokens of texts, rather too many than too few. */
export function overestimateTokens(texts: readonly string[]): number {
	return Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / CHARS_PER_TOKEN);
}
