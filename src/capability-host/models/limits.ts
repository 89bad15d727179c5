/** What one request of a capability to a model may take, when it does not say. Its execution's budget is above them. */
import { SUB_TURN_LIMIT_MS } from '../../protocol/ops/agent.ts';

export const subTurnDefaults = { iterations: 25, tokens: 200_000, timeMs: SUB_TURN_LIMIT_MS } as const;
/** Reserved for an answer whose length is not limited. */
export const ANSWER_TOKENS = 8_192;
/** Characters that a token stands for when a request is counted before it is made; below what is usual, to be safe. */
export const CHARS_PER_TOKEN = 3;
