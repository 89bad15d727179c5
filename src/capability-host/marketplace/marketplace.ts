/**
 * Finds, installs, updates and removes capabilities for the user. Nothing of what is installed is run here, and nothing of it
 * is run elsewhere before the user switches it on and agrees to its content.
 */
import { join } from 'node:path';
import { v7 } from 'uuid';
import { Emitter } from '../../base/emitter.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type {
	AvailableUpdate,
	CapabilityRef,
	IndexSource,
	InstalledCapability,
	InstallScope,
	MarketplaceDetails,
	MarketplaceQuery,
	MarketplaceSearch,
	UpdatePreview,
} from '../../protocol/marketplace.ts';
import type { Resolve } from '../broker/ops/http/resolve-host.ts';
import type { LedgerPort } from '../ledger/ledger.ts';
import type { WorkspacePort } from '../ports.ts';
import type { EnabledCapabilities } from '../registry/enabled-capabilities.ts';
import { recover } from './change.ts';
import { diffOf } from './diff.ts';
import { readPackageFolder } from './indexes/folder-tree.ts';
import { Indexes } from './indexes/indexes.ts';
import type { Offer } from './indexes/offer.ts';
import { type InstalledRef, InstalledVersions, isModified, partsOf } from './installed-versions.ts';
import { Installer, type InstallProgress, isThere, lockedOf } from './installer.ts';
import { DOWNLOAD_TIMEOUT_MS, MAX_README_CHARS } from './limits.ts';
import { keyOf, listings, newerOffer } from './listings.ts';
import type { CheckedPackage } from './package/check-package.ts';
import { recorded, type UserAct } from './record.ts';
import type { LockedCapability, ScopeFolder } from './scope-folder.ts';
import { withLock } from './scope-lock.ts';
import { matches, pickOffer } from './search.ts';

export interface MarketplaceDeps {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly indexes: () => readonly IndexSource[];
	readonly allowedHosts: () => readonly string[];
	readonly resolve: Resolve;
	/** Folder of the index that ships; undefined: there is none. */
	readonly builtIn: string | undefined;
	/** That of commands; git gets it. */
	readonly environment: Readonly<Record<string, string>>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly enabled: EnabledCapabilities;
	readonly downloadTimeoutMs?: number;
}

export interface InstallRequest {
	readonly capability: CapabilityRef;
	readonly scope: InstallScope;
	readonly folder?: string | undefined;
	/** What was shown: with any other content it is not installed. */
	readonly contentHash?: string | undefined;
}

export class Marketplace {
	readonly #deps: MarketplaceDeps;
	readonly #indexes: Indexes;
	readonly #installed: InstalledVersions;
	readonly #installer: Installer;
	readonly #changed = new Emitter<void>();
	readonly #progressed = new Emitter<InstallProgress>();

