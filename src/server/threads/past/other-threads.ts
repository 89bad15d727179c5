/** A thread as another one reads it: its newest entries, without thoughts and outputs; older ones are only counted. */
import { contextLabel } from '../../../protocol/thread/context.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { readStoredItem } from '../../../protocol/thread/stored-thread.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import type { OtherThreads } from '../../history/stored-texts.ts';
import { threadLimits } from '../limits.ts';

export function otherThreads(store: Pick<ThreadStore, 'thread' | 'lastItems'>): OtherThreads {
	return {
		saidIn(threadId) {
			if (store.thread(threadId) === undefined) {
				return undefined;
			}
			const { items, earlier } = store.lastItems(threadId, threadLimits.otherThreadItems);
			const said = items.map(readStoredItem).flatMap(describeThreadItem);
			const cut = earlier === 0 ? [] : [`(${earlier} older entries are left out)`];
			return [...cut, ...said].join('\n\n') || 'Nothing was said in it yet.';
		},
	};
}

function describeThreadItem(item: ThreadItem): readonly string[] {
	switch (item.kind) {
		case 'user': {
			const added = item.context.map(contextLabel).join(', ');
			const who = item.from === undefined ? 'User' : `Another agent, not the user, ${JSON.stringify(item.from.name)}`;
			return [`${who}: ${item.text}${added === '' ? '' : `\n[added: ${added}]`}`];
		}
		case 'text':
			return item.text === '' ? [] : [`Agent: ${item.text}`];
		case 'tool':
			return [`Agent did: ${item.title} (${item.status})`];
		case 'compaction':
			return [`Summary of what was before: ${item.text}`];
		case 'thinking':
		case 'notice':
		case 'instructions':
		case 'memories':
			return [];
	}
}
