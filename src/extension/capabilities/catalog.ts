/** Capabilities as they are shown: what is in force, what it goes before, and what cannot be used and why. */
import { Emitter } from '../../base/emitter.ts';
import type { BrokenCapability, Capability } from '../../capability-host/registry/capability-source.ts';
import { errorsOf } from '../../capability-host/registry/items.ts';
import type { WorkspacePort } from '../../capability-host/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';

export interface Listed {
	/** In force, by type and name. */
	readonly effective: readonly Capability[];
	readonly broken: readonly BrokenCapability[];
	/** What is there twice: the one that is in force, and the ones behind it. */
	readonly overrides: readonly { readonly effective: Capability; readonly shadowed: readonly Capability[] }[];
}

export class Catalog {
	readonly #workspace: Pick<WorkspacePort, 'isTrusted'>;
	readonly #base: () => Promise<TrustedBase>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor(workspace: Pick<WorkspacePort, 'isTrusted'>, base: () => Promise<TrustedBase>) {
		this.#workspace = workspace;
		this.#base = base;
	}

	/** Nothing, before the workspace is trusted. */
	async list(): Promise<Listed> {
		if (!this.#workspace.isTrusted) {
			return { effective: [], broken: [], overrides: [] };
		}
		const { capabilities } = await (await this.#base()).registry.state();
		const usable = capabilities.flatMap((item) =>
			item.manifest === undefined ? [] : [{ ...item, manifest: item.manifest }],
		);
		const broken = capabilities
			.filter(({ manifest }) => manifest === undefined)
			.map((item) => ({ path: item.path, problem: errorsOf(item) }));
		const byId = Map.groupBy(usable, ({ manifest }) => `${manifest.type}/${manifest.name}`);
		const groups = [...byId.values()].flatMap(([effective, ...shadowed]) =>
			effective === undefined ? [] : [{ effective, shadowed }],
		);
		return {
			effective: groups.map(({ effective }) => effective),
			broken,
			overrides: groups.filter(({ shadowed }) => shadowed.length > 0),
		};
	}

	refresh(): void {
		this.#changed.fire();
	}
}
