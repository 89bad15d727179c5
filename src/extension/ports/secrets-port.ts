/** Secrets for capabilities, in VS Code's secret store and nowhere else; keys of models have another prefix there. */
import type * as vscode from 'vscode';
import type { SecretsPort } from '../../contract/ports/ports.ts';

const prefix = 'prowess.secret.';

export function createSecretsPort(storage: vscode.SecretStorage): SecretsPort {
	return {
		get: async (name) => await storage.get(prefix + name),
		async set(name, value) {
			await (value === undefined ? storage.delete(prefix + name) : storage.store(prefix + name, value));
		},
		async list() {
			const keys = await storage.keys();
			return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
		},
	};
}
