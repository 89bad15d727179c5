/** Lists the offers of the indexes beside the installed versions. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { LockedVersion, MarketplaceListing } from '../../protocol/capability/marketplace.ts';
import type { LoadedIndex } from './indexes/indexes.ts';
import { BUILT_IN_INDEX, type Offer } from './indexes/offer.ts';
import type { InstalledVersion } from './installed-versions.ts';
import { compareVersions } from './versions.ts';
import { text } from '../../protocol/text/text.ts';

/** `<type>/<name>`: what a capability is called in a lock file and on the disk. */
export function formatOfferKey({ about }: Offer): string {
	return `${about.type}/${about.name}`;
}

/** Returns the versions that came with the product, keyed by capability: exactly the offers of the index that ships. */
export function builtInVersions(loaded: readonly LoadedIndex[]): ReadonlyMap<string, string> {
	const offers = loaded.filter(({ location }) => location === BUILT_IN_INDEX).flatMap((index) => index.offers);
	return new Map(offers.map((offer) => [formatOfferKey(offer), offer.about.version]));
}

/** Newest version of each. */
export function createListings(
	{ offers }: LoadedIndex,
	installed: readonly InstalledVersion[],
	builtIn: ReadonlyMap<string, string>,
): MarketplaceListing[] {
	return [...Map.groupBy(offers, formatOfferKey).values()].flatMap((versions) => {
		const [newest] = versions.sort(newestFirst);
		return newest === undefined ? [] : [createListing(newest, versions, installed, builtIn)];
	});
}

/** `versions`: all that its index has of it, newest first. */
export function createListing(
	offer: Offer,
	versions: readonly Offer[],
	installed: readonly InstalledVersion[],
	builtIn: ReadonlyMap<string, string>,
): MarketplaceListing {
	const key = formatOfferKey(offer);
	const here = installed.filter((each) => each.key === key);
	const global = here.find(({ folder }) => folder.scope === 'global')?.locked.version;
	const project = here.find(({ folder }) => folder.scope === 'project')?.locked.version;
	const shipped = builtIn.get(key);
	return {
		...offer.about,
		versions: versions.map(({ about }) => about.version),
		index: offer.index.name,
		location: offer.index.location,
		plugin: offer.plugin?.name ?? null,
		signedBy: offer.claim?.key ?? null,
		size: offer.claim?.size ?? null,
		installed: {
			...(global === undefined ? {} : { global }),
			...(project === undefined ? {} : { project }),
			...(shipped === undefined ? {} : { 'built-in': shipped }),
		},
	};
}

/** Returns the versions of a capability that the index at this location offers, newest first. */
export function listOfferVersions(loaded: readonly LoadedIndex[], key: string, location: string): Offer[] {
	const { offers } = loaded.find((index) => index.location === location) ?? { offers: [] };
	return offers.filter((each) => formatOfferKey(each) === key).sort(newestFirst);
}

function newestFirst(a: Offer, b: Offer): number {
	return compareVersions(b.about.version, a.about.version);
}

/** Throws DOWNLOAD_FAILED when nobody can know whether there is something newer: its index was not read. */
export function requireIndex(loaded: readonly LoadedIndex[], key: string, { index }: LockedVersion): void {
	const found = loaded.find(({ location }) => location === index);
	if (found === undefined) {
		const message = `${key} came from ${index}, which is not among the indexes. Name it, in prowess.marketplace.indexes or with --from`;
		const said = text(
			'{key} came from {index}, which is not among the indexes. Name it in prowess.marketplace.indexes, or with --from.',
			{ key, index },
		);
		throw new ProwessError('DOWNLOAD_FAILED', message, { key, location: index, said });
	}
	if (found.offers.length === 0 && found.problems.length > 0) {
		const message = `${key} came from ${index}, which could not be read: ${found.problems.join('; ')}`;
		const said = text('{key} came from {index}, which could not be read: {problems}', {
			key,
			index,
			problems: found.problems.join('; '),
		});
		throw new ProwessError('DOWNLOAD_FAILED', message, { key, location: index, said });
	}
}

/** Throws CAPABILITY_NOT_FOUND for one that its index does not offer any more; requires that the index was read. */
export function requireOffered(loaded: readonly LoadedIndex[], key: string, { index }: LockedVersion): void {
	if (listOfferVersions(loaded, key, index).length === 0) {
		const message = `${key} is no longer offered by ${index}; what is installed stays as it is`;
		const said = text('{key} is no longer offered by {index}; what is installed stays as it is.', { key, index });
		throw new ProwessError('CAPABILITY_NOT_FOUND', message, { key, location: index, said });
	}
}

/** Where an index says nothing of the content, the same version may be another one: only fetching it can tell. */
export function newerOffer(loaded: readonly LoadedIndex[], key: string, locked: LockedVersion): Offer | undefined {
	const [newest] = listOfferVersions(loaded, key, locked.index);
	const order = newest === undefined ? -1 : compareVersions(newest.about.version, locked.version);
	return order > 0 || (order === 0 && newest?.claim === undefined) ? newest : undefined;
}
