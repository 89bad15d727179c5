/**
 * Calls from the host to the worker that owns the memories, and their results. Both ends compile against this table.
 */
import type { ErrorCode } from '../../protocol/errors.ts';
import type { RecalledMemory } from '../../protocol/ops/definitions/agent/memory.ts';
import type { Memory, MemoryFilter, NewMemory, Noted, RecallQuery, UnplacedMemory } from './memory.ts';

interface MemoryCalls {
	note(memory: NewMemory): Noted;
	accept(id: string): Memory | undefined;
	forget(id: string): Memory | undefined;
	get(id: string): Memory | undefined;
	list(filter: MemoryFilter): Memory[];
	recall(recall: RecallQuery): RecalledMemory[];
	unplaced(asked: { readonly model: string; readonly count: number }): UnplacedMemory[];
	placed(given: {
		readonly model: string;
		readonly places: readonly { readonly number: number; readonly vector: Int8Array }[];
	}): void;
	close(nothing: null): void;
}

export type MemoryCall = keyof MemoryCalls;
export type MemoryCallInput<N extends MemoryCall> = Parameters<MemoryCalls[N]>[0];
export type MemoryCallResult<N extends MemoryCall> = ReturnType<MemoryCalls[N]>;

export interface MemoryRequest {
	readonly id: number;
	readonly name: MemoryCall;
	readonly input: unknown;
}

export type MemoryReply =
	| { readonly kind: 'result'; readonly id: number; readonly result: unknown }
	| {
			readonly kind: 'error';
			readonly id: number;
			readonly message: string;
			/** Absent: the store itself failed. */
			readonly code?: ErrorCode;
			readonly facts?: Readonly<Record<string, unknown>>;
	  }
	/** The file was damaged and lies there now. */
	| { readonly kind: 'putAside'; readonly path: string };

export interface MemoryWorkerStart {
	/** File of the memories, absolute. */
	readonly path: string;
}
