/**
 * Records what endpoints have refused of our requests, by address and model: parameters, tools, pictures and more
 * output. Kept only as long as the server runs, because a model may learn; forgotten when the user changes models or
 * settings.
 */

/** Refused in place of a parameter: the model calls no tools by itself. */
export const TOOLS = 'tools';
/** The model takes no pictures. */
export const IMAGES = 'images';
/** The model gives no more output than it does by itself. */
export const RAISED_OUTPUT = 'raised output';

interface Asked {
	readonly baseUrl: string;
	readonly modelId: string;
}

interface Refused extends Asked {
	readonly names: readonly string[];
}

const NONE: ReadonlySet<string> = new Set();

export class Refusals {
	readonly #refused = new Map<string, Asked & { readonly names: Set<string> }>();

	of(asked: Asked): ReadonlySet<string> {
		return this.#refused.get(keyOf(asked))?.names ?? NONE;
	}

	note({ baseUrl, modelId }: Asked, name: string): void {
		const key = keyOf({ baseUrl, modelId });
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

function keyOf({ baseUrl, modelId }: Asked): string {
	return JSON.stringify([baseUrl, modelId]);
}
