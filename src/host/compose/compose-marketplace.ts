/** Composition of the marketplace, put right after an installation that was killed. */
import { join } from 'node:path';
import { Marketplace } from '../../catalog/marketplace/marketplace.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface MarketplaceParts extends Pick<
	ConstructorParameters<typeof Marketplace>[0],
	'ledger' | 'enabled' | 'environment'
> {
	readonly ports: HostPorts;
	readonly redactor: Redactor;
}

export async function hostMarketplace({ ports, redactor, ...parts }: MarketplaceParts): Promise<Marketplace> {
	const { places, workspace, settings, log } = ports;
	const marketplace = new Marketplace({
		...parts,
		home: places.home,
		workspace,
		indexes: () => settings.current['prowess.marketplace.indexes'],
		allowedHosts: () => settings.current['prowess.http.allowHosts'],
		resolve: systemResolve,
		builtIn: join(places.dist, '../capabilities'),
	});
	// A look at one file, and more only where an installation was killed.
	await marketplace.recover(new AbortController().signal).catch((error: unknown) => {
		log.error('an installation that was killed could not be put right', { error: redactor.redact(String(error)) });
	});
	return marketplace;
}
