/** What is kept of a memory, and what is asked about them. */
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
	/** It was there already, and nothing was changed. */
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

export interface Recall {
	readonly query: string;
	readonly project: string;
	/** Ids that are left out. */
	readonly told: readonly string[];
	/** Of the query; absent: our own places count alone. */
	readonly place?: GivenPlace | undefined;
}

export interface MemoryFilter {
	/** Absent: both. */
	readonly state?: MemoryState | undefined;
	/** Those of the user and of this project; absent: of all projects. */
	readonly project?: string | undefined;
	readonly query?: string | undefined;
	/** Of the query. */
	readonly place?: GivenPlace | undefined;
}
