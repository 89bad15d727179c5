/** What the indexes offer, as it is listed beside what is installed. */
import type { LockedVersion, MarketplaceListing } from '../../protocol/marketplace.ts';
import type { LoadedIndex } from './indexes/indexes.ts';
import type { Offer } from './indexes/offer.ts';
import type { InstalledVersion } from './installed-versions.ts';
import { compareVersions } from './versions.ts';

/** `<type>/<name>`: what a capability is called in a lock file and on the disk. */
export function keyOf({ about }: Offer): string {
	return `${about.type}/${about.name}`;
}

/** Newest version of each, with the versions there are. */
export function listings(
	{ name, location, offers }: LoadedIndex,
	installed: readonly InstalledVersion[],
): MarketplaceListing[] {
	const byKey = Map.groupBy(offers, keyOf);
	return [...byKey].flatMap(([key, versions]) => {
		const [newest] = versions.sort((a, b) => compareVersions(b.about.version, a.about.version));
		if (newest === undefined) return [];
		const here = installed.filter((each) => each.key === key);
		const global = here.find(({ folder }) => folder.scope === 'global')?.locked.version;
		const project = here.find(({ folder }) => folder.scope === 'project')?.locked.version;
		return [
			{
				...newest.about,
				versions: versions.map(({ about }) => about.version),
				index: name,
				location,
				signedBy: newest.claim?.key ?? null,
				size: newest.claim?.size ?? null,
				installed: { ...(global === undefined ? {} : { global }), ...(project === undefined ? {} : { project }) },
			},
		];
	});
}

/** Where an index says nothing of the content, the same version may be another one: only fetching it can tell. */
export function newerOffer(loaded: readonly LoadedIndex[], key: string, locked: LockedVersion): Offer | undefined {
	const [newest] = (loaded.find(({ location }) => location === locked.index)?.offers ?? [])
		.filter((offer) => keyOf(offer) === key)
		.sort((a, b) => compareVersions(b.about.version, a.about.version));
	const order = newest === undefined ? -1 : compareVersions(newest.about.version, locked.version);
	return order > 0 || (order === 0 && newest?.claim === undefined) ? newest : undefined;
}
