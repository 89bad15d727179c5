/** Types of memories: what is kept of one, and what callers ask for. */
import type { RecalledMemory } from '../../protocol/ops/definitions/agent/memory.ts';

type MemoryState = 'inbox' | 'kept';

export interface Memory extends RecalledMemory {
	/** Key of its project; empty for one of the user. */
	readonly project: string;
	/** `inbox`: it waits for the user's review, and is not recalled. */
	readonly state: MemoryState;
	readonly expiresAt?: string;
	/** Message that it comes from: the turn that it began. Absent: the user wrote it outside of any thread. */
	readonly origin?: { readonly threadId: string; readonly turnId: string | null };
}

export interface NewMemory {
	readonly text: string;
	readonly project: string;
	readonly kind: Memory['kind'];
	readonly state: MemoryState;
	readonly by: Memory['by'];
	readonly origin?: Memory['origin'];
	readonly expiresInDays?: number | undefined;
}

export interface Noted {
	readonly id: string;
	readonly state: MemoryState;
	/** True when the memory existed already, so that no change was made. */
	readonly isKnown: boolean;
}

/** Place of a text as a provider's model gives it, beside our own. */
export interface GivenPlace {
	/** `provider/model`. Places of two models cannot be compared. */
	readonly model: string;
	readonly vector: Int8Array;
}

export interface UnplacedMemory {
	readonly number: number;
	readonly text: string;
}

export interface RecallQuery {
	readonly query: string;
	readonly project: string;
	/** Ids that are left out. */
	readonly told: readonly string[];
	/** Place of the query; absent: our own places count alone. */
	readonly place?: GivenPlace | undefined;
}

export interface MemoryFilter {
	/** Absent: both. */
	readonly state?: MemoryState | undefined;
	/** Project whose memories are listed together with the user's; absent: those of all projects. */
	readonly project?: string | undefined;
	readonly query?: string | undefined;
	/** Place of the query; absent: our own places count alone. */
	readonly place?: GivenPlace | undefined;
}
