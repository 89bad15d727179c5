/** The list of threads, kept right by the same updates that the shown thread follows. */
import type { ThreadInfo, ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { ViewState } from './view-state.ts';

type ThreadList = Pick<ViewState, 'threads' | 'isSearch'>;

/** Title that the server gives a thread without messages. */
const UNTITLED_TEXT = 'New thread';

/** True when the thread has no messages; a tab has its thread before the first message. */
export function isUnused({ title, createdAt, updatedAt, running, shelf }: ThreadInfo): boolean {
	return title === UNTITLED_TEXT && createdAt === updatedAt && !running && shelf === undefined;
}

/**
 * Puts the thread into the list. The results of a search get no further thread, because only the search knows whether a
 * thread fits.
 */
export function withInfo({ threads, isSearch }: ThreadList, info: ThreadInfo): readonly ThreadInfo[] {
	const others = threads.filter(({ id }) => id !== info.id);
	if (isSearch && others.length === threads.length) {
		return threads;
	}
	return [info, ...others].toSorted(compareThreads);
}

/** Pinned ones first, then newest first. */
function compareThreads(a: ThreadInfo, b: ThreadInfo): number {
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
