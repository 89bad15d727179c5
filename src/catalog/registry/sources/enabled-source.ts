/** The capabilities of a source that are switched on: the others are neither offered nor found, and whoever asks for one is told so. */
import type { OpeningMessage } from '../../../protocol/offer/capability-values.ts';
import type { UsedHere } from '../../../protocol/ops/capability-value.ts';
import type { Capability, CapabilityListing, CapabilitySource, OfferedCapabilities } from './capability-source.ts';
import type { EnabledCapabilities } from './enabled-capabilities.ts';

export class EnabledSource implements CapabilitySource {
	readonly #source: CapabilitySource;
	readonly #enabled: EnabledCapabilities;

	constructor(source: CapabilitySource, enabled: EnabledCapabilities) {
		this.#source = source;
		this.#enabled = enabled;
	}

	/**
	 * Finds an enabled capability; a disabled one overrides none. Rejects with CAPABILITY_DISABLED when all of that name
	 * are disabled.
	 */
	async find(name: string, type: string | undefined): Promise<Capability | undefined> {
		const found = await this.#source.find(name, type);
		if (found === undefined) {
			return undefined;
		}
		return (await this.#inForce(found, await this.#enabled.disabled())) ?? (await this.#required(found));
	}

	/** Rejects with CAPABILITY_DISABLED, too. */
	async at(path: string): Promise<Capability> {
		return await this.#required(await this.#source.at(path));
	}

	async list(withinMs?: number): Promise<CapabilityListing> {
		const { capabilities, ...listing } = await this.#source.list(withinMs);
		const isOff = await this.#enabled.disabled();
		if (!listing.isComplete) {
			// Leaves out the capabilities that a disabled one overrides: reading them would take time.
			return { ...listing, capabilities: capabilities.filter(({ path }) => !isOff(path)) };
		}
		// Few are off, and nothing has to be waited for of the others.
		const inForce = capabilities.map((each) => (isOff(each.path) ? this.#inForce(each, isOff) : each));
		return { ...listing, capabilities: (await awaitValues(inForce)).filter((each) => each !== undefined) };
	}

	/** Returns the source's offer unchanged: a kept offer holds enabled capabilities only. */
	async offered(beginning: OpeningMessage, count: number, used: UsedHere): Promise<OfferedCapabilities | undefined> {
		return await this.#source.offered?.(beginning, count, used);
	}

	/**
	 * Returns the enabled executor for a type. Rejects with CAPABILITY_DISABLED when only disabled ones would run the
	 * type.
	 */
	async executorFor(type: string, pin: string | undefined): ReturnType<CapabilitySource['executorFor']> {
		const found = await this.#source.executorFor(type, pin, await this.#enabled.disabled());
		const any = found ?? (await this.#source.executorFor(type, pin));
		if (found === undefined && any?.folder !== undefined) {
			await this.#enabled.require(any.folder, `the executor for capabilities of type "${type}"`);
		}
		return found;
	}

	/** Returns the capability, or the nearest enabled one that it overrides when it is disabled itself. */
	async #inForce(capability: Capability, isOff: (folder: string) => boolean): Promise<Capability | undefined> {
		if (!isOff(capability.path)) {
			return capability;
		}
		const next = capability.overrides.find(({ path }) => !isOff(path));
		return next === undefined ? undefined : await this.#source.at(next.path);
	}

	async #required(capability: Capability): Promise<Capability> {
		const { type, name } = capability.manifest;
		await this.#enabled.require(capability.path, `the ${type} ${name}`);
		return capability;
	}
}

async function awaitValues<Value>(values: readonly (Value | Promise<Value>)[]): Promise<Value[]> {
	const all: Value[] = [];
	for (const value of values) all.push(value instanceof Promise ? await value : value);
	return all;
}
