/** Threads that answer the calls of a host, and the start of a worker as one. */
import { Worker } from 'node:worker_threads';
import type { ThreadReply, ThreadRequest } from './call-messages.ts';

/** Thread that answers requests, as its host has it: a worker, or the host's own thread. */
export interface CallThread {
	/** Sent in one moment. Throws when it cannot be sent. */
	post(requests: readonly ThreadRequest[]): void;
	/** An answer is due, or none is: only then does the thread keep the process alive. */
	keepAlive(isDue: boolean): void;
	/** Ends it, whatever it is doing. */
	end(): Promise<void>;
}

interface ThreadEvents {
	onReplies(replies: readonly ThreadReply[]): void;
	/** Called when the thread ended by itself: open requests get no answer any more. */
	onEnd(why: string): void;
}

export type OpenCallThread = (events: ThreadEvents) => CallThread;

interface WorkerStart {
	readonly script: URL;
	/** Subject of messages about it: "the memory worker". */
	readonly what: string;
	/** Name of the thread in the tools of the system. */
	readonly name: string;
	/** Given to the script as `workerData`. */
	readonly data?: unknown;
	readonly heapMb?: number;
}

export const workerThread =
	({ script, what, name, data, heapMb }: WorkerStart): OpenCallThread =>
	({ onReplies, onEnd }) => {
		const worker = new Worker(script, {
			workerData: data,
			env: workerEnvironment(),
			// node:sqlite announces that it is experimental, on the host's stderr.
			execArgv: ['--no-warnings'],
			name,
			...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
		});
		worker.on('message', onReplies);
		worker.on('messageerror', (error) => {
			onEnd(`${what} sent what cannot be read: ${error.message}`);
			void worker.terminate();
		});
		worker.on('error', (error) => onEnd(`${what} failed: ${error.message}`));
		worker.on('exit', (code) => onEnd(`${what} ended with code ${code}`));
		return {
			post: (requests) => worker.postMessage(requests),
			keepAlive: (isDue) => (isDue ? worker.ref() : worker.unref()),
			end: async () => void (await worker.terminate()),
		};
	};

/**
 * Environment of our worker threads: nothing of the user's but the place where Node keeps what it has compiled, where
 * there is one. Without it each thread compiles its code anew, which from the sources takes four times as long.
 */
export function workerEnvironment(): NodeJS.ProcessEnv {
	const { NODE_COMPILE_CACHE: kept } = process.env;
	return kept === undefined ? {} : { NODE_COMPILE_CACHE: kept };
}
