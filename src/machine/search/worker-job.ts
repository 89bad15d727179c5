/** Worker that does a single job, gives a single answer and ends. A caller ends it sooner by aborting. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ProwessError } from '../../protocol/errors.ts';
import { workerEnvironment } from '../worker-environment.ts';

/** The two ends are of one build: what one sends is what the other expects. */
export type JobReply<Answer> =
	| { readonly answer: Answer }
	| { readonly code: string; readonly message: string; readonly facts?: Readonly<Record<string, unknown>> };

/** Rejects with what the worker failed with, and with INTERNAL when it ended without an answer. `what`: its subject, for that message. */
export async function runWorkerJob<Answer>(
	script: URL,
	options: WorkerOptions,
	{ what, keepsAlive = true }: { readonly what: string; readonly keepsAlive?: boolean },
	signal: AbortSignal,
): Promise<Answer> {
	signal.throwIfAborted();
	const worker = new Worker(script, { env: workerEnvironment(), ...options });
	if (!keepsAlive) worker.unref();
	const stop = () => void worker.terminate();
	signal.addEventListener('abort', stop, { once: true });
	try {
		const reply = await new Promise<JobReply<Answer>>((resolve, reject) => {
			worker.once('message', (message: JobReply<Answer>) => resolve(message));
			worker.once('error', reject);
			worker.once('exit', () => reject(new ProwessError('INTERNAL', `${what} ended without an answer`, {})));
		});
		if ('answer' in reply) {
			return reply.answer;
		}
		throw ProwessError.fromData(reply.message, reply) ?? new ProwessError('INTERNAL', reply.message, {});
	} catch (error) {
		signal.throwIfAborted();
		throw error;
	} finally {
		signal.removeEventListener('abort', stop);
		await worker.terminate();
	}
}
