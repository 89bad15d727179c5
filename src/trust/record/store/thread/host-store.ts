/**
 * Host's end of its databases. The editor takes a worker for them, because its loop also runs other extensions and the window
 * waits for it. A command of the command line takes the thread that it has (`host-thread.ts`): a worker costs a tenth of a
 * short command's processor time, and nobody but the command waits for its disk.
 */
import { ThreadCalls } from '../../../../machine/threads/thread-calls.ts';
import { type OpenCallThread, workerThread } from '../../../../machine/threads/worker-thread.ts';
import { isProwessError } from '../../../../protocol/errors/errors.ts';
import { CLOSE_TIMEOUT_MS } from '../limits.ts';
import type { StoreCalls, StoreEvents, StoreFaults, StoreStart } from './store-calls.ts';

/** Thread in which a host has its databases. */
export type OpenStoreThread = (start: StoreStart) => OpenCallThread;

export const storeWorker =
	(script: URL): OpenStoreThread =>
	(start) =>
		workerThread({ script, what: 'the store worker', name: 'prowess-store', data: start });

interface StoreListeners {
	onMovedAside(path: string, saved: string | undefined): void;
	onAnchored(text: string): void;
	onNotAnchored(why: string): void;
}

export class HostStore extends ThreadCalls<StoreCalls, StoreEvents> {
	constructor(open: OpenStoreThread, start: StoreStart, listeners: StoreListeners) {
		super(open(start), {
			what: 'the store',
			failsWith: 'STORE_UNAVAILABLE',
			closeMs: CLOSE_TIMEOUT_MS,
			on: {
				movedAside: ({ path, saved }) => listeners.onMovedAside(path, saved),
				anchored: (text) => listeners.onAnchored(text),
				notAnchored: (why) => listeners.onNotAnchored(why),
			},
		});
	}
}

export function hasStoreFault(error: unknown, fault: keyof StoreFaults): boolean {
	return isProwessError(error) && error.facts[fault] === true;
}
