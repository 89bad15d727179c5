/** Messages between a host and its thread, and the table of calls that both ends compile against. */
import type { ErrorCode, ErrorFacts } from '../../protocol/errors/errors.ts';

/** Calls by their names, each a function of one input. */
export type CallTable<T> = { readonly [N in keyof T]: (input: never) => unknown };
export type CallInput<T extends CallTable<T>, N extends keyof T> = Parameters<T[N]>[0];
export type CallResult<T extends CallTable<T>, N extends keyof T> = ReturnType<T[N]>;

/** Name of the request that ends a thread in good order; no table has a call of this name. */
export const CLOSE = 'close';

/** Request in a batch: a message of its own for each would cost more than most requests do. */
export interface ThreadRequest {
	readonly id: number;
	readonly name: string;
	readonly input: unknown;
}

/** Outcome of one request. The two ends are of one build: what one sends is what the other expects. */
export type ThreadAnswer =
	| { readonly kind: 'result'; readonly id: number; readonly result: unknown }
	| {
			readonly kind: 'error';
			readonly id: number;
			readonly message: string;
			/** Absent: the failure has no code of its own. */
			readonly code?: ErrorCode;
			readonly facts?: ErrorFacts;
	  };

/** Message in a batch from a thread. An event is told without being asked. */
export type ThreadReply = ThreadAnswer | { readonly kind: 'event'; readonly name: string; readonly value: unknown };
