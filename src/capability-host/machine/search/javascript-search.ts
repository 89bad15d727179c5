/** Our own search, for machines without ripgrep: in a worker for each search, so that it can be ended at any moment. */
import { Worker } from 'node:worker_threads';
import { ProwessError } from '../../../protocol/errors.ts';
import { WORKER_HEAP_MB } from './limits.ts';
import { noFilesRead, type SearchEngine, type SearchScope, type TextFound, type TextQuery } from './search-engine.ts';
import type { SearchAnswer, SearchJob } from './search-job.ts';
import type { WorkerAnswer } from './worker.ts';

export class JavaScriptSearch implements SearchEngine {
	readonly name = 'javascript';
	readonly #workerUrl: URL;

	constructor(workerUrl: URL) {
		this.#workerUrl = workerUrl;
	}

	text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextFound> {
		return this.#text({ kind: 'text', scope, query }, signal);
	}

	/** In these files only, in this order; their paths are below the root. */
	textIn(paths: readonly string[], scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextFound> {
		return this.#text({ kind: 'text', scope, query, paths }, signal);
	}

	async #text(job: SearchJob, signal: AbortSignal): Promise<TextFound> {
		const answer = await this.#run(job, signal);
		return answer.kind === 'text' ? answer : { matches: [], truncated: false, read: noFilesRead };
	}

	async files(
		scope: SearchScope,
		pattern: string,
		limit: number,
		signal: AbortSignal,
	): Promise<{ paths: string[]; truncated: boolean }> {
		const answer = await this.#run({ kind: 'files', scope, pattern, limit }, signal);
		return answer.kind === 'files'
			? { paths: answer.paths, truncated: answer.truncated }
			: { paths: [], truncated: false };
	}

	async #run(job: SearchJob, signal: AbortSignal): Promise<SearchAnswer> {
		signal.throwIfAborted();
		const worker = new Worker(this.#workerUrl, {
			workerData: job,
			env: {},
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
		});
		const stop = () => void worker.terminate();
		signal.addEventListener('abort', stop, { once: true });
		try {
			const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
				worker.once('message', (message: WorkerAnswer) => resolve(message));
				worker.once('error', reject);
				worker.once('exit', () => reject(new ProwessError('INTERNAL', 'the search ended without an answer', {})));
			});
			if ('answer' in answer) {
				return answer.answer;
			}
			throw ProwessError.fromData(answer.message, answer) ?? new ProwessError('INTERNAL', answer.message, {});
		} catch (error) {
			signal.throwIfAborted();
			throw error;
		} finally {
			signal.removeEventListener('abort', stop);
			await worker.terminate();
		}
	}
}
