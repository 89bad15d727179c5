/** Models that may answer a turn, in order: the one that was chosen, then those of the settings. Each is looked up when its turn comes. */
import type { ModelPort } from '../model-port.ts';
import type { Breakers } from './breakers.ts';

/** A model that takes over, before it is looked up. */
export interface ModelCandidate {
	/** `provider/model`. */
	readonly id: string;
	/** Absent: where its provider is. */
	readonly baseUrl?: string | undefined;
	open(signal: AbortSignal): Promise<ModelPort>;
}

export class ModelLine {
	readonly breakers: Breakers;
	/** Percent by which waits before a retry are longer or shorter by chance. */
	readonly retrySpread: number;
	#current: ModelPort;
	#next: ModelCandidate[];

	constructor(chosen: ModelPort, fallbacks: readonly ModelCandidate[], breakers: Breakers, retrySpread = 0) {
		this.#current = chosen;
		this.breakers = breakers;
		this.retrySpread = retrySpread;
		const seen = new Set([createCandidateKey(chosen)]);
		// A model that stands in the list twice, or is the chosen one, is asked once at each address.
		this.#next = fallbacks.filter((each) => !seen.has(createCandidateKey(each)) && seen.add(createCandidateKey(each)));
	}

	/** The same models, each as `wrap` makes it. */
	with(wrap: (model: ModelPort) => ModelPort): ModelLine {
		const fallbacks = this.#next.map(({ id, baseUrl, open }) => ({
			id,
			baseUrl,
			open: async (signal: AbortSignal) => wrap(await open(signal)),
		}));
		return new ModelLine(wrap(this.#current), fallbacks, this.breakers, this.retrySpread);
	}

	/** Model that answers at present, and goes on answering until it cannot. */
	get current(): ModelPort {
		return this.#current;
	}

	/** Models that may still take over, in their order. */
	get following(): readonly ModelCandidate[] {
		return this.#next;
	}

	/** Models that could still take over. */
	get left(): number {
		return this.#next.length;
	}

	/** Model that would take over now. */
	get nextId(): string | undefined {
		return (this.#next.find(({ id }) => !this.breakers.wouldPassOver(parseProviderId(id))) ?? this.#next[0])?.id;
	}

	/**
	 * The next model takes over; one whose provider has just failed often waits behind the others. Undefined: there is none
	 * left. Rejects when it cannot be used at all; then the one after it is next.
	 */
	async takeOver(signal: AbortSignal): Promise<ModelPort | undefined> {
		const at = this.#next.findIndex(({ id }) => !this.breakers.passesOver(parseProviderId(id)));
		const [candidate] = this.#next.splice(Math.max(0, at), 1);
		if (candidate === undefined) {
			return undefined;
		}
		this.#current = await candidate.open(signal);
		return this.#current;
	}

	/**
	 * Starts with the first other model that can be used and whose provider has not just failed often; the chosen one is then
	 * the last of the line. Without such a model the chosen one starts after all. An unusable one keeps its place: its error
	 * is told when its turn comes.
	 */
	async passOver(signal: AbortSignal): Promise<void> {
		const chosen = this.#current;
		for (const candidate of this.#next) {
			if (this.breakers.passesOver(parseProviderId(candidate.id))) {
				continue;
			}
			try {
				this.#current = await candidate.open(signal);
			} catch {
				signal.throwIfAborted();
				continue;
			}
			const last = { id: chosen.id, open: () => Promise.resolve(chosen) };
			this.#next = [...this.#next.filter((each) => each !== candidate), last];
			return;
		}
	}
}

function createCandidateKey({ id, baseUrl = '' }: Pick<ModelCandidate, 'id' | 'baseUrl'>): string {
	return `${baseUrl} ${id}`;
}

export function parseProviderId(modelId: string): string {
	return modelId.slice(0, Math.max(0, modelId.indexOf('/'))) || modelId;
}
