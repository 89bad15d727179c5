/**
 * The databases of the hosts that the specs of a process compose, in one worker for all of them: as far from the host as in
 * the editor, with the same files, but a worker for each would take longer to start than most of these specs take.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import type { ThreadReply } from '../../src/machine/threads/call-messages.ts';
import { workerEnvironment } from '../../src/machine/threads/worker-thread.ts';
import type { OpenStoreThread } from '../../src/trust/record/store/thread/host-store.ts';
import { openForProcess } from './open-handles.ts';

const script = new URL('store-worker.ts', import.meta.url);
const worker = await openForProcess(() =>
	Promise.resolve(new Worker(script, { env: workerEnvironment(), execArgv: ['--no-warnings'], name: 'stores' })),
);
worker.unref();

export const sharedStore: OpenStoreThread =
	(start) =>
	({ onReplies, onEnd }) => {
		const { port1: near, port2: far } = new MessageChannel();
		worker.postMessage({ start, port: far }, [far]);
		near.on('message', (replies: readonly ThreadReply[]) => onReplies(replies));
		near.on('close', () => onEnd('the store worker ended'));
		return {
			post: (requests) => near.postMessage(requests),
			keepAlive: (isDue) => (isDue ? near.ref() : near.unref()),
			end: () => {
				near.close();
				return Promise.resolve();
			},
		};
	};
