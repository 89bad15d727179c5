/** Calls to the worker that owns the memories of a host, and the host's end of it. */
import { ThreadCalls } from '../../machine/threads/thread-calls.ts';
import { workerThread } from '../../machine/threads/worker-thread.ts';
import type { RecalledMemory } from '../../protocol/ops/definitions/agent/memory.ts';
import { memoryLimits } from './limits.ts';
import type { Memory, MemoryFilter, NewMemory, Noted, RecallQuery, UnplacedMemory } from './memory.ts';

export interface MemoryCalls {
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
}

export interface MemoryEvents {
	/** Path at which the file of memories lies now, because it was damaged. */
	readonly putAside: string;
}

export interface MemoryWorkerStart {
	/** File of the memories, absolute. */
	readonly path: string;
}

const MEMORY_WORKER = 'the memory worker';

export class MemoryWorker extends ThreadCalls<MemoryCalls, MemoryEvents> {
	constructor(script: URL, start: MemoryWorkerStart, onPutAside: (path: string) => void) {
		super(workerThread({ script, what: MEMORY_WORKER, name: 'prowess-memory', data: start }), {
			what: MEMORY_WORKER,
			failsWith: 'STORE_UNAVAILABLE',
			closeMs: memoryLimits.closeMs,
			on: { putAside: onPutAside },
		});
	}
}
