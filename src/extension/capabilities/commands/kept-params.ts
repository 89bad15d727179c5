/** The params of the last run of each capability, for this workspace, so that a form need not be filled twice. Never a secret. */
import type { Memento } from 'vscode';
import { limits } from '../../limits.ts';

const KEY = 'prowess.params';

export type Params = Readonly<Record<string, unknown>>;

interface Kept {
	readonly id: string;
	readonly params: Params;
}

export class KeptParams {
	readonly #state: Pick<Memento, 'get' | 'update'>;

	constructor(state: Pick<Memento, 'get' | 'update'>) {
		this.#state = state;
	}

	get(type: string, name: string): Params {
		return this.#all().find(({ id }) => id === `${type}/${name}`)?.params ?? {};
	}

	/** What `redact` would change is a secret, or holds one, and is left out. */
	async keep(type: string, name: string, params: Params, redact: (text: string) => string): Promise<void> {
		const id = `${type}/${name}`;
		const harmless = Object.entries(params).filter(([key, value]) => {
			const text = `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
			return redact(text) === text;
		});
		const others = this.#all().filter((other) => other.id !== id);
		const all: Kept[] = [{ id, params: Object.fromEntries(harmless) }, ...others];
		await this.#state.update(KEY, all.slice(0, limits.keptParams));
	}

	/** Newest first. */
	#all(): Kept[] {
		const stored = this.#state.get(KEY);
		return Array.isArray(stored) ? stored.filter(isKept) : [];
	}
}

/** Another version may have written it. */
function isKept(value: unknown): value is Kept {
	if (typeof value !== 'object' || value === null || !('id' in value) || !('params' in value)) {
		return false;
	}
	const { id, params } = value;
	return typeof id === 'string' && typeof params === 'object' && params !== null && !Array.isArray(params);
}
