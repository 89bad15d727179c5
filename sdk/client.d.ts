/** Client of `prowess rpc`: drives Prowess from a program. docs/rpc.md has an example. */
import type {
	Approval,
	ApprovalAnswer,
	DeskQuestion,
	Notifications,
	Requests,
	ThreadEvent,
	ThreadInfo,
	ThreadSnapshot,
} from './rpc.js';

export type * from './rpc.js';

export type Method = keyof Requests;
export type Params<M extends Method> = Requests[M]['params'];
export type Result<M extends Method> = Requests[M]['result'];

export interface ConnectOptions {
	/** The program. Default: `prowess`, as PATH has it. */
	readonly command?: string;
	/** Words before `rpc`, for a command that starts another program. */
	readonly args?: readonly string[];
	/** Options of `prowess rpc`, such as `--level edit`. */
	readonly options?: readonly string[];
	/** Folder that threads work in. It must be trusted: `prowess capability list --trust` trusts one. Default: the current folder. */
	readonly folder?: string;
	/** Default: that of this process. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Who you are, for people who read about it. */
	readonly client?: { readonly name: string; readonly version?: string };
	/** Hears what Prowess prints on standard error. */
	readonly onLog?: (text: string) => void;
}

/** With what a call rejects that was refused, or failed. */
export declare class RpcFailure extends Error {
	/** As `THREAD_NOT_FOUND` or `ACCESS_DENIED`: check this, not the message. */
	readonly code: string;
	/** The message for a log. */
	readonly detail: string;
	readonly facts: Readonly<Record<string, unknown>>;
}

/** Yielded instead of events that were left out because the program read too slowly. */
export interface Missed {
	readonly type: 'missed';
	/** The thread as it is now. */
	readonly snapshot: ThreadSnapshot;
}

export interface CallOptions {
	readonly signal?: AbortSignal;
}

export interface Prowess {
	/** What Prowess said of itself. */
	readonly host: Result<'rpc/hello'>;
	/** Rejects with an RpcFailure, or with the reason of `signal`, which cancels the request. */
	call<M extends Method>(method: M, params?: Params<M>, options?: CallOptions): Promise<Result<M>>;
	/** Hears what is told without being asked, and `closed` when Prowess has ended. Returns what ends it. */
	on<N extends keyof Notifications>(method: N, listener: (params: Notifications[N]) => void): () => void;
	on(method: 'closed', listener: () => void): () => void;
	/** Begins a thread. */
	begin(wish?: Params<'thread/create'>): Promise<ThreadInfo>;
	/**
	 * Sends a message and yields the events of its thread up to the end of its turn, which is the last. Aborting `signal` stops
	 * the turn, whose end still comes. Leaving the loop early stops it, too.
	 */
	prompt(message: Params<'thread/prompt'>, options?: CallOptions): AsyncGenerator<ThreadEvent | Missed, void, void>;
	/** Answers approvals, each once. Undefined leaves one to others. Returns what ends it. */
	onApproval(
		answer: (approval: Approval) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>,
	): () => void;
	/** Answers questions of agents and capabilities in words, as `onApproval`. */
	onQuestion(answer: (question: DeskQuestion) => string | undefined | Promise<string | undefined>): () => void;
	/** Ends it as when a program ends: what runs is stopped, and open questions are denied. */
	close(): Promise<void>;
}

/** Starts `prowess rpc` and greets it. Rejects with an RpcFailure when it cannot be started, or does not want to serve. */
export declare function connect(options?: ConnectOptions): Promise<Prowess>;
