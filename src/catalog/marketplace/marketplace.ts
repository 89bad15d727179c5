/**
 * Finds, installs, updates and removes capabilities for the user. This module runs no installed program, and no other
 * one does before the user switches the capability on and consents to its content.
 */
import { join } from 'node:path';
import { v7 } from 'uuid';
import { Emitter } from '../../base/emitter.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type {
	CapabilityRef,
	InstalledCapability,
	InstallScope,
	PluginData,
} from '../../protocol/capability/marketplace.ts';
import type { HostPorts, WorkspacePort } from '../../contract/ports/ports.ts';
import { systemResolve } from '../../machine/http/resolve-host.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { type InstalledPlugin, installedParts, partNamed } from '../plugins/installed-parts.ts';
import { keptPluginData, removePluginData } from '../plugins/plugin-data.ts';
import { CapabilitySwitch } from '../registry/sources/capability-switch.ts';
import { recoverChange } from './change.ts';
import { type InstalledRef, InstalledVersions, isModified, splitCapabilityKey } from './installed-versions.ts';
import { Installer, type InstallProgress, hasDiskEntry } from './installer.ts';
import { formatOfferKey, newerOffer, requireIndex, requireOffered } from './listings.ts';
import { MarketplaceOffers, type OfferedDeps } from './offered.ts';
import { recordUserAct, type UserAct } from '../../trust/record/ledger/user-act.ts';
import type { LockedCapability, ScopeFolder } from './scope-folder.ts';
import { withLock } from '../../machine/home-files/file-lock.ts';
import { pickMarketplaceOffer } from './search.ts';
import type { PackageOfMarketplace } from '../../contract/ports/organisation.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { Offer } from './indexes/offer.ts';

export interface MarketplaceDeps extends OfferedDeps {
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
}

interface MarketplaceParts extends Pick<MarketplaceDeps, 'ledger' | 'enabled' | 'revoked' | 'environment'> {
	readonly ports: HostPorts;
	readonly redactor: Redactor;
}

interface InstallRequest {
	readonly capability: CapabilityRef;
	readonly scope: InstallScope;
	readonly folder?: string | undefined;
	/** Hash of the content that the user was shown; any other content is not installed. */
	readonly contentHash?: string | undefined;
}

interface RemoveRequest extends InstalledRef {
	/**
	 * True when the data that the plugin has kept is removed, too. Default: the data stays for when the plugin is
	 * installed again.
	 */
	readonly withData?: boolean;
}

