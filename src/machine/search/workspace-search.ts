/** Chooses how to search: ripgrep where one runs, our own search otherwise. A missing ripgrep breaks nothing. */
import { JavaScriptSearch } from './javascript-search.ts';
import { probeRipgrep } from './ripgrep/probe-ripgrep.ts';
import { RipgrepSearch } from './ripgrep/ripgrep-search.ts';
import { UnstalledSearch } from './ripgrep/unstalled-search.ts';
import type { SearchEngine } from './search-engine.ts';

interface SearchPlaces {
	/** Best first; then the `PATH` is tried. */
	readonly ripgrepCandidates: readonly string[];
	/** Environment of commands, which ripgrep gets. */
	readonly environment: Readonly<Record<string, string>>;
	/** `dist/search-worker.mjs`, or `worker.ts` itself where Node strips types. */
	readonly workerUrl: URL;
}

export class WorkspaceSearch {
	readonly #places: SearchPlaces;
	#engine: Promise<SearchEngine> | undefined;

	constructor(places: SearchPlaces) {
		this.#places = places;
	}

	/** Returns the engine that knows the patterns of JavaScript, whichever engine was chosen. */
	get ownEngine(): JavaScriptSearch {
		return new JavaScriptSearch(this.#places.workerUrl);
	}

	/** Probes once, when first needed; later callers get the same engine. */
	engine(signal: AbortSignal): Promise<SearchEngine> {
		signal.throwIfAborted();
		this.#engine ??= this.#choose();
		return this.#engine;
	}

	async #choose(): Promise<SearchEngine> {
		const { ripgrepCandidates, environment } = this.#places;
		const program = await probeRipgrep(ripgrepCandidates, environment);
		if (program === undefined) return this.ownEngine;
		const own = this.ownEngine;
		return new UnstalledSearch(new RipgrepSearch(program, environment, own), own);
	}
}
