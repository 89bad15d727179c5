/** The capabilities of a source that are switched on: the others are neither offered nor found, and whoever asks for one is told so. */
import type { Capability, CapabilitySource } from './capability-source.ts';
import type { EnabledCapabilities } from './enabled-capabilities.ts';

export class EnabledSource implements CapabilitySource {
	readonly #source: CapabilitySource;
	readonly #enabled: EnabledCapabilities;

	constructor(source: CapabilitySource, enabled: EnabledCapabilities) {
		this.#source = source;
		this.#enabled = enabled;
	}

	/** Rejects with CAPABILITY_DISABLED, too. */
	async find(name: string, type: string | undefined): Promise<Capability | undefined> {
		const found = await this.#source.find(name, type);
		return found === undefined ? undefined : await this.#required(found);
	}

	/** As `find`. */
	async at(path: string): Promise<Capability> {
		return await this.#required(await this.#source.at(path));
	}

	async list(): ReturnType<CapabilitySource['list']> {
		const { capabilities, broken } = await this.#source.list();
		const isOff = await this.#enabled.disabled();
		return { capabilities: capabilities.filter(({ path }) => !isOff(path)), broken };
	}

	executorFor(...wanted: Parameters<CapabilitySource['executorFor']>): ReturnType<CapabilitySource['executorFor']> {
		return this.#source.executorFor(...wanted);
	}

	async #required(capability: Capability): Promise<Capability> {
		const { type, name } = capability.manifest;
		await this.#enabled.require(capability.path, `the ${type} ${name}`);
		return capability;
	}
}
