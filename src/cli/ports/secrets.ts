/** Secrets for capabilities: what the environment has goes before what `prowess secrets set` keeps in the home. */
import { withTimeLimit } from '../../base/time/with-time-limit.ts';
import type { SecretsPort } from '../../contract/ports/ports.ts';
import { capturedSecret, capturedSecretNames } from '../server/credentials.ts';
import type { SecretsFile } from '../home/secrets-file.ts';
import { cliLimits } from '../terminal/limits.ts';

/** The case of a name does not count: in the environment names have none of their own. */
export function createSecrets(file: SecretsFile): SecretsPort {
	return {
		get: async (name) => capturedSecret(name) ?? valueIn(file, name),
		async set(name, value) {
			const limit = { what: 'storing a secret', timeoutMs: cliLimits.requestMs };
			await withTimeLimit(limit, (signal) => file.set(name, value, signal));
		},
		async list() {
			const captured = capturedSecretNames();
			return [...captured, ...[...file.read().keys()].filter((name) => !captured.includes(name.toUpperCase()))];
		},
	};
}

function valueIn(file: SecretsFile, name: string): string | undefined {
	return [...file.read()].find(([each]) => each.toUpperCase() === name.toUpperCase())?.[1];
}
