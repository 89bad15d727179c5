/**
 * Records what endpoints have refused of our requests, by address and model: parameters, tools, pictures and more
 * output. `providers/stream-dialect.ts` recognises a refusal. Kept only as long as the server runs, because a model may
 * learn; forgotten when the user changes models or settings.
 */

/** Refused in place of a parameter: the model calls no tools by itself. */
export const NATIVE_TOOLS = 'tools';
/** The model is given tools and writes its calls as text. */
export const WRITTEN_CALLS = 'calls written as text';
/** The model takes no pictures. */
export const IMAGES = 'images';
/** The model takes no sounds. */
export const SOUNDS = 'sounds';
/** The model gives no more output than it does by itself. */
export const RAISED_OUTPUT = 'raised output';

interface RefusingModel {
	readonly baseUrl: string;
	readonly modelId: string;
}

interface Refused extends RefusingModel {
	readonly names: readonly string[];
}

const NO_REFUSALS: ReadonlySet<string> = new Set();

export class Refusals {
	readonly #refused = new Map<string, RefusingModel & { readonly names: Set<string> }>();

	of(asked: RefusingModel): ReadonlySet<string> {
		return this.#refused.get(createRefusalKey(asked))?.names ?? NO_REFUSALS;
	}

	note({ baseUrl, modelId }: RefusingModel, name: string): void {
		const key = createRefusalKey({ baseUrl, modelId });
		const names = this.#refused.get(key)?.names ?? new Set<string>();
		// A new set: whoever asks now goes on with what it was given.
		this.#refused.set(key, { baseUrl, modelId, names: new Set([...names, name]) });
	}

	forget(): void {
		this.#refused.clear();
	}

	/** In the order in which they were first met. */
	list(): readonly Refused[] {
		return [...this.#refused.values()].map(({ names, ...asked }) => ({ ...asked, names: [...names] }));
	}
}

function createRefusalKey({ baseUrl, modelId }: RefusingModel): string {
	return JSON.stringify([baseUrl, modelId]);
}
