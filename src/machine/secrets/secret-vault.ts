/** The way from the user's secrets to an op: whatever is read is known to the redaction before anybody has it. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { SecretsPort } from '../../contract/ports/ports.ts';

export class SecretVault {
	readonly #port: SecretsPort;
	readonly #addSecret: (value: string) => void;

	constructor(port: SecretsPort, addSecret: (value: string) => void) {
		this.#port = port;
		this.#addSecret = addSecret;
	}

	async read(name: string): Promise<string> {
		const value = await this.#port.get(name);
		if (value === undefined || value === '') {
			const message = `there is no secret "${name}". Ask the user to store one under that name`;
			throw new ProwessError('SECRET_NOT_FOUND', message, { name });
		}
		this.#addSecret(value);
		return value;
	}

	/** Makes every secret known to the redaction, whether or not anybody asks for it. */
	async notice(): Promise<void> {
		for (const name of await this.#port.list()) {
			this.#addSecret((await this.#port.get(name)) ?? '');
		}
	}

	async names(): Promise<readonly string[]> {
		return [...(await this.#port.list())].sort();
	}
}
