/** Switches capabilities on and off for the user, wherever they come from: the user's own act, in the ledger. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { LedgerPort } from '../../../trust/record/ledger/ledger.ts';
import { recordUserAct } from '../../../trust/record/ledger/user-act.ts';
import type { CapabilityOrigin } from './capability-source.ts';
import type { EnabledCapabilities } from './enabled-capabilities.ts';
import type { CapabilityItem } from '../items.ts';

interface SwitchTarget {
	readonly name: string;
	/** Needed when several types have one of that name. */
	readonly type?: string | undefined;
	/** Absent: the one that counts for whoever wants to run it. */
	readonly source?: CapabilityOrigin | undefined;
}

interface SwitchDeps {
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly enabled: EnabledCapabilities;
}

export type Switched = Pick<CapabilityItem, 'path' | 'type' | 'name' | 'source'>;
/** A capability, or an executor as one of the type `executors`. */
type Switchable = Switched & { readonly manifest: unknown };

export class CapabilitySwitch {
	readonly #deps: SwitchDeps;

	constructor(deps: SwitchDeps) {
		this.#deps = deps;
	}

	/**
	 * Enables or disables a capability. A disabled one overrides no other: the one of its name that it had overridden
	 * counts instead.
	 */
	async set({ path, type, name, source }: Switched, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		const verb = isEnabled ? 'enable' : 'disable';
		await recordUserAct(
			this.#deps.ledger,
			{ op: `capability.${verb}`, input: `${verb} ${type} ${name}, ${source}`, params: { path, type, name, source } },
			() => `${verb}d`,
			() => this.#deps.enabled.set(path, isEnabled, signal),
		);
	}

	/**
	 * The one that is meant, of those of its name, the one in force first: to be switched on, the first that is off, and the
	 * other way round; else the first. Rejects with CAPABILITY_NOT_FOUND, or INVALID_PARAMS when several types have one.
	 */
	async find<Item extends Switchable>(all: readonly Item[], wish: SwitchTarget, isEnabled: boolean): Promise<Item> {
		const { name, type, source } = wish;
		const named = all.filter(
			(item) =>
				item.name === name &&
				item.manifest !== undefined &&
				(type === undefined || item.type === type) &&
				(source === undefined || item.source === source),
		);
		const types = [...new Set(named.map((item) => item.type))];
		if (types.length > 1) {
			const message = `"${name}" is the name of several; which type: ${types.join(', ')}`;
			throw new ProwessError('INVALID_PARAMS', message, {
				types,
				said: text('"{name}" is the name of several. Say which type: {types}.', { name, types: types.join(', ') }),
			});
		}
		const isOff = await this.#deps.enabled.disabled();
		const found = named.find(({ path }) => isOff(path) === isEnabled) ?? named[0];
		if (found === undefined) {
			const what = [source, type, name].filter((word) => word !== undefined).join(' ');
			throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}" that can be used`, {
				...wish,
				said: text('There is no capability "{name}" that can be used.', { name: what }),
			});
		}
		return found;
	}
}