	constructor(deps: MarketplaceDeps) {
		this.#deps = deps;
		this.#installed = new InstalledVersions(deps);
		this.#installer = new Installer(deps.enabled, this.#progressed);
		const { allowedHosts, resolve, builtIn, indexes, ledger } = deps;
		this.#indexes = new Indexes({
			downloads: { allowedHosts, resolve, timeoutMs: deps.downloadTimeoutMs ?? DOWNLOAD_TIMEOUT_MS },
			git: { store: join(deps.home, 'marketplace', 'repositories'), environment: deps.environment },
			builtIn,
			sources: indexes,
			recordRead: (location, work) =>
				recorded(
					ledger,
					{ op: 'marketplace.read', input: `read the index ${location}`, params: { location } },
					({ offers }) => `${offers.length} offers`,
					work,
				),
		});
	}

	/** Something was installed, changed, removed, or switched on or off by this host. */
	readonly onDidChange = this.#changed.event;
	/** Before each step of an installation. */
	readonly onDidProgress = this.#progressed.event;

	/** Newest version of each, those whose name begins with the text first. Rejects only when the signal aborts. */
	async search(query: MarketplaceQuery, signal: AbortSignal): Promise<MarketplaceSearch> {
		const loaded = await this.#indexes.load(query.refresh === true, signal);
		const installed = await this.#installed.all();
		const text = query.text?.toLowerCase().trim() ?? '';
		const items = loaded.flatMap((index) => listings(index, installed)).filter((listing) => matches(listing, query));
		items.sort(
			(a, b) =>
				Number(b.name.startsWith(text)) - Number(a.name.startsWith(text)) ||
				a.name.localeCompare(b.name, 'en') ||
				a.type.localeCompare(b.type, 'en'),
		);
		return {
			items,
			indexes: loaded.map(({ location, name, offers, problems }) => ({
				location,
				name,
				count: new Set(offers.map(keyOf)).size,
				problems: [...problems],
			})),
		};
	}

	/**
	 * Fetches and checks a package, and installs nothing. Rejects with CAPABILITY_NOT_FOUND, INVALID_PARAMS when several
	 * are meant, DOWNLOAD_FAILED, EXTRACTION_FAILED or INVALID_CAPABILITY_CONFIG.
	 */
	async show(capability: CapabilityRef, signal: AbortSignal): Promise<MarketplaceDetails> {
		const loaded = await this.#indexes.load(false, signal);
		const offer = pickOffer(loaded, capability);
		const fetched = await this.#fetchRecorded('marketplace.show', offer, signal);
		const { manifest, files, contentHash, sha256 } = fetched;
		const { name, location } = offer.index;
		const [listing] = listings({ name, location, offers: [offer], problems: [] }, await this.#installed.all());
		if (listing === undefined) {
			throw new ProwessError('INTERNAL', `no listing of ${keyOf(offer)}`);
		}
		const readme =
			files.find(({ path }) => /^readme\.md$/i.test(path)) ?? files.find(({ path }) => path === 'SKILL.md');
		return {
			listing,
			permissions: manifest.permissions,
			level: manifest.level,
			readme: readme?.bytes.toString('utf8').slice(0, MAX_README_CHARS) ?? null,
			files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
			contentHash,
			sha256,
		};
	}

	/**
	 * Installs a version, or puts it in the place of the installed one, which is kept for `rollBack`. What was not there before
	 * is switched off until the user switches it on, and so is what may now do more. Rejects as `show`, and with
	 * ALREADY_EXISTS when the user has a capability of that name that was not installed; then all is as it was.
	 */
	async install(request: InstallRequest, signal: AbortSignal): Promise<InstalledCapability> {
		const { capability, scope } = request;
		const loaded = await this.#indexes.load(false, signal);
		const offer = pickOffer(loaded, capability);
		const key = keyOf(offer);
		const act: UserAct = {
			op: 'marketplace.install',
			input: `install ${key} ${offer.about.version} from ${offer.index.location}, ${scope}`,
			params: { ...request, claim: offer.claim },
		};
		return await this.#change(act, request, key, signal, async (folder, current) => {
			if (current !== undefined && current.index === offer.index.location && current.sha256 === offer.claim?.sha256) {
				return;
			}
			await this.#installer.put(folder, key, offer, current, request.contentHash, signal);
		});
	}

	/** From the indexes their capabilities came from. */
	async outdated(signal: AbortSignal): Promise<AvailableUpdate[]> {
		const loaded = await this.#indexes.load(false, signal);
		const updates: AvailableUpdate[] = [];
		for (const { key, folder, locked } of await this.#installed.all()) {
			const offer = newerOffer(loaded, key, locked);
			if (offer !== undefined && offer.about.version !== locked.version) {
				updates.push({ ...partsOf(key), scope: folder.scope, from: locked.version, to: offer.about.version });
			}
		}
		return updates;
	}

	/** Undefined when there is nothing newer. Rejects as `show` does. */
	async previewUpdate(ref: InstalledRef, signal: AbortSignal): Promise<UpdatePreview | undefined> {
		const { key, folder, locked } = await this.#installed.find(ref);
		const loaded = await this.#indexes.load(false, signal);
		const offer = newerOffer(loaded, key, locked);
		if (offer === undefined) {
			return undefined;
		}
		const fetched = await this.#fetchRecorded('marketplace.show', offer, signal);
		if (fetched.contentHash === locked.contentHash) {
			return undefined;
		}
		return {
			diff: diffOf(locked, lockedOf(fetched, offer)),
			contentHash: fetched.contentHash,
			isModified: await isModified(folder.target(key), locked),
		};
	}

	/** To the newest version of the index it came from; unchanged when there is none. Rejects as `install` does. */
	async update(ref: InstalledRef, contentHash: string | undefined, signal: AbortSignal): Promise<InstalledCapability> {
		const { key } = await this.#installed.find(ref);
		const loaded = await this.#indexes.load(true, signal);
		const act: UserAct = {
			op: 'marketplace.update',
			input: `update ${key}, ${ref.scope}`,
			params: { ref, contentHash },
		};
		return await this.#change(act, ref, key, signal, async (folder, current) => {
			const offer = current === undefined ? undefined : newerOffer(loaded, key, current);
			if (offer !== undefined) {
				await this.#installer.put(folder, key, offer, current, contentHash, signal);
			}
		});
	}

	/** Changes the installed version and the one before. Rejects with NOT_FOUND when there is none before. */
	async rollBack(ref: InstalledRef, signal: AbortSignal): Promise<InstalledCapability> {
		const { key } = await this.#installed.find(ref);
		const act: UserAct = { op: 'marketplace.rollback', input: `roll back ${key}, ${ref.scope}`, params: { ref } };
		return await this.#change(act, ref, key, signal, async (folder, current) => {
			if (current?.previous === undefined) {
				throw new ProwessError('NOT_FOUND', `${key} has no version before ${current?.version ?? 'this one'}`, { key });
			}
			const { previous, ...now } = current;
			const files = await readPackageFolder(folder.previous(key));
			await this.#installer.replace(folder, key, files, { ...previous, id: v7(), previous: now }, current, signal);
		});
	}

	/** With the version that was kept. Rejects with NOT_FOUND when it is not installed. */
	async remove(ref: InstalledRef, signal: AbortSignal): Promise<void> {
		const { key } = await this.#installed.find(ref);
		const folder = await this.#installed.scopeFolder(ref.scope, ref.folder);
		const act: UserAct = { op: 'marketplace.remove', input: `remove ${key}, ${ref.scope}`, params: { ref } };
		await recorded(
			this.#deps.ledger,
			act,
			() => 'removed',
			() =>
				withLock(
					folder.mutex,
					async () => {
						await recover(folder);
						await this.#installer.remove(folder, key, signal);
					},
					signal,
				),
		);
		this.#changed.fire();
	}

	/** Switches a capability that was installed on or off. */
	async setEnabled(ref: InstalledRef, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		const { key, folder } = await this.#installed.find(ref);
		const verb = isEnabled ? 'enable' : 'disable';
		const act: UserAct = { op: `marketplace.${verb}`, input: `${verb} ${key}, ${ref.scope}`, params: { ref } };
		await recorded(
			this.#deps.ledger,
			act,
			() => `${verb}d`,
			() => this.#deps.enabled.set(folder.target(key), isEnabled, signal),
		);
		this.#changed.fire();
	}

	/** Puts right what an installation has left that was killed: the old version is back, or the new one complete. */
	async recover(signal: AbortSignal): Promise<void> {
		for (const { folder } of await this.#installed.scopes()) {
			if (await isThere(folder.journal)) {
				await withLock(folder.mutex, () => recover(folder), signal);
				this.#changed.fire();
			}
		}
	}

	/** In every scope that is there, by name. */
	async installed(): Promise<InstalledCapability[]> {
		const all: InstalledCapability[] = [];
		for (const each of await this.#installed.all()) {
			all.push(await this.#installed.describe(each));
		}
		return all.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.scope.localeCompare(b.scope, 'en'));
	}

	async #fetchRecorded(op: UserAct['op'], offer: Offer, signal: AbortSignal): Promise<CheckedPackage> {
		const work = () => this.#installer.fetch(offer, signal);
		const key = keyOf(offer);
		const { location } = offer.index;
		return offer.isRemote
			? await recorded(
					this.#deps.ledger,
					{ op, input: `fetch ${key} ${offer.about.version} from ${location}`, params: { key, location } },
					({ contentHash }) => `content ${contentHash}`,
					work,
				)
			: await work();
	}

	/** Recorded, under the lock of the scope, after whatever another one has left undone. */
	async #change(
		act: UserAct,
		{ scope, folder: name }: Pick<InstalledRef, 'scope' | 'folder'>,
		key: string,
		signal: AbortSignal,
		work: (folder: ScopeFolder, current: LockedCapability | undefined) => Promise<void>,
	): Promise<InstalledCapability> {
		const folder = await this.#installed.scopeFolder(scope, name);
		const installed = await recorded(
			this.#deps.ledger,
			act,
			({ version, contentHash }) => `${key} ${version}, content ${contentHash}`,
			async () => {
				await folder.prepare(key);
				return await withLock(
					folder.mutex,
					async () => {
						await recover(folder);
						await work(folder, (await folder.readLock()).capabilities[key]);
						const locked = (await folder.readLock()).capabilities[key];
						if (locked === undefined) {
							throw new ProwessError('NOT_FOUND', `${key} is no longer installed`, { key });
						}
						const folderName = scope === 'global' ? null : (name ?? this.#deps.workspace.folders[0]?.name ?? null);
						return await this.#installed.describe({ key, folder, folderName, locked });
					},
					signal,
				);
			},
		);
		this.#changed.fire();
		return installed;
	}
}
