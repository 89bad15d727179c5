/** Shared by all actions that ask the extension: a request ends with the page, and its failure is shown in the view. */
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { FoundSecrets } from '../../protocol/thread/thread-requests.ts';
import { toAnyError } from '../parts/tried-calls.ts';
import type { Store } from '../state/store.ts';

/** A message with secrets is given back; the user says how it is sent after all. */
export type HeldWish = 'remove' | 'keep';

/** Absent where the user has said nothing. */
export function wishFor(secrets: HeldWish | undefined): { readonly secrets?: HeldWish } {
	return secrets === undefined ? {} : { secrets };
}

/** Secrets for which a message was given back; undefined when it failed for another reason. */
export function findMessageSecrets(error: unknown): FoundSecrets | undefined {
	return isProwessError(error) && error.code === 'SECRETS_IN_MESSAGE' ? FoundSecrets.parse(error.facts) : undefined;
}

export interface ActionContext {
	readonly peer: Peer;
	readonly store: Store;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
}

/** Failures that need no sentence: the user cancelled, or the banner already says that the workspace is not trusted. */
const quietCodes: readonly string[] = ['CANCELLED', 'WORKSPACE_UNTRUSTED'];

/**
 * Resolves once the page knows which thread it shows, for what a user does before is meant for that one. False: the start
 * failed, which is shown. Takes as long as the start.
 */
export function untilStarted({ store }: ActionContext): Promise<boolean> {
	return new Promise((resolve) => {
		const listening = store.onDidChange(({ phase }) => {
			if (phase.kind !== 'starting') {
				listening.dispose();
				resolve(phase.kind === 'ready');
			}
		});
	});
}

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
