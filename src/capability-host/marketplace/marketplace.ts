/**
 * Finds, installs, updates and removes capabilities for the user. Nothing of what is installed is run here, and nothing of it
 * is run elsewhere before the user switches it on and agrees to its content.
 */
import { lstat } from 'node:fs/promises';
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
	LockedVersion,
	MarketplaceDetails,
	MarketplaceListing,
	MarketplaceQuery,
	MarketplaceSearch,
	UpdatePreview,
} from '../../protocol/marketplace.ts';
import type { Resolve } from '../broker/ops/http/resolve-host.ts';
import { readCapabilityFiles } from '../execution/snapshot.ts';
import type { LedgerPort } from '../ledger/ledger.ts';
import { errnoOf } from '../paths/file-error.ts';
import type { WorkspacePort } from '../ports.ts';
import type { EnabledCapabilities } from '../registry/enabled-capabilities.ts';
import { applyChange, type ChangeStep, recover } from './change.ts';
import { diffOf, isWider } from './diff.ts';
import { readPackageFolder } from './indexes/folder-tree.ts';
import { Indexes, type LoadedIndex } from './indexes/indexes.ts';
import type { Offer } from './indexes/offer.ts';
import { DOWNLOAD_TIMEOUT_MS, MAX_README_CHARS } from './limits.ts';
import { type CheckedPackage, checkPackage } from './package/check-package.ts';
import { sha256Of } from './package/package-file.ts';
import { recorded, type UserAct } from './record.ts';
import { type LockedCapability, ScopeFolder } from './scope-folder.ts';
import { withLock } from './scope-lock.ts';
import { matches, pickOffer } from './search.ts';
import { compareVersions } from './versions.ts';

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

/** Where an installed capability is. */
export interface InstalledRef {
	readonly name: string;
	/** Needed when several types have one of that name. */
	readonly type?: string | undefined;
	readonly scope: InstallScope;
	/** Name of a workspace folder; default: the first. */
	readonly folder?: string | undefined;
}

export interface InstallRequest {
	readonly capability: CapabilityRef;
	readonly scope: InstallScope;
	readonly folder?: string | undefined;
	/** What was shown: with any other content it is not installed. */
	readonly contentHash?: string | undefined;
}

export type InstallStep = 'fetch' | ChangeStep;

export interface InstallProgress {
	/** `<type>/<name>`. */
	readonly key: string;
	readonly step: InstallStep;
}

export class Marketplace {
	readonly #deps: MarketplaceDeps;
	readonly #indexes: Indexes;
	readonly #changed = new Emitter<void>();
	readonly #progressed = new Emitter<InstallProgress>();

