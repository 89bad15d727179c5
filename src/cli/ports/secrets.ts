import type { SecretsPort } from '../../capability-host/ports.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { capturedSecret, capturedSecretNames } from '../credentials.ts';

/** Secrets for capabilities, from the environment: nothing of them is ever written. */
export const secrets: SecretsPort = {
	get: (name) => Promise.resolve(capturedSecret(name)),
	set: (name) =>
		Promise.reject(
			new ProwessError('NOT_AVAILABLE_HERE', `set PROWESS_SECRET_${name.toUpperCase()} in the environment instead`, {
				name,
			}),
		),
	list: () => Promise.resolve(capturedSecretNames()),
};
