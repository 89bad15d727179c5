/** Signing in at MCP servers, which happens in the user's own browser. */
import type { Disposable } from '../../base/disposable.ts';

/** Address of ours to which an authorization server sends the browser back, for one answer. */
export interface AwaitedAnswer extends Disposable {
	readonly redirectUrl: string;
	/** Opens a page in the user's browser, or shows its address where none can be opened. */
	open(url: string): Promise<void>;
	/** The query of the visit that brings this `state`; others are answered, and count for nothing. Rejects with the signal's reason. */
	answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

export interface SignInPort {
	/** Sign-ins that are kept, by key: beside the user's secrets, never among them. */
	readonly kept: {
		get(key: string): Promise<string | undefined>;
		/** Undefined removes it. */
		set(key: string, value: string | undefined): Promise<void>;
	};
	/** Rejects with NOT_AVAILABLE_HERE where no browser could come back. */
	awaitAnswer(): Promise<AwaitedAnswer>;
}
