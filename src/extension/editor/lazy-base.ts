/** The trusted base, made on first need and never before the workspace is trusted. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

export class LazyBase {
	readonly #ports: HostPorts;
	readonly #prepare: () => Promise<void>;
	readonly #onCreated: (base: TrustedBase) => void;
	#created: Promise<TrustedBase> | undefined;
	#now: TrustedBase | undefined;
	#isClosed = false;

	/** `prepare`: what must be known before anything starts; where it rejects, nothing does. */
	constructor(ports: HostPorts, prepare: () => Promise<void>, onCreated: (base: TrustedBase) => void) {
		this.#ports = ports;
		this.#prepare = prepare;
		this.#onCreated = onCreated;
	}

	/** Returns the trusted base if it exists already; never creates it. */
	get now(): TrustedBase | undefined {
		return this.#now;
	}

	/** Rejects with WORKSPACE_UNTRUSTED, and as `prepare`. A start that fails is tried again by the next caller. */
	async get(): Promise<TrustedBase> {
		if (!this.#ports.workspace.isTrusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'nothing is started before the workspace is trusted');
		}
		if (this.#isClosed) {
			throw new ProwessError('INVALID_STATE', 'the extension is being deactivated', {
				said: text('The window is closing.'),
			});
		}
		this.#created ??= this.#create();
		return this.#created;
	}

	/** Idempotent; bounded by the trusted base itself. */
	async close(): Promise<void> {
		this.#isClosed = true;
		const created = await this.#created?.catch(() => undefined);
		await created?.close();
	}

	async #create(): Promise<TrustedBase> {
		try {
			await this.#prepare();
			const { createTrustedBase } = await import('../../host/compose.ts');
			const base = await createTrustedBase(this.#ports);
			this.#now = base;
			this.#onCreated(base);
			return base;
		} catch (error) {
			this.#created = undefined;
			throw error;
		}
	}
}
