/** How a host ends: who asks for something first, then who carries it out, and at last where it is recorded. */
import type { Disposable } from '../../base/disposable.ts';
import { ProwessError } from '../../protocol/errors.ts';

interface Closing {
	/** May be a promise. */
	close(): unknown;
}

interface ClosingParts {
	/** What announces or watches, and what begins turns by itself. */
	readonly watchers: readonly Disposable[];
	readonly beginners: readonly Closing[];
	readonly capabilities: Closing;
	readonly registry: Disposable;
	/** What is still written to files. */
	readonly kept: readonly { settled(): Promise<unknown> }[];
	readonly forgetting: Disposable;
	/** What capabilities and agents make use of. */
	readonly services: readonly Closing[];
	readonly broker: Closing;
	readonly agentWatch: Disposable & { settled(): Promise<unknown> };
	/** Programs of the user, and commands. */
	readonly programs: readonly Closing[];
	/** What has to be whole before the record is closed. */
	readonly unfinished: () => readonly Promise<unknown>[];
	readonly records: readonly Closing[];
}

export class HostClosing {
	readonly #aborting = new AbortController();
	#closed: Promise<void> | undefined;

	/** Aborts once turns begin no more. */
	get signal(): AbortSignal {
		return this.#aborting.signal;
	}

	get hasBegun(): boolean {
		return this.#closed !== undefined;
	}

	/** Once; all callers wait for the same end. */
	close(parts: ClosingParts): Promise<void> {
		this.#closed ??= this.#close(parts);
		return this.#closed;
	}

	async #close(parts: ClosingParts): Promise<void> {
		for (const watcher of parts.watchers) watcher.dispose();
		await inTurn(parts.beginners);
		this.#aborting.abort(new ProwessError('CANCELLED', 'the host is closing'));
		await parts.capabilities.close();
		parts.registry.dispose();
		await Promise.all(parts.kept.map((each) => each.settled()));
		parts.forgetting.dispose();
		await inTurn(parts.services);
		await parts.broker.close();
		await parts.agentWatch.settled();
		parts.agentWatch.dispose();
		await inTurn(parts.programs);
		await Promise.all(parts.unfinished());
		await inTurn(parts.records);
	}
}

async function inTurn(all: readonly Closing[]): Promise<void> {
	for (const each of all) await each.close();
}
