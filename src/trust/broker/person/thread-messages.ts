/** Reads the messages of a thread from the server and words them for the context of an execution. */
import type { ThreadMessage } from '../../../protocol/execution/execution.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { THREAD_ITEMS_READ } from '../limits.ts';

/**
 * Returns the messages of a thread, oldest first, each user message with the context that the user added to it. Results
 * of tools and our own remarks on the thread are left out and take no room. The words that stand in for messages which
 * the model has no more are those of the system.
 */
export async function threadMessages(server: Peer, threadId: ThreadId, signal: AbortSignal): Promise<ThreadMessage[]> {
	const { items } = await server.call(threadRequests.open, { threadId, items: THREAD_ITEMS_READ }, signal);
	return items.flatMap((item): ThreadMessage[] => {
		if (item.kind === 'compaction') {
			const { id: messageId, text: content, at: timestamp } = item;
			return content === '' ? [] : [{ messageId, threadId, content, sender: 'system', timestamp }];
		}
		if (item.kind !== 'user' && item.kind !== 'text') return [];
		const { id: messageId, text: content, at: timestamp } = item;
		const said = {
			messageId,
			threadId,
			content,
			sender: item.kind === 'user' && item.from === undefined ? 'user' : 'agent',
			timestamp,
		} as const;
		const added = item.kind === 'user' ? item.context : [];
		return added.length > 0 ? [{ ...said, templateType: 'context', payload: added }] : content === '' ? [] : [said];
	});
}
