/** Finds, shows and compares the offers of the indexes beside the installed versions. Installs nothing. */
import { join } from 'node:path';
import type {
	AvailableUpdate,
	CapabilityRef,
	IndexSource,
	MarketplaceDetails,
	MarketplaceQuery,
	MarketplaceSearch,
	UpdatePreview,
} from '../../protocol/capability/marketplace.ts';
import type { Resolve } from '../../machine/http/resolve-host.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { diffVersions } from './diff.ts';
import { Indexes, type LoadedIndex } from './indexes/indexes.ts';
import type { Offer } from './indexes/offer.ts';
import {
	type InstalledRef,
	type InstalledVersion,
	type InstalledVersions,
	isModified,
	splitCapabilityKey,
} from './installed-versions.ts';
import { type Installer, toLockedVersion } from './installer.ts';
import { DOWNLOAD_TIMEOUT_MS, MAX_README_CHARS } from './limits.ts';
import {
	builtInVersions,
	formatOfferKey,
	createListing,
	createListings,
	newerOffer,
	requireIndex,
	requireOffered,
	listOfferVersions,
} from './listings.ts';
import type { CheckedPackage } from './package/check-package.ts';
import { pluginOfFiles } from '../plugins/plugin-of-files.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import type { EnabledCapabilities } from '../registry/sources/enabled-capabilities.ts';
import type { RevokedVersions } from './revoked-versions.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import { matchesQuery, pickMarketplaceOffer } from './search.ts';

export interface OfferedDeps {
	readonly home: string;
	readonly indexes: () => readonly IndexSource[];
	readonly allowedHosts: () => readonly string[];
	readonly resolve: Resolve;
	/** Folder of the index that ships; undefined: there is none. */
	readonly builtIn: string | undefined;
	/** Environment that commands get; git gets it, too. */
	readonly environment: Readonly<Record<string, string>>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly enabled: EnabledCapabilities;
	/** Versions that indexes have taken back. */
	readonly revoked: RevokedVersions;
	/** Undefined: no organisation has set rules. */
	readonly organisation?: Organisation | undefined;
	readonly downloadTimeoutMs?: number;
}

export class MarketplaceOffers {
	readonly #deps: OfferedDeps;
	readonly #indexes: Indexes;
	readonly #installed: InstalledVersions;
	readonly #installer: Pick<Installer, 'fetch'>;

