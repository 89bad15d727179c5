/** Capabilities as folders, `<root>/<type>/<name>`: those of the workspace first, while it is trusted, then the user's own. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors.ts';
import type { WorkspacePort } from '../ports.ts';
import type { BrokenCapability, Capability, CapabilitySource } from './capability-source.ts';
import { readManifest } from './read-manifest.ts';

const SEGMENT = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

export class FolderSource implements CapabilitySource {
	readonly #workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly #home: string;

	constructor(workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>, home: string) {
		this.#workspace = workspace;
		this.#home = home;
	}

	async find(name: string, type: string | undefined): Promise<Capability | undefined> {
		if (!SEGMENT.test(name) || (type !== undefined && !SEGMENT.test(type))) {
			return undefined;
		}
		for (const root of this.#roots()) {
			for (const each of type === undefined ? await folderNames(root.path) : [type]) {
				try {
					return await this.#read(join(root.path, each, name), root.source, each, name);
				} catch (error) {
					if (!(error instanceof ProwessError && error.code === 'CAPABILITY_NOT_FOUND')) throw error;
				}
			}
		}
		return undefined;
	}

	async list(): Promise<{ capabilities: Capability[]; broken: BrokenCapability[] }> {
		const capabilities: Capability[] = [];
		const broken: BrokenCapability[] = [];
		for (const root of this.#roots()) {
			for (const type of await folderNames(root.path)) {
				for (const name of await folderNames(join(root.path, type))) {
					const path = join(root.path, type, name);
					try {
						capabilities.push(await this.#read(path, root.source, type, name));
					} catch (error) {
						broken.push({ path, problem: error instanceof Error ? error.message : String(error) });
					}
				}
			}
		}
		return { capabilities, broken };
	}

	async at(path: string): Promise<Capability> {
		const real = await realpath(path).catch(() => path);
		const isGlobal = real.startsWith(join(this.#home, 'capabilities'));
		if (!isGlobal && !this.#workspace.isTrusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', `${path}: nothing is read before the workspace is trusted`, {
				path,
			});
		}
		return { manifest: await readManifest(real), path: real, source: isGlobal ? 'global' : 'project' };
	}

	async #read(path: string, source: Capability['source'], type: string, name: string): Promise<Capability> {
		const manifest = await readManifest(path);
		if (manifest.name !== name || manifest.type !== type) {
			const is = `${manifest.type}/${manifest.name}`;
			throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: the manifest says it is ${is}`, { path });
		}
		return { manifest, path: await realpath(path), source };
	}

	#roots(): { readonly path: string; readonly source: Capability['source'] }[] {
		const { folders, isTrusted } = this.#workspace;
		return [
			...(isTrusted ? folders : []).map(
				({ path }) => ({ path: join(path, '.prowess', 'capabilities'), source: 'project' }) as const,
			),
			{ path: join(this.#home, 'capabilities'), source: 'global' },
		];
	}
}

/** In the order of their names; empty when there is no such folder. */
async function folderNames(path: string): Promise<string[]> {
	const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
	return entries
		.filter((entry) => entry.isDirectory() && SEGMENT.test(entry.name))
		.map(({ name }) => name)
		.sort();
}
