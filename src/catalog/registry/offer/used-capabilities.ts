/**
 * Which capabilities were used in this project, how often and when: kept by project in the home, never in the workspace. Several
 * processes may write: then one use may be lost, never the file.
 */
import { join } from 'node:path';
import type { CapabilityManifest } from '../../../protocol/manifest.ts';
import { CapabilityUse, type UsedHere } from '../../../protocol/ops/used-here.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { projectFile } from '../../../machine/home-files/project-name.ts';
import { removeOld } from '../../../machine/home-files/remove-old.ts';
import { HALF_USED_AFTER_MS, MAX_USED_CAPABILITIES, USES_KEPT_MS } from '../limits.ts';

const KeptUses = z.array(z.tuple([z.string(), CapabilityUse]));

export class UsedCapabilities {
	readonly #ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>;
	readonly #folder: string;
	readonly #now: () => number;
	#noting: Promise<void> = Promise.resolve();

	constructor(ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>, now: () => number = Date.now) {
		this.#ports = ports;
		this.#folder = join(ports.places.home, 'used');
		this.#now = now;
	}

	/**
	 * Returns the uses in this project, faded to the time of the call. Never rejects: a file that cannot be read counts
	 * as empty.
	 */
	async here(): Promise<UsedHere> {
		const path = this.#path();
		await this.#noting;
		const now = this.#now();
		return new Map(path === undefined ? [] : (await this.#read(path)).map(([key, used]) => [key, fadedAt(used, now)]));
	}

	/** Does not fail, and is not waited for: `settled` says when it is on the disk. */
	note({ type, name }: Pick<CapabilityManifest, 'type' | 'name'>): void {
		const path = this.#path();
		const now = this.#now();
		if (path !== undefined) this.#noting = this.#noting.then(() => this.#note(path, `${type}/${name}`, now));
	}

	/** Never rejects. */
	async settled(): Promise<void> {
		await this.#noting;
	}

	async #note(path: string, key: string, now: number): Promise<void> {
		try {
			const kept = new Map(await this.#read(path));
			const before = kept.get(key);
			const weight = before === undefined ? 0 : fadedAt(before, now).weight;
			kept.set(key, { count: (before?.count ?? 0) + 1, lastAt: now, weight: weight + 1 });
			const latest = [...kept].toSorted(([, a], [, b]) => b.lastAt - a.lastAt).slice(0, MAX_USED_CAPABILITIES);
			await replaceDurably(path, JSON.stringify(latest));
			await removeOld(this.#folder, () => USES_KEPT_MS, now);
		} catch (error) {
			this.#ports.log.warn('which capabilities were used here cannot be written', { path, error: String(error) });
		}
	}

	async #read(path: string): Promise<z.infer<typeof KeptUses>> {
		try {
			return KeptUses.parse(JSON.parse((await readIfThere(path)) ?? '[]'));
		} catch (error) {
			this.#ports.log.warn('which capabilities were used here cannot be read: it is as none', {
				path,
				error: String(error),
			});
			return [];
		}
	}

	/** Undefined without a project. */
	#path(): string | undefined {
		return projectFile(this.#folder, this.#ports.workspace.folders);
	}
}

function fadedAt(used: CapabilityUse, now: number): CapabilityUse {
	return { ...used, weight: used.weight * 0.5 ** (Math.max(0, now - used.lastAt) / HALF_USED_AFTER_MS) };
}
