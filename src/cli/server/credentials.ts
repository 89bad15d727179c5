/**
 * Keys from the environment. They are taken out of it before anything is started, kept here, registered with the
 * redactor and given to the server one at a time, each to the provider it is for.
 */
import type { ProviderConfig, ProviderKind } from '../../protocol/turn/models.ts';

const variables = {
	anthropic: 'ANTHROPIC_API_KEY',
	openai: 'OPENAI_API_KEY',
	google: 'GOOGLE_API_KEY',
	'openai-compatible': undefined,
} as const satisfies Record<ProviderKind, string | undefined>;

/** For the one provider that is in use, whatever its kind. */
const forTheProviderInUse = 'PROWESS_API_KEY';

const KEY_VARIABLES: readonly string[] = [
	...Object.values(variables).filter((name) => name !== undefined),
	forTheProviderInUse,
];

const captured = new Map<string, string>();

/** Prefix of variables with the user's secrets for capabilities: `PROWESS_SECRET_GITHUB` is the secret `GITHUB`. */
const secretPrefix = 'PROWESS_SECRET_';
const capturedSecrets = new Map<string, string>();

/** A variable that holds a key or a secret. */
export function isKeyVariable(name: string): boolean {
	return KEY_VARIABLES.includes(name) || name.toUpperCase().startsWith(secretPrefix);
}

/** Moves the keys and the secrets out of `environment`; empty ones count as none. */
export function captureKeys(environment: Record<string, string | undefined>): void {
	for (const name of KEY_VARIABLES) {
		const value = environment[name]?.trim();
		delete environment[name];
		if (value !== undefined && value !== '') {
			captured.set(name, value);
		}
	}
	for (const name of Object.keys(environment).filter((each) => each.toUpperCase().startsWith(secretPrefix))) {
		const value = environment[name];
		delete environment[name];
		if (value !== undefined && value !== '') {
			capturedSecrets.set(name.slice(secretPrefix.length).toUpperCase(), value);
		}
	}
}

/** Names in the environment have no case of their own, so none counts here. */
export function capturedSecret(name: string): string | undefined {
	return capturedSecrets.get(name.toUpperCase());
}

export function capturedSecretNames(): readonly string[] {
	return [...capturedSecrets.keys()];
}

export function capturedKeys(): readonly string[] {
	return [...captured.values(), ...capturedSecrets.values()];
}

/**
 * Returns keys and secrets by the variables they came in: for a process of the command line itself, which is given them
 * beside its environment.
 */
export function keysByVariable(): Record<string, string> {
	const secrets = [...capturedSecrets].map(([name, value]) => [`${secretPrefix}${name}`, value] as const);
	return Object.fromEntries([...captured, ...secrets]);
}

/** Kinds of provider that could be used without any configuration. */
export function kindsWithKey(): ProviderKind[] {
	return (Object.keys(variables) as ProviderKind[]).filter((kind) => {
		const name = variables[kind];
		return name !== undefined && captured.has(name);
	});
}

/**
 * The key of a provider. The variable of its vendor counts only where requests go to the vendor or where the user named
 * the provider for this run; PROWESS_API_KEY goes to the provider in use and to no other.
 */
export function findProviderKey(provider: ProviderConfig | undefined, inUse: string | undefined): string | null {
	if (provider === undefined) {
		return null;
	}
	const own = variables[provider.kind];
	const isVendor = provider.baseUrl === undefined || provider.id === inUse;
	const key = own !== undefined && isVendor ? captured.get(own) : undefined;
	return key ?? (provider.id === inUse ? (captured.get(forTheProviderInUse) ?? null) : null);
}
