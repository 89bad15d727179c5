/**
 * Capability that the user named in the last message of a thread, as the host itself saw that message: no server can
 * claim it. A capability that its author keeps from models may then be started in that thread, as if by the user.
 */
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';

/** At the beginning of a message: `/deploy`, `/skill/deploy`, or what the chat writes when one is picked. */
const NAMED_CAPABILITY =
	/^\s*(?:\/|Use the capability |Verwende die Fähigkeit )(?:([a-z0-9-]+)\/)?((?:[a-z0-9][a-z0-9.-]*:)?[\p{L}\p{M}\p{N}:-]+)(?=[\s.]|$)/u;

export class NamedByUser {
	readonly #named = new Map<ThreadId, { readonly type: string | undefined; readonly name: string }>();

	/** In place of what was named before. */
	said(threadId: ThreadId, text: string): void {
		const [, type, name] = NAMED_CAPABILITY.exec(text) ?? [];
		if (name === undefined) this.#named.delete(threadId);
		else this.#named.set(threadId, { type, name });
	}

	has(caller: Caller, { type, name }: { readonly type: string; readonly name: string }): boolean {
		const named = caller.kind === 'agent' ? this.#named.get(caller.threadId) : undefined;
		return named?.name === name && (named.type === undefined || named.type === type);
	}

	forget(threadId: ThreadId): void {
		this.#named.delete(threadId);
	}
}
