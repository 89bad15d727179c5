/** Capabilities and executors as they are shown: what is in force, what is switched off, what cannot be used and why. */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { Capability } from '../../catalog/registry/sources/capability-source.ts';
import type { CapabilityItem, ExecutorItem, RegistryState } from '../../catalog/registry/items.ts';
import { runningTypes } from '../../catalog/registry/resolve.ts';
import { itemsWhile } from '../../catalog/registry/sources/while-off.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';

export interface CatalogCapability extends Capability {
	readonly isEnabled: boolean;
	/** Problems of its manifest that do not keep it from being used. */
	readonly warnings: CapabilityItem['problems'];
}

export interface ListedExecutor extends ExecutorItem {
	readonly isEnabled: boolean;
}

export interface CatalogList {
	/** Capabilities in force, by type and name; each is followed by disabled ones that would take effect if they were on. */
	readonly capabilities: readonly CatalogCapability[];
	/** Capabilities that cannot be used: their manifest cannot be read. */
	readonly broken: readonly CapabilityItem[];
	readonly executors: readonly ListedExecutor[];
	/** Folders that could not be read. */
	readonly problems: readonly string[];
}

const emptyCatalogList: CatalogList = { capabilities: [], broken: [], executors: [], problems: [] };

export class Catalog {
	readonly #workspace: Pick<WorkspacePort, 'isTrusted'>;
	readonly #base: () => Promise<TrustedBase>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor(workspace: Pick<WorkspacePort, 'isTrusted'>, base: () => Promise<TrustedBase>) {
		this.#workspace = workspace;
		this.#base = base;
	}

	/** From the moment it is there; the folders are watched until it is disposed of. */
	follow({ registry, marketplace, enabledCapabilities }: TrustedBase): Disposable {
		const store = new DisposableStore();
		const fireChange = () => this.#changed.fire();
		store.add(registry.onDidChange(fireChange));
		store.add(marketplace.onDidChange(fireChange));
		store.add(enabledCapabilities.onDidChange(fireChange));
		return store;
	}

	/** Lists capabilities and executors; the lists are empty before the workspace is trusted. */
	async list(): Promise<CatalogList> {
		if (!this.#workspace.isTrusted) {
			return emptyCatalogList;
		}
		const { registry, enabledCapabilities } = await this.#base();
		const [state, isOff] = await Promise.all([registry.state(), enabledCapabilities.disabled()]);
		return toCatalogList(state, isOff);
	}

	/** Looks at the folders again. */
	async refresh(): Promise<void> {
		if (this.#workspace.isTrusted) {
			await (await this.#base()).registry.refresh();
		}
		this.#changed.fire();
	}
}

function toCatalogList(
	{ capabilities, executors, problems }: RegistryState,
	isOff: (path: string) => boolean,
): CatalogList {
	return {
		capabilities: itemsWhile(capabilities, isOff).flatMap(
			({ manifest, path, source, overrides, problems: warnings, isOff: isItOff }) =>
				manifest === undefined ? [] : [{ manifest, path, source, overrides, warnings, isEnabled: !isItOff }],
		),
		broken: capabilities.filter(({ manifest }) => manifest === undefined),
		executors: runningTypes(executors, isOff).map((each) => ({ ...each, isEnabled: !isOff(each.path) })),
		problems,
	};
}
