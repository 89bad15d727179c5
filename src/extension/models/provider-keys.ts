/** Keys of providers, in VS Code's secret store and nowhere else. Each one that passes through is told to the redaction. */
import type * as vscode from 'vscode';

const providerKeyPrefix = 'prowess.key.';

export class ProviderKeys {
	readonly #secrets: vscode.SecretStorage;
	readonly #onKey: (key: string) => void;

	/** `onKey` hears every key that is read or stored, so that it can be taken out of whatever is written later. */
	constructor(secrets: vscode.SecretStorage, onKey: (key: string) => void) {
		this.#secrets = secrets;
		this.#onKey = onKey;
	}

	async get(providerId: string): Promise<string | null> {
		const key = await this.#secrets.get(toProviderKeyName(providerId));
		if (key === undefined || key === '') {
			return null;
		}
		this.#onKey(key);
		return key;
	}

	/** Reads every key that is stored, so that `onKey` has heard all of them. */
	async noticeStored(): Promise<void> {
		const names = await this.#secrets.keys();
		await Promise.all(
			names
				.filter((name) => name.startsWith(providerKeyPrefix))
				.map(async (name) => this.get(name.slice(providerKeyPrefix.length))),
		);
	}

	/** A key that was typed and may never be stored. */
	notice(key: string): void {
		this.#onKey(key);
	}

	async store(providerId: string, key: string): Promise<void> {
		this.#onKey(key);
		await this.#secrets.store(toProviderKeyName(providerId), key);
	}

	async delete(providerId: string): Promise<void> {
		await this.#secrets.delete(toProviderKeyName(providerId));
	}
}

function toProviderKeyName(providerId: string): string {
	return providerKeyPrefix + providerId;
}
