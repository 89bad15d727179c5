/**
 * The thread in which a host has its databases. The editor takes a worker, because its loop also runs other extensions and the
 * window waits for it. A command of the command line takes the thread that it has (`host-thread.ts`): a worker costs a tenth
 * of a short command's processor time, and nobody but the command waits for its disk.
 */
import { Worker } from 'node:worker_threads';
import { workerEnvironment } from '../../../../machine/worker-environment.ts';
import type { StoreReply, StoreRequest, StoreStart } from './store-calls.ts';

export interface StoreThread {
	/** Sent in one moment, so that rows that are appended together share a transaction. Throws when it cannot be sent. */
	post(requests: readonly StoreRequest[]): void;
	/** An answer is due, or none is: only then does the thread keep the process alive. */
	keepAlive(isDue: boolean): void;
	/** After `close` was answered. */
	end(): Promise<void>;
}

interface ThreadEvents {
	onReplies(replies: readonly StoreReply[]): void;
	/** Called when the thread ended by itself: open calls get no answer any more. */
	onEnd(why: string): void;
}

export type OpenStoreThread = (start: StoreStart, events: ThreadEvents) => StoreThread;

export const workerThread =
	(script: URL): OpenStoreThread =>
	(start, { onReplies, onEnd }) => {
		const worker = new Worker(script, {
			workerData: start,
			env: workerEnvironment(),
			// node:sqlite announces that it is experimental, on the host's stderr.
			execArgv: ['--no-warnings'],
			name: 'prowess-store',
		});
		worker.on('message', onReplies);
		worker.on('error', (error) => onEnd(`the store worker failed: ${error.message}`));
		worker.on('exit', (code) => onEnd(`the store worker ended with code ${code}`));
		return {
			post: (requests) => worker.postMessage(requests),
			keepAlive: (isDue) => (isDue ? worker.ref() : worker.unref()),
			end: async () => void (await worker.terminate()),
		};
	};