	constructor(deps: MarketplaceDeps) {
		this.#deps = deps;
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
		const installed = await this.#lockedVersions();
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
		const listing = listings({ ...loadedOf(loaded, offer), offers: [offer] }, await this.#lockedVersions())[0];
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
			await this.#put(folder, key, offer, current, request.contentHash, signal);
		});
	}

	/** From the indexes their capabilities came from. */
	async outdated(signal: AbortSignal): Promise<AvailableUpdate[]> {
		const loaded = await this.#indexes.load(false, signal);
		const updates: AvailableUpdate[] = [];
		for (const { key, scope, locked } of await this.#lockedVersions()) {
			const offer = newerOffer(loaded, key, locked);
			if (offer !== undefined && offer.about.version !== locked.version) {
				updates.push({ ...partsOf(key), scope, from: locked.version, to: offer.about.version });
			}
		}
		return updates;
	}

	/** Undefined when there is nothing newer. Rejects as `show` does. */
	async previewUpdate(ref: InstalledRef, signal: AbortSignal): Promise<UpdatePreview | undefined> {
		const { key, folder, locked } = await this.#find(ref);
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
		const { key } = await this.#find(ref);
		const loaded = await this.#indexes.load(true, signal);
		const act: UserAct = {
			op: 'marketplace.update',
			input: `update ${key}, ${ref.scope}`,
			params: { ref, contentHash },
		};
		return await this.#change(act, ref, key, signal, async (folder, current) => {
			const offer = current === undefined ? undefined : newerOffer(loaded, key, current);
			if (offer !== undefined) {
				await this.#put(folder, key, offer, current, contentHash, signal);
			}
		});
	}

	/** Changes the installed version and the one before. Rejects with NOT_FOUND when there is none before. */
	async rollBack(ref: InstalledRef, signal: AbortSignal): Promise<InstalledCapability> {
		const { key } = await this.#find(ref);
		const act: UserAct = { op: 'marketplace.rollback', input: `roll back ${key}, ${ref.scope}`, params: { ref } };
		return await this.#change(act, ref, key, signal, async (folder, current) => {
			if (current?.previous === undefined) {
				throw new ProwessError('NOT_FOUND', `${key} has no version before ${current?.version ?? 'this one'}`, { key });
			}
			const { previous, ...now } = current;
			const files = await readPackageFolder(folder.previous(key));
			await this.#replace(folder, key, files, { ...previous, id: v7(), previous: now }, current, signal);
		});
	}

	/** With the version that was kept. Rejects with NOT_FOUND when it is not installed. */
	async remove(ref: InstalledRef, signal: AbortSignal): Promise<void> {
		const { key } = await this.#find(ref);
		const folder = await this.#scopeFolder(ref.scope, ref.folder);
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
						const change = { key, files: undefined, locked: undefined, keepsOld: false };
						await applyChange(folder, change, (step) => this.#progressed.fire({ key, step }), signal);
						await this.#deps.enabled.set(folder.target(key), true, signal);
					},
					signal,
				),
		);
		this.#changed.fire();
	}

	/** Switches a capability that was installed on or off. */
	async setEnabled(ref: InstalledRef, isEnabled: boolean, signal: AbortSignal): Promise<void> {
		const { key, folder } = await this.#find(ref);
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
		for (const { folder } of await this.#scopes()) {
			if (await isThere(folder.journal)) {
				await withLock(folder.mutex, () => recover(folder), signal);
				this.#changed.fire();
			}
		}
	}

	/** In every scope that is there, by name. */
	async installed(): Promise<InstalledCapability[]> {
		const all: InstalledCapability[] = [];
		for (const { key, folder, name, locked } of await this.#lockedVersions()) {
			all.push(await this.#describe(key, folder, name, locked));
		}
		return all.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.scope.localeCompare(b.scope, 'en'));
	}

	async #fetchRecorded(op: UserAct['op'], offer: Offer, signal: AbortSignal): Promise<CheckedPackage> {
		const work = () => this.#fetch(offer, signal);
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

	async #fetch(offer: Offer, signal: AbortSignal): Promise<CheckedPackage> {
		this.#progressed.fire({ key: keyOf(offer), step: 'fetch' });
		const { files, sha256 } = await offer.fetch(signal);
		return checkPackage(files, sha256, offer.about);
	}

	/** Recorded, under the lock of the scope, after whatever another one has left undone. */
	async #change(
		act: UserAct,
		{ scope, folder: name }: Pick<InstalledRef, 'scope' | 'folder'>,
		key: string,
		signal: AbortSignal,
		work: (folder: ScopeFolder, current: LockedCapability | undefined) => Promise<void>,
	): Promise<InstalledCapability> {
		const folder = await this.#scopeFolder(scope, name);
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
						return await this.#describe(key, folder, this.#folderName(scope, name), locked);
					},
					signal,
				);
			},
		);
		this.#changed.fire();
		return installed;
	}

	async #put(
		folder: ScopeFolder,
		key: string,
		offer: Offer,
		current: LockedCapability | undefined,
		expected: string | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const fetched = await this.#fetch(offer, signal);
		if (current?.contentHash === fetched.contentHash && current.version === fetched.manifest.version) {
			return;
		}
		if (expected !== undefined && fetched.contentHash !== expected) {
			const message = `${key} is not what was shown: its content is ${fetched.contentHash}, not ${expected}. Look at it again`;
			throw new ProwessError('DOWNLOAD_FAILED', message, { key });
		}
		if (current?.key !== undefined && offer.claim?.key !== current.key) {
			const message = `${key} ${offer.about.version} is not signed by ${current.key}, as the installed version is. Remove that one first if you trust the new one`;
			throw new ProwessError('DOWNLOAD_FAILED', message, { key });
		}
		const { previous: _older, ...now } = current ?? {};
		const locked = {
			...lockedOf(fetched, offer),
			...(current === undefined ? {} : { previous: now as LockedVersion }),
		};
		await this.#replace(folder, key, fetched.files, locked, current, signal);
	}

	async #replace(
		folder: ScopeFolder,
		key: string,
		files: CheckedPackage['files'],
		locked: LockedCapability,
		current: LockedCapability | undefined,
		signal: AbortSignal,
	): Promise<void> {
		const { enabled } = this.#deps;
		const target = folder.target(key);
		if (current === undefined && (await isThere(target))) {
			const message = `${target} is there and was not installed from a marketplace; move it away first`;
			throw new ProwessError('ALREADY_EXISTS', message, { path: target });
		}
		const wasEnabled = current === undefined || (await enabled.isEnabled(target));
		const switchesOff = wasEnabled && (current === undefined || isWider(diffOf(current, locked)));
		if (switchesOff) {
			await enabled.set(target, false, signal);
		}
		try {
			const change = { key, files, locked, keepsOld: true };
			await applyChange(folder, change, (step) => this.#progressed.fire({ key, step }), signal);
		} catch (error) {
			if (switchesOff) {
				await enabled.set(target, true, new AbortController().signal).catch(() => undefined);
			}
			const errno = errnoOf(error);
			if (errno === 'ENOSPC' || errno === 'EDQUOT') {
				throw new ProwessError(
					'EXTRACTION_FAILED',
					`${key} cannot be unpacked: the disk is full`,
					{ key, errno },
					error,
				);
			}
			if (errno !== undefined && !(error instanceof ProwessError)) {
				const why = error instanceof Error ? error.message : String(error);
				throw new ProwessError('EXTRACTION_FAILED', `${key} cannot be unpacked: ${why}`, { key, errno }, error);
			}
			throw error;
		}
	}

	async #scopeFolder(scope: InstallScope, name: string | undefined): Promise<ScopeFolder> {
		if (scope === 'global') {
			return await ScopeFolder.at('global', this.#deps.home);
		}
		const { folders, isTrusted } = this.#deps.workspace;
		if (!isTrusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'nothing is installed in a workspace before it is trusted', {});
		}
		const folder = name === undefined ? folders[0] : folders.find((each) => each.name === name);
		if (folder === undefined) {
			const what = name === undefined ? 'no folder is open' : `there is no workspace folder "${name}"`;
			throw new ProwessError('NOT_FOUND', `nothing can be installed for the project: ${what}`, {});
		}
		return await ScopeFolder.at('project', join(folder.path, '.prowess'));
	}

	#folderName(scope: InstallScope, name: string | undefined): string | null {
		return scope === 'global' ? null : (name ?? this.#deps.workspace.folders[0]?.name ?? null);
	}

	async #lockedVersions(): Promise<
		{ key: string; scope: InstallScope; folder: ScopeFolder; name: string | null; locked: LockedCapability }[]
	> {
		const all = [];
		for (const { folder, name } of await this.#scopes()) {
			for (const [key, locked] of Object.entries((await folder.readLock()).capabilities)) {
				all.push({ key, scope: folder.scope, folder, name, locked });
			}
		}
		return all;
	}

	async #scopes(): Promise<{ folder: ScopeFolder; name: string | null }[]> {
		const { workspace } = this.#deps;
		const names = (workspace.isTrusted ? workspace.folders : []).map(({ name }) => name);
		return [
			{ folder: await this.#scopeFolder('global', undefined), name: null },
			...(await Promise.all(names.map(async (name) => ({ folder: await this.#scopeFolder('project', name), name })))),
		];
	}

	async #find({ name, type, scope, folder: folderName }: InstalledRef): Promise<{
		key: string;
		folder: ScopeFolder;
		locked: LockedCapability;
	}> {
		const folder = await this.#scopeFolder(scope, folderName);
		const found = Object.entries((await folder.readLock()).capabilities).filter(([key]) => {
			const parts = partsOf(key);
			return parts.name === name && (type === undefined || parts.type === type);
		});
		const [first, second] = found;
		if (first === undefined) {
			throw new ProwessError('NOT_FOUND', `${name} is not installed (${scope})`, { name, scope });
		}
		if (second !== undefined) {
			throw new ProwessError('INVALID_PARAMS', `which one: ${found.map(([key]) => key).join(', ')}`, { name });
		}
		return { key: first[0], folder, locked: first[1] };
	}

	async #describe(
		key: string,
		folder: ScopeFolder,
		name: string | null,
		locked: LockedCapability,
	): Promise<InstalledCapability> {
		const path = folder.target(key);
		const { version, index, permissions, level, contentHash, previous } = locked;
		return {
			...partsOf(key),
			version,
			scope: folder.scope,
			folder: name,
			path,
			index,
			permissions,
			level,
			contentHash,
			isEnabled: await this.#deps.enabled.isEnabled(path),
			isModified: await isModified(path, locked),
			previousVersion: previous?.version ?? null,
		};
	}
}

function keyOf({ about }: Offer): string {
	return `${about.type}/${about.name}`;
}

function partsOf(key: string): { type: string; name: string } {
	const [type = '', name = ''] = key.split('/');
	return { type, name };
}

/** `id` makes it a version of its own, also where the same one is installed again. */
function lockedOf({ manifest, files, contentHash, sha256 }: CheckedPackage, offer: Offer): LockedVersion {
	const key = offer.claim?.key;
	return {
		id: v7(),
		version: manifest.version,
		index: offer.index.location,
		sha256,
		contentHash,
		...(key === undefined ? {} : { key }),
		installedAt: new Date().toISOString(),
		permissions: manifest.permissions,
		level: manifest.level,
		files: Object.fromEntries(files.map(({ path, bytes }) => [path, sha256Of(bytes)])),
	};
}

function loadedOf(loaded: readonly LoadedIndex[], offer: Offer): LoadedIndex {
	const { name, location } = offer.index;
	return loaded.find((each) => each.location === location) ?? { location, name, offers: [], problems: [] };
}

/** Where an index says nothing of the content, the same version may be another one: only fetching it can tell. */
function newerOffer(loaded: readonly LoadedIndex[], key: string, locked: LockedVersion): Offer | undefined {
	const [newest] = (loaded.find(({ location }) => location === locked.index)?.offers ?? [])
		.filter((offer) => keyOf(offer) === key)
		.sort((a, b) => compareVersions(b.about.version, a.about.version));
	const order = newest === undefined ? -1 : compareVersions(newest.about.version, locked.version);
	return order > 0 || (order === 0 && newest?.claim === undefined) ? newest : undefined;
}

function listings(
	{ name, location, offers }: LoadedIndex,
	installed: readonly { readonly key: string; readonly scope: InstallScope; readonly locked: LockedCapability }[],
): MarketplaceListing[] {
	const byKey = Map.groupBy(offers, keyOf);
	return [...byKey].flatMap(([key, versions]) => {
		const [newest] = versions.sort((a, b) => compareVersions(b.about.version, a.about.version));
		if (newest === undefined) return [];
		const here = installed.filter((each) => each.key === key);
		const global = here.find(({ scope }) => scope === 'global')?.locked.version;
		const project = here.find(({ scope }) => scope === 'project')?.locked.version;
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

async function isModified(folder: string, locked: LockedVersion): Promise<boolean> {
	try {
		return (await readCapabilityFiles(folder)).hash !== locked.contentHash;
	} catch {
		// Not there, or something that no package holds.
		return true;
	}
}

async function isThere(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}
