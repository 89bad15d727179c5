/**
 * Keeps the params that each capability was given in this workspace, so that a form need not be filled in twice, and what
 * is typed into a form and not sent, which outlives the page and the window. Secrets are never kept.
 */
import type { Memento } from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import { extensionLimits } from '../../editor/limits.ts';
import type { TypedForms } from '../pages/capability-pages.ts';

/** Storage keys: params of the last run, and params typed into a form and not sent. */
type KeptParamsKey = 'prowess.params' | 'prowess.typedParams';

export type CapabilityParams = Readonly<Record<string, unknown>>;

interface KeptParamsEntry {
	readonly id: string;
	readonly params: CapabilityParams;
}

export class KeptParams {
	readonly #state: Pick<Memento, 'get' | 'update'>;
	readonly #key: KeptParamsKey;

	constructor(state: Pick<Memento, 'get' | 'update'>, key: KeptParamsKey = 'prowess.params') {
		this.#state = state;
		this.#key = key;
	}

	get(type: string, name: string): CapabilityParams {
		return this.#all().find(({ id }) => id === `${type}/${name}`)?.params ?? {};
	}

	/**
	 * Keeps the params of a capability. A param that `redact` would change is a secret, or holds one, and is left out.
	 */
	async keep(type: string, name: string, params: CapabilityParams, redact: (text: string) => string): Promise<void> {
		const id = `${type}/${name}`;
		const harmless = Object.entries(params).filter(([key, value]) => {
			const text = `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
			return redact(text) === text;
		});
		const all: KeptParamsEntry[] = [{ id, params: Object.fromEntries(harmless) }, ...this.#others(id)];
		await this.#state.update(this.#key, all.slice(0, extensionLimits.keptParams));
	}

	async forget(type: string, name: string): Promise<void> {
		await this.#state.update(this.#key, this.#others(`${type}/${name}`));
	}

	#others(id: string): KeptParamsEntry[] {
		return this.#all().filter((other) => other.id !== id);
	}

	/** Newest first. */
	#all(): KeptParamsEntry[] {
		const stored = this.#state.get(this.#key);
		return Array.isArray(stored) ? stored.filter(isKept) : [];
	}
}

/** Another version may have written it. */
function isKept(value: unknown): value is KeptParamsEntry {
	if (typeof value !== 'object' || value === null || !('id' in value) || !('params' in value)) {
		return false;
	}
	const { id, params } = value;
	return typeof id === 'string' && typeof params === 'object' && params !== null && !Array.isArray(params);
}

/**
 * Keeps what is typed into the form of a run and not sent. The texts outlive the page and the window; secrets are not
 * kept.
 */
export function typedForms(base: () => Promise<TrustedBase>, typed: KeptParams): TypedForms {
	return {
		async keep(of, values) {
			const trusted = await base();
			await typed.keep('run', of, values, (text) => trusted.redact(text));
		},
		async forget(of) {
			// Waits for the same as what was typed before, so that it comes after that.
			await base();
			await typed.forget('run', of);
		},
	};
}
