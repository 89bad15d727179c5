/** Secrets for capabilities, in VS Code's secret store and nowhere else; keys of models have another prefix there. */
import type * as vscode from 'vscode';
import type { SecretsPort } from '../../contract/ports/ports.ts';

const userSecretPrefix = 'prowess.secret.';

export function createSecretsPort(storage: vscode.SecretStorage): SecretsPort {
	return {
		get: async (name) => await storage.get(userSecretPrefix + name),
		async set(name, value) {
			await (value === undefined
				? storage.delete(userSecretPrefix + name)
				: storage.store(userSecretPrefix + name, value));
		},
		async list() {
			const keys = await storage.keys();
			return keys.filter((key) => key.startsWith(userSecretPrefix)).map((key) => key.slice(userSecretPrefix.length));
		},
	};
}
