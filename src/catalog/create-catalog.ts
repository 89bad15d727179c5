/** Catalog of a host: which capabilities there are, and which of them may be used. */
import { join } from 'node:path';
import { builtInExecutors } from './executors.ts';
import { CapabilityRegistry } from './registry/capability-registry.ts';
import { UsedCapabilities } from './registry/offer/used-capabilities.ts';
import { Newcomers } from './registry/offer/newcomers.ts';
import { SeenCapabilities } from './registry/offer/seen-capabilities.ts';
import { KeptOffers } from './registry/offer/kept-offers.ts';
import { KeptReadings } from './registry/reading/kept-readings.ts';
import { RevokedVersions } from './marketplace/revoked-versions.ts';
import { Looks } from './registry/reading/looks.ts';
import { EnabledCapabilities } from './registry/sources/enabled-capabilities.ts';
import { EnabledSource } from './registry/sources/enabled-source.ts';
import type { HostPorts } from '../contract/ports/ports.ts';

export function createCatalog(ports: HostPorts) {
	const { places, log } = ports;
	const { organisation } = ports.settings;
	const revoked = new RevokedVersions({ home: places.home, workspace: ports.workspace, organisation, log });
	const shipped = join(places.dist, '../capabilities');
	const enabledCapabilities = new EnabledCapabilities(places.home, shipped, () => revoked.refusals());
	// The file that every build writes anew.
	const programStamp = async () => JSON.stringify(await new Looks().stampOf(join(places.dist, 'cli.mjs')));
	const keptReadings = new KeptReadings({
		home: places.home,
		programStamp,
		onTooMuch: (chars, limit) => log.info('what manifests say is too much to be kept', { chars, limit }),
	});
	const keptOffers = new KeptOffers({ home: places.home, programStamp, enabled: enabledCapabilities });
	const registry = new CapabilityRegistry({
		ports,
		executors: builtInExecutors(places.dist),
		kept: keptReadings,
		offers: keptOffers,
	});
	const seenCapabilities = new SeenCapabilities(ports);
	return {
		enabledCapabilities,
		revoked,
		seenCapabilities,
		keptOffers,
		keptReadings,
		registry,
		newcomers: new Newcomers({ registry, enabled: enabledCapabilities, seenBefore: seenCapabilities }),
		usedCapabilities: new UsedCapabilities(ports),
		enabledSource: new EnabledSource(registry, enabledCapabilities),
	};
}
