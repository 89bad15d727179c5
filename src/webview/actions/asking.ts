/** Shared by all actions that ask the extension: a request ends with the page, and its failure is shown in the view. */
import type { AnyError } from '../../protocol/errors/error-text.ts';
import { isProwessError } from '../../protocol/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Store } from '../state/store.ts';

export interface ActionContext {
	readonly peer: Peer;
	readonly store: Store;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
}

/** Whatever was thrown, as the view keeps it until it is drawn. */
export function toAnyError(error: unknown): AnyError {
	return error instanceof Error ? error : { message: String(error) };
}

/** Failures that need no sentence: the user cancelled, or the banner already says that the workspace is not trusted. */
const quietCodes: readonly string[] = ['CANCELLED', 'WORKSPACE_UNTRUSTED'];

/** Resolves with the result of the call, or with undefined after its failure was shown. */
export async function orShow<T>({ store }: ActionContext, call: Promise<T>): Promise<T | undefined> {
	try {
		return await call;
	} catch (error) {
		if (!isProwessError(error) || !quietCodes.includes(error.code)) {
			store.dispatch({ type: 'problem', error: toAnyError(error) });
		}
		return undefined;
	}
}
