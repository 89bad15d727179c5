/** Our own search, for machines without ripgrep: in a worker for each search, so that it can be ended at any moment. */
import { WORKER_HEAP_MB } from './limits.ts';
import {
	type FileSearchResult,
	noFilesRead,
	type SearchEngine,
	type SearchScope,
	type TextSearchResult,
	type TextQuery,
} from './search-engine.ts';
import type { SearchAnswer, SearchJob } from './search-job.ts';
import { runThreadJob } from '../threads/thread-job.ts';

export class JavaScriptSearch implements SearchEngine {
	readonly name = 'javascript';
	readonly #workerUrl: URL;

	constructor(workerUrl: URL) {
		this.#workerUrl = workerUrl;
	}

	text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextSearchResult> {
		return this.#text({ kind: 'text', scope, query }, signal);
	}

	/** In these files only, in this order; their paths are below the root. */
	textIn(
		paths: readonly string[],
		scope: SearchScope,
		query: TextQuery,
		signal: AbortSignal,
	): Promise<TextSearchResult> {
		return this.#text({ kind: 'text', scope, query, paths }, signal);
	}

	async #text(job: SearchJob, signal: AbortSignal): Promise<TextSearchResult> {
		const answer = await this.#run(job, signal);
		return answer.kind === 'text' ? answer : { matches: [], truncated: false, read: noFilesRead };
	}

	async files(scope: SearchScope, pattern: string, limit: number, signal: AbortSignal): Promise<FileSearchResult> {
		return await this.#files({ kind: 'files', scope, pattern, limit }, signal);
	}

	/** Also those that are ignored, among the first entries of the scope. */
	async ignoredFiles(scope: SearchScope, pattern: string, limit: number, signal: AbortSignal): Promise<string[]> {
		const { paths } = await this.#files({ kind: 'files', scope, pattern, limit, isIgnoredToo: true }, signal);
		return paths;
	}

	async #files(job: SearchJob, signal: AbortSignal): Promise<FileSearchResult> {
		const answer = await this.#run(job, signal);
		return answer.kind === 'files'
			? { paths: answer.paths, truncated: answer.truncated }
			: { paths: [], truncated: false };
	}

	#run(job: SearchJob, signal: AbortSignal): Promise<SearchAnswer> {
		const thread = { script: this.#workerUrl, what: 'the search', name: 'prowess-search', heapMb: WORKER_HEAP_MB };
		return runThreadJob<SearchJob, SearchAnswer>(thread, job, signal);
	}
}
