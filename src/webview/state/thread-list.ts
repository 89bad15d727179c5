/** The list of threads, kept right by the same updates that the shown thread follows. */
import type { ThreadInfo, ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { ViewState } from './view-state.ts';

type ThreadList = Pick<ViewState, 'threads' | 'isSearch'>;

/** As the server names one in which nothing was said. */
const UNTITLED = 'New thread';

/** Whether nothing was said in it: a tab has its thread before. */
export function isUnused({ title, createdAt, updatedAt, running, shelf }: ThreadInfo): boolean {
	return title === UNTITLED && createdAt === updatedAt && !running && shelf === undefined;
}

/** Those that a search has found are joined by no other: whether it fits is known only to the search. */
export function withInfo({ threads, isSearch }: ThreadList, info: ThreadInfo): readonly ThreadInfo[] {
	const others = threads.filter(({ id }) => id !== info.id);
	if (isSearch && others.length === threads.length) {
		return threads;
	}
	return [info, ...others].toSorted(inOrder);
}

/** Pinned ones first, then newest first. */
function inOrder(a: ThreadInfo, b: ThreadInfo): number {
	const pins = Number(b.shelf === 'pinned') - Number(a.shelf === 'pinned');
	return pins !== 0 ? pins : a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;
}

export function listAfterUpdate({ threads, isSearch }: ThreadList, update: ThreadUpdate): readonly ThreadInfo[] {
	return update.events.reduce((list, event) => {
		switch (event.type) {
			case 'thread.changed':
				return withInfo({ threads: list, isSearch }, event.info);
			case 'thread.deleted':
				return list.filter(({ id }) => id !== update.threadId);
			case 'turn.start':
			case 'turn.end':
				return withRunning(list, update.threadId, event.type === 'turn.start');
			default:
				return list;
		}
	}, threads);
}

function withRunning(threads: readonly ThreadInfo[], id: string, running: boolean): readonly ThreadInfo[] {
	return threads.map((info) => (info.id === id && info.running !== running ? { ...info, running } : info));
}
