/** The way from the user's secrets to an op: whatever is read is known to the redaction before anybody has it. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { SecretsPort } from '../../contract/ports/ports.ts';
import { text } from '../../protocol/text/text.ts';

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

	/** Makes a part of a secret that was read known to the redaction as well. */
	noticePart(value: string): void {
		this.#addSecret(value);
	}

	/** True when one is stored under that name. The case does not count, because some stores have none. */
	async has(name: string): Promise<boolean> {
		return (await this.#port.list()).some((each) => each.toLowerCase() === name.toLowerCase());
	}

	/** Rejects with INVALID_STATE when, since somebody looked, a value has come or gone that would be replaced. */
	async write(name: string, value: string, isReplaced: boolean): Promise<void> {
		if ((await this.has(name)) !== isReplaced) {
			const message = `the secret "${name}" was ${isReplaced ? 'removed' : 'stored'} meanwhile. Ask again`;
			throw new ProwessError('INVALID_STATE', message, {
				name,
				said: text('The secret "{name}" has changed meanwhile. Try again.', { name }),
			});
		}
		this.#addSecret(value);
		await this.#port.set(name, value);
	}

	/**
	 * Returns the name of the secret that a caller means: its own one where it has stored one, else the user's. `capability`:
	 * the caller as `type/name`; undefined for others.
	 */
	async resolveName(capability: string | undefined, name: string): Promise<string> {
		const own = capability === undefined ? undefined : ownSecretName(capability, name);
		return own !== undefined && (await this.has(own)) ? own : name;
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

/** Longest name of a secret, as `SecretName` has it. */
const MAX_SECRET_NAME = 100;

/**
 * Returns the name under which a capability keeps a secret. Neither a type nor a name has a `_`, so no two capabilities have
 * the same. Undefined when it would be too long.
 */
export function ownSecretName(capability: string, name: string): string | undefined {
	const [type = '', ...rest] = capability.split('/');
	const plain = rest.join('/').replace(/[^a-z0-9-]/gu, (letter) => `.${(letter.codePointAt(0) ?? 0).toString(16)}.`);
	const own = `${type}_${plain}_${name}`;
	return own.length > MAX_SECRET_NAME ? undefined : own;
}
