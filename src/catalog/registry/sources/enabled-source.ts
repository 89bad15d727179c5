/** The capabilities of a source that are switched on: the others are neither offered nor found, and whoever asks for one is told so. */
import type { Beginning } from '../../../protocol/offer/capability-values.ts';
import type { UsedHere } from '../../../protocol/ops/used-here.ts';
import type { Capability, CapabilityListing, CapabilitySource, OfferedCapabilities } from './capability-source.ts';
import type { EnabledCapabilities } from './enabled-capabilities.ts';

export class EnabledSource implements CapabilitySource {
	readonly #source: CapabilitySource;
	readonly #enabled: EnabledCapabilities;

	constructor(source: CapabilitySource, enabled: EnabledCapabilities) {
		this.#source = source;
		this.#enabled = enabled;
	}

	/** What is switched off takes the place of nothing. Rejects with CAPABILITY_DISABLED when all of that name are. */
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
			// What lies below one that is off, would have to be waited for.
			return { ...listing, capabilities: capabilities.filter(({ path }) => !isOff(path)) };
		}
		// Few are off, and nothing has to be waited for of the others.
		const inForce = capabilities.map((each) => (isOff(each.path) ? this.#inForce(each, isOff) : each));
		return { ...listing, capabilities: (await allOf(inForce)).filter((each) => each !== undefined) };
	}

	/** What was kept holds only what is switched on. */
	async offered(beginning: Beginning, count: number, used: UsedHere): Promise<OfferedCapabilities | undefined> {
		return await this.#source.offered?.(beginning, count, used);
	}

	/** What is switched off runs nothing; where nothing else does, that is told with CAPABILITY_DISABLED. */
	async executorFor(type: string, pin: string | undefined): ReturnType<CapabilitySource['executorFor']> {
		const found = await this.#source.executorFor(type, pin, await this.#enabled.disabled());
		const any = found ?? (await this.#source.executorFor(type, pin));
		if (found === undefined && any?.folder !== undefined) {
			await this.#enabled.require(any.folder, `the executor for capabilities of type "${type}"`);
		}
		return found;
	}

	/** It, or the nearest one that it would shadow if it were switched on. */
	async #inForce(capability: Capability, isOff: (folder: string) => boolean): Promise<Capability | undefined> {
		if (!isOff(capability.path)) {
			return capability;
		}
		const next = capability.shadows.find(({ path }) => !isOff(path));
		return next === undefined ? undefined : await this.#source.at(next.path);
	}

	async #required(capability: Capability): Promise<Capability> {
		const { type, name } = capability.manifest;
		await this.#enabled.require(capability.path, `the ${type} ${name}`);
		return capability;
	}
}

async function allOf<Value>(values: readonly (Value | Promise<Value>)[]): Promise<Value[]> {
	const all: Value[] = [];
	for (const value of values) all.push(value instanceof Promise ? await value : value);
	return all;
}
