/**
 * Which capabilities were offered in this project, and since when at the earliest: kept by project in the home, never in the
 * workspace, so that a thread that goes on in a later process hears of those that came meanwhile. The time of the file is
 * that of the last look. Several processes may write: then one look may be lost, never the file.
 */
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from '../../../protocol/text/zod.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import { readIfThere, replaceDurably } from '../../../machine/home-files/durable-file.ts';
import { projectFile } from '../../../machine/home-files/project-name.ts';
import { removeOld } from '../../../machine/home-files/remove-old.ts';
import { MAX_SEEN_CAPABILITIES, MAX_SEEN_FILE_BYTES, SEEN_KEPT_MS } from '../limits.ts';

/** Names as `type/name`, by the time of the last look without them; 0: there at the first look. */
const KeptSeenNames = z.array(z.tuple([z.number(), z.array(z.string())]));

interface SeenRecord {
	readonly notBefore: ReadonlyMap<string, number>;
	/** Time of the last look. */
	readonly at: number;
}

export class SeenCapabilities {
	readonly #ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>;
	readonly #folder: string;
	readonly #now: () => number;
	#noting: Promise<void> = Promise.resolve();

	constructor(ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>, now: () => number = Date.now) {
		this.#ports = ports;
		this.#folder = join(ports.places.home, 'seen');
		this.#now = now;
	}

	/** Returns the `names` that did not exist yet at `time`, as far as that is known, sorted. Never rejects. */
	async cameAfter(time: number, names: ReadonlySet<string>): Promise<readonly string[]> {
		const path = this.#path();
		const seen = path === undefined ? undefined : await this.#read(path);
		if (seen === undefined) return [];
		return [...names].filter((name) => (seen.notBefore.get(name) ?? seen.at) >= time).toSorted();
	}

	/**
	 * Notes the names found by a scan that begins at the time of the call. A result of undefined means that no scan
	 * took place: then names that are not known yet came later. Never fails, and callers need not wait: `settled`
	 * resolves when the note is on the disk.
	 */
	note(looked: Promise<ReadonlySet<string> | undefined>): void {
		const path = this.#path();
		const now = this.#now();
		if (path !== undefined) this.#noting = Promise.all([this.#noting, this.#note(path, looked, now)]).then(() => {});
	}

	/** Resolves when all notes so far are on the disk. Never rejects. */
	async settled(): Promise<void> {
		await this.#noting;
	}

	async #note(path: string, looked: Promise<ReadonlySet<string> | undefined>, now: number): Promise<void> {
		const before = this.#noting;
		try {
			const names = await looked;
			await before;
			const seen = await this.#read(path);
			if (names !== undefined && (seen === undefined || [...names].some((name) => !seen.notBefore.has(name)))) {
				const here = [...names].map(
					(name) => [name, seen === undefined ? 0 : (seen.notBefore.get(name) ?? seen.at)] as const,
				);
				// Keeps names that are gone, so that they are not new when they come back: a workspace may have lost
				// its trust only for a while.
				const gone = [...(seen?.notBefore ?? [])].filter(([name]) => !names.has(name));
				await replaceDurably(path, serializeSeenNames([...here, ...gone].slice(0, MAX_SEEN_CAPABILITIES)));
				await removeOld(this.#folder, () => SEEN_KEPT_MS, now);
			} else if (seen === undefined) return;
			await utimes(path, now / 1000, now / 1000);
		} catch (error) {
			this.#ports.log.warn('which capabilities were offered here cannot be written', { path, error: String(error) });
		}
	}

	/** Undefined when there is none, or it cannot be read: then all that is there counts as seen. */
	async #read(path: string): Promise<SeenRecord | undefined> {
		try {
			const file = await stat(path).catch(() => undefined);
			const content = file === undefined || file.size > MAX_SEEN_FILE_BYTES ? undefined : await readIfThere(path);
			if (file === undefined || content === undefined) return undefined;
			const groups = KeptSeenNames.parse(JSON.parse(content));
			const notBefore = groups.flatMap(([time, names]) => names.map((name) => [name, time] as const));
			return { notBefore: new Map(notBefore), at: Math.round(file.mtimeMs) };
		} catch (error) {
			this.#ports.log.warn('which capabilities were offered here cannot be read: all count as seen', {
				path,
				error: String(error),
			});
			return undefined;
		}
	}

	/** Undefined without a project. */
	#path(): string | undefined {
		return projectFile(this.#folder, this.#ports.workspace.folders);
	}
}

function serializeSeenNames(all: readonly (readonly [name: string, notBefore: number])[]): string {
	const groups = Map.groupBy(all, ([, notBefore]) => notBefore);
	return JSON.stringify([...groups].map(([notBefore, entries]) => [notBefore, entries.map(([name]) => name)]));
}
