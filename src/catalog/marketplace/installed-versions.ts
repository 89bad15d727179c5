/** Installed versions in every scope that exists, read from the lock files and compared with the disk. */
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { InstalledCapability, InstallScope, LockedVersion } from '../../protocol/capability/marketplace.ts';
import { readCapabilityFiles } from '../capability-files.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { EnabledCapabilities } from '../registry/sources/enabled-capabilities.ts';
import { type LockedCapability, ScopeFolder } from './scope-folder.ts';
import { text } from '../../protocol/text/text.ts';

/** Where an installed capability is. */
export interface InstalledRef {
	readonly name: string;
	/** Needed when several types have one of that name. */
	readonly type?: string | undefined;
	readonly scope: InstallScope;
	/** Name of a workspace folder; default: the first. */
	readonly folder?: string | undefined;
}

export interface InstalledVersion {
	readonly key: string;
	readonly folder: ScopeFolder;
	/** Name of the workspace folder; null in the global scope. */
	readonly folderName: string | null;
	readonly locked: LockedCapability;
}

interface InstalledDeps {
	readonly home: string;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly enabled: EnabledCapabilities;
}

export class InstalledVersions {
	readonly #home: string;
	readonly #workspace: InstalledDeps['workspace'];
	readonly #enabled: EnabledCapabilities;

	constructor({ home, workspace, enabled }: InstalledDeps) {
		this.#home = home;
		this.#workspace = workspace;
		this.#enabled = enabled;
	}

	/** In the global scope, and in each folder of a trusted workspace. */
	async all(): Promise<InstalledVersion[]> {
		const all: InstalledVersion[] = [];
		for (const { folder, folderName } of await this.scopes()) {
			for (const [key, locked] of Object.entries((await folder.readLock()).capabilities)) {
				all.push({ key, folder, folderName, locked });
			}
		}
		return all;
	}

	/** Rejects with NOT_FOUND, or INVALID_PARAMS when several types have one of that name. */
	async find({ name, type, scope, folder: folderName }: InstalledRef): Promise<{
		key: string;
		folder: ScopeFolder;
		locked: LockedCapability;
	}> {
		const folder = await this.scopeFolder(scope, folderName);
		const found = Object.entries((await folder.readLock()).capabilities).filter(([key]) => {
			const parts = splitCapabilityKey(key);
			return parts.name === name && (type === undefined || parts.type === type);
		});
		const [first, second] = found;
		if (first === undefined) {
			throw new ProwessError('NOT_FOUND', `${name} is not installed (${scope})`, {
				name,
				scope,
				said: text('{name} is not installed ({scope}).', { name, scope }),
			});
		}
		if (second !== undefined) {
			throw new ProwessError('INVALID_PARAMS', `which one: ${found.map(([key]) => key).join(', ')}`, {
				name,
				said: text('Several have this name: {names}. Say which one.', { names: found.map(([key]) => key).join(', ') }),
			});
		}
		return { key: first[0], folder, locked: first[1] };
	}

	/** Rejects with WORKSPACE_UNTRUSTED, or NOT_FOUND when there is no such folder. `name`: default the first one. */
	async scopeFolder(scope: InstallScope, name: string | undefined): Promise<ScopeFolder> {
		if (scope === 'global') {
			return await ScopeFolder.at('global', this.#home);
		}
		const { folders, isTrusted } = this.#workspace;
		if (!isTrusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'nothing is installed in a workspace before it is trusted', {});
		}
		const folder = name === undefined ? folders[0] : folders.find((each) => each.name === name);
		if (folder === undefined) {
			const what = name === undefined ? 'no folder is open' : `there is no workspace folder "${name}"`;
			throw new ProwessError('NOT_FOUND', `nothing can be installed for the project: ${what}`, {
				said: text('Nothing can be installed for the project: no such folder is open.'),
			});
		}
		return await ScopeFolder.at('project', join(folder.path, '.prowess'));
	}

	async scopes(): Promise<{ folder: ScopeFolder; folderName: string | null }[]> {
		const workspace = this.#workspace;
		const names = (workspace.isTrusted ? workspace.folders : []).map(({ name }) => name);
		return [
			{ folder: await this.scopeFolder('global', undefined), folderName: null },
			...(await Promise.all(
				names.map(async (name) => ({ folder: await this.scopeFolder('project', name), folderName: name })),
			)),
		];
	}

	/** Describes an installed version with the state of its files on the disk at the time of the call. */
	async describe({ key, folder, folderName, locked }: InstalledVersion): Promise<InstalledCapability> {
		const path = folder.target(key);
		const { version, index, permissions, level, contentHash, previous, plugin = null } = locked;
		return {
			...splitCapabilityKey(key),
			version,
			scope: folder.scope,
			folder: folderName,
			path,
			index,
			plugin,
			permissions,
			level,
			contentHash,
			isEnabled: await this.#enabled.isEnabled(path),
			isModified: await isModified(path, locked),
			previousVersion: previous?.version ?? null,
		};
	}
}

export function splitCapabilityKey(key: string): { type: string; name: string } {
	const [type = '', name = ''] = key.split('/');
	return { type, name };
}

/** Files are not those that were installed. */
export async function isModified(folder: string, locked: LockedVersion): Promise<boolean> {
	try {
		return (await readCapabilityFiles(folder)).hash !== locked.contentHash;
	} catch {
		// Not there, or something that no package holds.
		return true;
	}
}
