/** Which offers are meant. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CapabilityRef, MarketplaceListing, MarketplaceQuery } from '../../protocol/capability/marketplace.ts';
import type { LoadedIndex } from './indexes/indexes.ts';
import type { Offer } from './indexes/offer.ts';
import { PLUGINS_FOLDER, wordOfType } from '../../protocol/capability/plugin.ts';
import { compareVersions } from './versions.ts';
import { text } from '../../protocol/text/text.ts';

export function matchesQuery(
	listing: MarketplaceListing,
	{ text, type, tag, index, permission }: MarketplaceQuery,
): boolean {
	const { name, description, author = '', tags, permissions, location } = listing;
	const all = [name, description, author, ...tags].join('\n').toLowerCase();
	return (
		(type === undefined || listing.type === type) &&
		(index === undefined || listing.index === index || location === index) &&
		(permission === undefined || permissions.includes(permission)) &&
		(tag === undefined || tags.some((each) => each.toLowerCase() === tag.toLowerCase())) &&
		(text ?? '')
			.toLowerCase()
			.split(/\s+/)
			.every((word) => all.includes(word))
	);
}

/** Follows Claude Code's spelling: the text behind the @ may be the name of an index instead of a version. */
function withIndex(loaded: readonly LoadedIndex[], { version, ...ref }: CapabilityRef): CapabilityRef {
	const isIndex = ref.index === undefined && loaded.some(({ name }) => name === version);
	return version === undefined ? ref : isIndex ? { ...ref, index: version } : { ...ref, version };
}

/**
 * Returns the one offer that is meant, the newest when no version is named. Several types or indexes are never guessed
 * between: INVALID_PARAMS names them. CAPABILITY_NOT_FOUND says which indexes could not be read.
 */
export function pickMarketplaceOffer(loaded: readonly LoadedIndex[], ref: CapabilityRef): Offer {
	const { name, type, version, index } = withIndex(loaded, ref);
	const found = loaded
		.filter((each) => index === undefined || each.location === index || each.name === index)
		.flatMap(({ offers }) => offers)
		.filter(({ about }) => about.name === name && (type === undefined || about.type === type));
	const plugins = found.filter(({ about }) => about.type === PLUGINS_FOLDER);
	if (type === undefined && plugins.length > 0 && found.every(createPluginFilter(plugins))) {
		// A plugin and its own skill of the same name: all of it is one thing to install.
		return pickMarketplaceOffer(loaded, { ...ref, type: PLUGINS_FOLDER });
	}
	const types = [...new Set(found.map(({ about }) => about.type))];
	const locations = [...new Set(found.map((offer) => offer.index.location))];
	if (types.length > 1) {
		throw new ProwessError(
			'INVALID_PARAMS',
			`"${name}" is the name of several; which type: ${types.map(wordOfType).join(', ')}`,
			{
				types,
				said: text('"{name}" is the name of several. Say which type: {types}.', {
					name,
					types: types.map(wordOfType).join(', '),
				}),
			},
		);
	}
	if (locations.length > 1) {
		const message = `several indexes have ${wordOfType(types[0] ?? '')} "${name}"; which index: ${locations.join(', ')}`;
		throw new ProwessError('INVALID_PARAMS', message, {
			locations,
			said: text('Several indexes have "{name}". Say which index: {locations}.', {
				name,
				locations: locations.join(', '),
			}),
		});
	}
	const [newest] = found
		.filter(({ about }) => version === undefined || about.version === version)
		.sort((a, b) => compareVersions(b.about.version, a.about.version));
	if (newest === undefined) {
		const has = found.map(({ about }) => about.version);
		const unread = loaded.filter(({ offers, problems }) => offers.length === 0 && problems.length > 0);
		const why =
			has.length > 0
				? `no version ${version ?? ''}; there is ${has.join(', ')}`
				: `no index has it${unread.length === 0 ? '' : `; not read: ${unread.map(({ location }) => location).join(', ')}`}`;
		const said =
			has.length > 0
				? text('"{name}" has no version {version}. There is {versions}.', {
						name,
						version: version ?? '',
						versions: has.join(', '),
					})
				: unread.length === 0
					? text('No index has "{name}".', { name })
					: text('No index has "{name}". Not read: {indexes}', {
							name,
							indexes: unread.map(({ location }) => location).join(', '),
						});
		throw new ProwessError('CAPABILITY_NOT_FOUND', `"${name}" cannot be found: ${why}`, { name, said });
	}
	return newest;
}

function createPluginFilter(plugins: readonly Offer[]): (offer: Offer) => boolean {
	return (offer) => plugins.includes(offer) || plugins.some(({ about }) => offer.plugin?.name === about.name);
}
