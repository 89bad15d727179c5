/** Threads that begin without a message, in a tab: nothing is left of one in which nothing was said. */
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../editor/limits.ts';

interface EmptyThreadPorts {
	base(): Promise<Pick<TrustedBase, 'modes' | 'endThread'>>;
	server(): Promise<Peer>;
	/** Undefined: the one that needs no choice. */
	mode(): Mode | undefined;
}

export function emptyThreads({ base, server, mode }: EmptyThreadPorts) {
	return {
		/** `folder`: of the worktree that it works in. */
		async begin(folder?: string): Promise<ThreadId> {
			const { modes } = await base();
			const peer = await server();
			const limit = { what: 'beginning a thread', timeoutMs: extensionLimits.changeThreadMs };
			return await withTimeLimit(limit, async (signal) => {
				const { id } = await peer.call(threadRequests.create, { mode: mode() ?? 'agent', folder }, signal);
				await modes.set(id, mode() ?? 'agent', signal);
				return id;
			});
		},
		async dropEmpty(threadId: ThreadId): Promise<void> {
			const peer = await server();
			const limit = { what: 'deleting an empty thread', timeoutMs: extensionLimits.changeThreadMs };
			await withTimeLimit(limit, async (signal) => {
				const { items, info } = await peer.call(threadRequests.open, { threadId }, signal);
				if (items.length === 0 && !info.running) {
					await peer.call(threadRequests.delete, { threadId }, signal);
					await (await base()).endThread(threadId);
				}
			});
		},
	};
}
