/** Warning that key and code travel through a network that others may read. */
import { isUnencrypted } from '../../protocol/base-url.ts';
import type { ProviderConfig } from '../../protocol/models.ts';
import type { CommandModelChoice } from './model-choice.ts';

/** Said once before the work begins; empty where the provider in use is asked by https, or on this machine. */
export function unencryptedText({ providers, provider }: CommandModelChoice): string {
	const [host] = unencryptedHosts(
		provider === undefined ? providers.slice(0, 1) : providers.filter(({ id }) => id === provider),
	);
	return host === undefined ? '' : `prowess: your key and your code travel unencrypted to ${host}.\n`;
}

export function unencryptedHosts(providers: readonly ProviderConfig[]): string[] {
	const urls = providers.flatMap(({ baseUrl = '' }) => (URL.canParse(baseUrl) ? [new URL(baseUrl)] : []));
	return urls.filter(isUnencrypted).map(({ host }) => host);
}
