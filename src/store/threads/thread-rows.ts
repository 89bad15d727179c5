/** Rows as they lie in the tables. JSON columns are text here; what is in them is the server's business. */
export interface ThreadRow {
	readonly id: string;
	readonly title: string;
	readonly model_id: string | null;
	readonly mode: string;
	/** Null: nobody has chosen one. */
	readonly effort: string | null;
	/** Where the user put it in the list, `pinned` or `archived`; null: nowhere. */
	readonly shelf: string | null;
	/** JSON of what makes it a sub-agent; null: it is none. */
	readonly agent: string | null;
	readonly workspace: string | null;
	readonly created_at: string;
	readonly updated_at: string;
	readonly seq: number;
	readonly todos: string;
	readonly usage: string | null;
	/** 1 when the workspace's instructions were given to the model. */
	readonly instructions_read: number;
	/** The turn that runs; null at rest. */
	readonly running_turn: string | null;
	/** Number of turns that can be put back; null: none. */
	readonly set_aside: number | null;
}

export interface TurnRow {
	readonly id: string;
	readonly thread_id: string;
	readonly position: number;
	readonly status: string;
	readonly model_id: string;
	readonly started_at: string;
	readonly ended_at: string | null;
	readonly error: string | null;
	readonly trace: string | null;
}

export interface ItemRow {
	readonly id: string;
	readonly turn_id: string;
	readonly position: number;
	readonly kind: string;
	readonly op_id: string | null;
	readonly call_id: string | null;
	readonly in_history: number;
	readonly body: string;
}

export interface MessageRow {
	readonly position: number;
	readonly turn_id: string;
	readonly body: string;
}

/** Cut of a thread: the model reads `body` in place of all messages before `kept_from`. */
export interface CompactionRow {
	readonly kept_from: number;
	readonly body: string;
}

/** Holder of a thread; null: nobody. */
export interface LeaseRow {
	readonly lease_owner: string | null;
	readonly lease_token: number;
	readonly lease_expires: number;
}