	constructor(deps: OfferedDeps, installed: InstalledVersions, installer: Pick<Installer, 'fetch'>) {
		this.#deps = deps;
		this.#installed = installed;
		this.#installer = installer;
		const { allowedHosts, resolve, builtIn, indexes, ledger } = deps;
		this.#indexes = new Indexes({
			downloads: { allowedHosts, resolve, timeoutMs: deps.downloadTimeoutMs ?? DOWNLOAD_TIMEOUT_MS },
			git: { store: join(deps.home, 'marketplace', 'repositories'), environment: deps.environment },
			builtIn,
			sources: indexes,
			refusalOf: (location) => deps.organisation?.refusalOfIndex(location),
			onRevoked: async (location, revoked) => {
				if (await deps.revoked.noticed(location, revoked)) deps.enabled.refusedAnew();
			},
			recordRead: (location, work) =>
				recordUserAct(
					ledger,
					{ op: 'marketplace.read', input: `read the index ${location}`, params: { location } },
					({ offers }) => `${offers.length} offers`,
					work,
				),
		});
	}

	/** All indexes; `isFresh`: read again, whatever was read before. Rejects only when the signal aborts. */
	async load(isFresh: boolean, signal: AbortSignal): Promise<readonly LoadedIndex[]> {
		return await this.#indexes.load(isFresh, signal);
	}

	/** Newest version of each, those whose name begins with the text first. Rejects only when the signal aborts. */
	async search(query: MarketplaceQuery, signal: AbortSignal): Promise<MarketplaceSearch> {
		const loaded = await this.#indexes.load(query.refresh === true, signal);
		const installed = await this.#installed.all();
		const shipped = builtInVersions(loaded);
		const text = query.text?.toLowerCase().trim() ?? '';
		const asked = query.scripts === true ? await withScripts(loaded, signal) : loaded;
		const items = asked
			.flatMap((index) => createListings(index, installed, shipped))
			.filter((listing) => matchesQuery(listing, query));
		items.sort(
			(a, b) =>
				Number(b.name.startsWith(text)) - Number(a.name.startsWith(text)) ||
				a.name.localeCompare(b.name, 'en') ||
				a.type.localeCompare(b.type, 'en'),
		);
		const refused = await this.#refusalsByIndex(installed);
		return {
			items,
			indexes: loaded.map(({ location, name, offers, problems }) => ({
				location,
				name,
				count: new Set(offers.map(formatOfferKey)).size,
				problems: [...problems, ...(refused.get(location) ?? [])],
			})),
		};
	}

	/** Sentences on installed versions that may not be used any more, by the index that they came from. */
	async #refusalsByIndex(installed: readonly InstalledVersion[]): Promise<ReadonlyMap<string, readonly string[]>> {
		const refusals = await this.#deps.revoked.refusals();
		const words = new Map<string, string[]>();
		for (const { key, folder, locked } of installed) {
			const reason = refusals.get(folder.target(key));
			if (reason === undefined) continue;
			words.set(locked.index, [...(words.get(locked.index) ?? []), `disabled: ${inEnglish(reason)}`]);
		}
		return words;
	}

	/**
	 * Fetches and checks a package, and installs nothing. Rejects with CAPABILITY_NOT_FOUND, INVALID_PARAMS when several
	 * are meant, DOWNLOAD_FAILED, EXTRACTION_FAILED or INVALID_CAPABILITY_CONFIG.
	 */
	async show(capability: CapabilityRef, signal: AbortSignal): Promise<MarketplaceDetails> {
		const loaded = await this.#indexes.load(false, signal);
		const offer = pickMarketplaceOffer(loaded, capability);
		const fetched = await this.#fetchRecorded(offer, signal);
		const { manifest, files, contentHash, sha256 } = fetched;
		const versions = listOfferVersions(loaded, formatOfferKey(offer), offer.index.location);
		const plugin = pluginOfFiles(files);
		const readme =
			files.find(({ path }) => /^readme\.md$/i.test(path)) ?? files.find(({ path }) => path === 'SKILL.md');
		return {
			listing: createListing(offer, versions, await this.#installed.all(), builtInVersions(loaded)),
			permissions: manifest.permissions,
			level: manifest.level,
			readme: readme?.bytes.toString('utf8').slice(0, MAX_README_CHARS) ?? null,
			files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
			parts: [...(plugin?.parts ?? [])],
			notTaken: plugin?.manifest.notTaken ?? [],
			contentHash,
			sha256,
		};
	}

	/** From the indexes their capabilities came from. */
	async outdated(signal: AbortSignal): Promise<AvailableUpdate[]> {
		const loaded = await this.#indexes.load(false, signal);
		const updates: AvailableUpdate[] = [];
		for (const { key, folder, locked } of await this.#installed.all()) {
			const offer = newerOffer(loaded, key, locked);
			if (offer !== undefined && offer.about.version !== locked.version) {
				updates.push({
					...splitCapabilityKey(key),
					scope: folder.scope,
					from: locked.version,
					to: offer.about.version,
				});
			}
		}
		return updates;
	}

	/** Undefined when there is nothing newer. Rejects as `show` does, and with DOWNLOAD_FAILED when its index was not read. */
	async previewUpdate(ref: InstalledRef, signal: AbortSignal): Promise<UpdatePreview | undefined> {
		const { key, folder, locked } = await this.#installed.find(ref);
		const loaded = await this.#indexes.load(false, signal);
		requireIndex(loaded, key, locked);
		requireOffered(loaded, key, locked);
		const offer = newerOffer(loaded, key, locked);
		if (offer === undefined) {
			return undefined;
		}
		const fetched = await this.#fetchRecorded(offer, signal);
		if (fetched.contentHash === locked.contentHash) {
			return undefined;
		}
		return {
			diff: diffVersions(locked, toLockedVersion(fetched, offer)),
			contentHash: fetched.contentHash,
			isModified: await isModified(folder.target(key), locked),
		};
	}

	async #fetchRecorded(offer: Offer, signal: AbortSignal): Promise<CheckedPackage> {
		const fetchOffer = () => this.#installer.fetch(offer, signal);
		const key = formatOfferKey(offer);
		const { location } = offer.index;
		return offer.isRemote
			? await recordUserAct(
					this.#deps.ledger,
					{
						op: 'marketplace.show',
						input: `fetch ${key} ${offer.about.version} from ${location}`,
						params: { key, location },
					},
					({ contentHash }) => `content ${contentHash}`,
					fetchOffer,
				)
			: await fetchOffer();
	}
}

/** Without what is known to hold no program. */
async function withScripts(loaded: readonly LoadedIndex[], signal: AbortSignal): Promise<LoadedIndex[]> {
	const kept: LoadedIndex[] = [];
	for (const index of loaded) {
		const offers: Offer[] = [];
		for (const offer of index.offers) {
			if ((await offer.hasScripts?.(signal)) !== false) offers.push(offer);
		}
		kept.push({ ...index, offers });
	}
	return kept;
}
