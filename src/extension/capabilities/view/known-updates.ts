/** Updates of what is installed, as far as anybody has looked: the first look is when somebody opens the view *Capabilities*. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { Emitter } from '../../../base/emitter.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { AvailableUpdate } from '../../../protocol/capability/marketplace.ts';

export class KnownUpdates {
	readonly #base: () => Promise<Pick<TrustedBase, 'marketplace'>>;
	readonly #closing = new AbortController();
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	#looking: Promise<void> | undefined;
	#all: readonly AvailableUpdate[] = [];

	constructor(base: () => Promise<Pick<TrustedBase, 'marketplace'>>) {
		this.#base = base;
	}

	get all(): readonly AvailableUpdate[] {
		return this.#all;
	}

	/** Once in a window. Where nothing is installed from an index, none is asked. Rejects when it cannot be told what is installed. */
	async look(): Promise<void> {
		this.#looking ??= this.#look();
		try {
			await this.#looking;
		} catch (error) {
			this.#looking = undefined;
			throw error;
		}
	}

	/** After something was installed or an index was read again; not before the first look. */
	async lookAgain(): Promise<void> {
		if (this.#looking !== undefined) {
			this.#looking = this.#look();
			await this.#looking;
		}
	}

	dispose(): void {
		this.#closing.abort(new vscode.CancellationError());
		this.#changed.dispose();
	}

	async #look(): Promise<void> {
		const { marketplace } = await this.#base();
		const hasPackages = (await marketplace.installed()).length > 0;
		const found = hasPackages ? await marketplace.outdated(this.#closing.signal) : [];
		if (!isDeepStrictEqual(found, this.#all)) {
			this.#all = found;
			this.#changed.fire();
		}
	}
}
