/** Capabilities that were used in this project, how often and when. */
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import { CapabilityUse, type UsedHere } from '../../../protocol/ops/capability-value.ts';
import * as z from '../../../protocol/text/zod.ts';
import { readIfThere } from '../../../machine/home-files/durable-file.ts';
import { HALF_USED_AFTER_MS, MAX_USED_CAPABILITIES, USES_KEPT_MS } from '../limits.ts';
import { ProjectNotes, type ProjectNotesPorts } from './project-notes.ts';

const KeptUses = z.array(z.tuple([z.string(), CapabilityUse]));

export class UsedCapabilities {
	readonly #notes: ProjectNotes;
	readonly #now: () => number;

	constructor(ports: ProjectNotesPorts, now: () => number = Date.now) {
		const subject = 'which capabilities were used here';
		this.#notes = new ProjectNotes(ports, { folder: 'used', subject, keptMs: USES_KEPT_MS });
		this.#now = now;
	}

	/**
	 * Returns the uses in this project, faded to the time of the call. Never rejects: a file that cannot be read counts
	 * as empty.
	 */
	async here(): Promise<UsedHere> {
		const path = this.#notes.path();
		await this.#notes.settled();
		const now = this.#now();
		return new Map(path === undefined ? [] : (await this.#read(path)).map(([key, used]) => [key, fadedAt(used, now)]));
	}

	/** Does not fail, and is not waited for: `settled` says when it is on the disk. */
	note({ type, name }: Pick<CapabilityManifest, 'type' | 'name'>): void {
		const path = this.#notes.path();
		const now = this.#now();
		if (path === undefined) return;
		this.#notes.note(path, async (before) => {
			await before;
			await this.#write(path, `${type}/${name}`, now);
		});
	}

	/** Never rejects. */
	async settled(): Promise<void> {
		await this.#notes.settled();
	}

	async #write(path: string, key: string, now: number): Promise<void> {
		const kept = new Map(await this.#read(path));
		const before = kept.get(key);
		const weight = before === undefined ? 0 : fadedAt(before, now).weight;
		kept.set(key, { count: (before?.count ?? 0) + 1, lastAt: now, weight: weight + 1 });
		const latest = [...kept].toSorted(([, a], [, b]) => b.lastAt - a.lastAt).slice(0, MAX_USED_CAPABILITIES);
		await this.#notes.replace(path, JSON.stringify(latest), now);
	}

	async #read(path: string): Promise<z.infer<typeof KeptUses>> {
		try {
			return KeptUses.parse(JSON.parse((await readIfThere(path)) ?? '[]'));
		} catch (error) {
			this.#notes.warnUnreadable(path, error, 'it is as none');
			return [];
		}
	}
}

function fadedAt(used: CapabilityUse, now: number): CapabilityUse {
	return { ...used, weight: used.weight * 0.5 ** (Math.max(0, now - used.lastAt) / HALF_USED_AFTER_MS) };
}
