/** What was said in a thread, read where threads are kept, in the words of an execution's context. */
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { THREAD_ITEMS_READ } from './limits.ts';

/** Oldest first. What tools gave, and what we ourselves say of the thread, is not part of it and takes no room of it. */
export async function threadMessages(server: Peer, threadId: ThreadId, signal: AbortSignal): Promise<ThreadMessage[]> {
	const { items } = await server.call(threadRequests.open, { threadId, items: THREAD_ITEMS_READ }, signal);
	return items.flatMap((item): ThreadMessage[] =>
		(item.kind === 'user' || item.kind === 'text') && item.text !== ''
			? [
					{
						messageId: item.id,
						threadId,
						content: item.text,
						sender: item.kind === 'user' ? 'user' : 'agent',
						timestamp: item.at,
					},
				]
			: [],
	);
}
