/**
 * Order in which a host ends: first the parts that ask for something, then those that carry it out, and at last those
 * that record it.
 */
import type { Disposable } from '../base/disposable.ts';
import { ProwessError } from '../protocol/errors/errors.ts';

interface Closing {
	/** May be a promise. */
	close(): unknown;
}

interface ClosingParts {
	/** Parts that announce or watch; below, the parts that begin turns by themselves. */
	readonly watchers: readonly Disposable[];
	readonly beginners: readonly Closing[];
	readonly capabilities: Closing;
	readonly registry: Disposable;
	/** Parts that still write to files; waited for. */
	readonly kept: readonly { settled(): Promise<unknown> }[];
	readonly forgetting: readonly Disposable[];
	/** Parts that capabilities and agents make use of. */
	readonly services: readonly Closing[];
	readonly broker: Closing;
	/** Undefined: it is of the host around this one. */
	readonly agentWatch: (Disposable & { settled(): Promise<unknown> }) | undefined;
	/** Programs of the user, and commands. */
	readonly programs: readonly Closing[];
	/** Work that has to be complete before the record is closed. */
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
		await closeInTurn(parts.beginners);
		this.#aborting.abort(new ProwessError('CANCELLED', 'the host is closing'));
		await parts.capabilities.close();
		parts.registry.dispose();
		await Promise.all(parts.kept.map((each) => each.settled()));
		for (const each of parts.forgetting) each.dispose();
		await closeInTurn(parts.services);
		await parts.broker.close();
		await parts.agentWatch?.settled();
		parts.agentWatch?.dispose();
		await closeInTurn(parts.programs);
		await Promise.all(parts.unfinished());
		await closeInTurn(parts.records);
	}
}

async function closeInTurn(all: readonly Closing[]): Promise<void> {
	for (const each of all) await each.close();
}