/** Resolves once an installation that was killed is put right. */
export async function createMarketplace({ ports, redactor, ...parts }: MarketplaceParts): Promise<Marketplace> {
	const { places, workspace, settings, log } = ports;
	const marketplace = new Marketplace({
		...parts,
		home: places.home,
		workspace,
		organisation: settings.organisation,
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

export class Marketplace {
	readonly #deps: MarketplaceDeps;
	readonly #offered: MarketplaceOffers;
	readonly #installed: InstalledVersions;
	readonly #installer: Installer;
	readonly #changed = new Emitter<void>();
	readonly #progressed = new Emitter<InstallProgress>();

	readonly search: MarketplaceOffers['search'];
	readonly show: MarketplaceOffers['show'];
	readonly outdated: MarketplaceOffers['outdated'];
	readonly previewUpdate: MarketplaceOffers['previewUpdate'];

	constructor(deps: MarketplaceDeps) {
		this.#deps = deps;
		this.#installed = new InstalledVersions(deps);
		this.#installer = new Installer(deps.enabled, this.#progressed);
		const offered = new MarketplaceOffers(deps, this.#installed, this.#installer);
		this.#offered = offered;
		this.search = offered.search.bind(offered);
		this.show = offered.show.bind(offered);
		this.outdated = offered.outdated.bind(offered);
		this.previewUpdate = offered.previewUpdate.bind(offered);
	}

	/** Something was installed, changed, removed, or switched on or off by this host. */
	readonly onDidChange = this.#changed.event;
	/** Before each step of an installation. */
	readonly onDidProgress = this.#progressed.event;

	/**
	 * Installs a version, or replaces the installed one, which is kept for `rollBack`. A newly installed capability
	 * stays switched off until the user switches it on, and so does an update that may do more than before. Rejects as
	 * `show`, and with ALREADY_EXISTS when the user has a capability of that name that was not installed; then all
	 * stays as it was.
	 */
	async install(request: InstallRequest, signal: AbortSignal): Promise<InstalledCapability> {
		const { capability, scope } = request;
		const loaded = await this.#offered.load(false, signal);
		const offer = pickMarketplaceOffer(loaded, capability);
		const key = formatOfferKey(offer);
		const act: UserAct = {
			op: 'marketplace.install',
			input: `install ${key} ${offer.about.version} from ${offer.index.location}, ${scope}`,
			params: { ...request, claim: offer.claim },
		};
		return await this.#change(act, request, key, signal, async (folder, current) => {
			const isSame = current?.index === offer.index.location && current.sha256 === offer.claim?.sha256;
			if (isSame && !(await isModified(folder.target(key), current))) {
				return;
			}
			this.#refuseOffer(key, offer);
			await this.#installer.put(folder, key, offer, current, request.contentHash, signal);
		});
	}

	/** To the newest version of the index it came from; unchanged when there is none. Rejects as `install` does. */
	async update(ref: InstalledRef, contentHash: string | undefined, signal: AbortSignal): Promise<InstalledCapability> {
		const { key, locked } = await this.#installed.find(ref);
		const loaded = await this.#offered.load(true, signal);
		requireIndex(loaded, key, locked);
		requireOffered(loaded, key, locked);
		const act: UserAct = {
			op: 'marketplace.update',
			input: `update ${key}, ${ref.scope}`,
			params: { ref, contentHash },
		};
		return await this.#change(act, ref, key, signal, async (folder, current) => {
			const offer = current === undefined ? undefined : newerOffer(loaded, key, current);
			if (offer !== undefined) {
				this.#refuseOffer(key, offer);
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
				throw new ProwessError('NOT_FOUND', `${key} has no version before ${current?.version ?? 'this one'}`, {
					key,
					said: text('{key} has no earlier version.', { key }),
				});
			}
			const { previous, ...now } = current;
			this.#refuse({ key, version: previous.version, index: previous.index, signedBy: previous.key });
			const { files, manifest } = await this.#installer.keptVersion(folder, key);
			// The kept files decide the permissions, not the lock file's note, because the files may have been changed
			// since.
			const { permissions, level } = manifest;
			const locked = { ...previous, permissions, level, id: v7(), previous: now };
			await this.#installer.replace(folder, key, files, locked, current, signal);
		});
	}

	/**
	 * Returns the data that an installed plugin has kept; undefined when it has kept none, and for capabilities that
	 * are no plugin. Rejects with NOT_FOUND.
	 */
	async data(ref: InstalledRef): Promise<PluginData | undefined> {
		const { key, folder } = await this.#installed.find(ref);
		return await keptPluginData(this.#deps.home, folder.target(key));
	}

	/** With the version that was kept. Rejects with NOT_FOUND when it is not installed. */
	async remove(ref: RemoveRequest, signal: AbortSignal): Promise<void> {
		const { key } = await this.#installed.find(ref);
		const folder = await this.#installed.scopeFolder(ref.scope, ref.folder);
		const words = ref.withData === true ? ', with its data' : '';
		const act: UserAct = { op: 'marketplace.remove', input: `remove ${key}, ${ref.scope}${words}`, params: { ref } };
		await recordUserAct(
			this.#deps.ledger,
			act,
			() => 'removed',
			() => underLock(folder, key, () => this.#installer.remove(folder, key, signal), signal),
		);
		if (ref.withData === true) await removePluginData(this.#deps.home, folder.target(key));
		this.#changed.fire();
	}

	/** Switches a capability that was installed on or off. */
	async setEnabled(ref: InstalledRef, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		const { key, folder } = await this.#installed.find(ref);
		await new CapabilitySwitch(this.#deps).set(
			{ ...splitCapabilityKey(key), path: folder.target(key), source: ref.scope },
			isEnabled,
			signal,
		);
		this.#changed.fire();
	}

	/** Returns the parts of an installed plugin; empty for capabilities that are no plugin. Rejects with NOT_FOUND. */
	async parts(ref: InstalledRef): Promise<InstalledPlugin> {
		const { key, folder } = await this.#installed.find(ref);
		return await installedParts(folder.target(key), this.#deps.enabled);
	}

	/** Switches one part of an installed plugin, such as `hooks` or `skill:pdf`. Rejects with NOT_FOUND. */
	async setPartEnabled(ref: InstalledRef, part: string, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		const { key } = await this.#installed.find(ref);
		const { place, kind, name } = partNamed((await this.parts(ref)).parts, part);
		const switched = {
			path: place,
			type: kind,
			name: `${splitCapabilityKey(key).name}:${name}`,
			source: ref.scope,
		} as const;
		await new CapabilitySwitch(this.#deps).set(switched, isEnabled, signal);
		this.#changed.fire();
	}

	/** Puts right what an installation has left that was killed: the old version is back, or the new one complete. */
	async recover(signal: AbortSignal): Promise<void> {
		for (const { folder } of await this.#installed.scopes()) {
			if (await hasDiskEntry(folder.journal)) {
				await underLock(folder, '', async () => {}, signal);
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

	#refuseOffer(key: string, { about, index, claim }: Offer): void {
		this.#refuse({ key, version: about.version, index: index.location, signedBy: claim?.key });
	}

	/** Throws DENIED_BY_ORGANISATION. */
	#refuse(offered: PackageOfMarketplace): void {
		const said = this.#deps.organisation?.refusalOfPackage(offered);
		if (said !== undefined) throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(said), { said });
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
		const installed = await recordUserAct(
			this.#deps.ledger,
			act,
			({ version, contentHash }) => `${key} ${version}, content ${contentHash}`,
			async () => {
				await folder.prepare(key);
				const changeInstalled = async () => {
					await work(folder, (await folder.readLock()).capabilities[key]);
					const now = (await folder.readLock()).capabilities[key];
					if (now === undefined) {
						throw new ProwessError('NOT_FOUND', `${key} is no longer installed`, {
							key,
							said: text('{key} is no longer installed.', { key }),
						});
					}
					const folderName = scope === 'global' ? null : (name ?? this.#deps.workspace.folders[0]?.name ?? null);
					return await this.#installed.describe({ key, folder, folderName, locked: now });
				};
				return await underLock(folder, key, changeInstalled, signal);
			},
		);
		this.#changed.fire();
		return installed;
	}
}

/**
 * Runs `work` alone under the scope's lock, after recovering what another process left unfinished. Refuses links first,
 * so that no write goes through one, not even that of the lock.
 */
async function underLock<T>(folder: ScopeFolder, key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
	await folder.refuseLinks(key);
	const recoverThenWork = async () => {
		await recoverChange(folder);
		return await work();
	};
	return await withLock(folder.mutex, recoverThenWork, signal);
}
