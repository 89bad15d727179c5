/** The page that the agent of a thread works on, as the user looks at it meanwhile. A look changes nothing of it. */
import type { ThreadId } from '../protocol/rpc/ids.ts';

/** All texts are redacted. */
export interface WatchedPage {
	readonly url: string;
	readonly title: string;
	/**
	 * JPEG in base64; or why there is none: it shows a secret of the user, is too long to be looked through for one, or does not
	 * answer now.
	 */
	readonly picture: { readonly jpeg: string } | 'secret' | 'long' | 'unanswered';
	/** A command of the agent serves it in its sandbox, where no program of the user reaches it. */
	readonly isInner: boolean;
	/** A server of this machine serves it, and programs of the user can open it by `url`. */
	readonly isHere: boolean;
}

export interface WatchedPages {
	/** Resolves with undefined where the thread has no page open. Bounded. Rejects only when the signal aborts. */
	watch(threadId: ThreadId, signal: AbortSignal): Promise<WatchedPage | undefined>;
}
