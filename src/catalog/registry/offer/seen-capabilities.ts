/**
 * Capabilities that were offered in this project, and since when at the earliest, so that a thread that goes on in a later
 * process hears of those that came meanwhile. The time of the file is that of the last look.
 */
import { stat, utimes } from 'node:fs/promises';
import * as z from '../../../protocol/text/zod.ts';
import { readIfThere } from '../../../machine/home-files/durable-file.ts';
import { MAX_SEEN_CAPABILITIES, MAX_SEEN_FILE_BYTES, SEEN_KEPT_MS } from '../limits.ts';
import { ProjectNotes, type ProjectNotesPorts } from './project-notes.ts';

/** Names as `type/name`, by the time of the last look without them; 0: there at the first look. */
const KeptSeenNames = z.array(z.tuple([z.number(), z.array(z.string())]));

interface SeenRecord {
	readonly notBefore: ReadonlyMap<string, number>;
	/** Time of the last look. */
	readonly at: number;
}

export class SeenCapabilities {
	readonly #notes: ProjectNotes;
	readonly #now: () => number;

	constructor(ports: ProjectNotesPorts, now: () => number = Date.now) {
		const subject = 'which capabilities were offered here';
		this.#notes = new ProjectNotes(ports, { folder: 'seen', subject, keptMs: SEEN_KEPT_MS });
		this.#now = now;
	}

	/** Returns the `names` that did not exist yet at `time`, as far as that is known, sorted. Never rejects. */
	async cameAfter(time: number, names: ReadonlySet<string>): Promise<readonly string[]> {
		const path = this.#notes.path();
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
		const path = this.#notes.path();
		const now = this.#now();
		if (path === undefined) return;
		this.#notes.note(path, async (before) => {
			const names = await looked;
			await before;
			await this.#write(path, names, now);
		});
	}

	/** Resolves when all notes so far are on the disk. Never rejects. */
	async settled(): Promise<void> {
		await this.#notes.settled();
	}

	async #write(path: string, names: ReadonlySet<string> | undefined, now: number): Promise<void> {
		const seen = await this.#read(path);
		if (names !== undefined && (seen === undefined || [...names].some((name) => !seen.notBefore.has(name)))) {
			const here = [...names].map(
				(name) => [name, seen === undefined ? 0 : (seen.notBefore.get(name) ?? seen.at)] as const,
			);
			// Keeps names that are gone, so that they are not new when they come back: a workspace may have lost its
			// trust only for a while.
			const gone = [...(seen?.notBefore ?? [])].filter(([name]) => !names.has(name));
			const kept = [...here, ...gone].slice(0, MAX_SEEN_CAPABILITIES);
			await this.#notes.replace(path, serializeSeenNames(kept), now);
		} else if (seen === undefined) return;
		await utimes(path, now / 1000, now / 1000);
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
			this.#notes.warnUnreadable(path, error, 'all count as seen');
			return undefined;
		}
	}
}

function serializeSeenNames(all: readonly (readonly [name: string, notBefore: number])[]): string {
	const groups = Map.groupBy(all, ([, notBefore]) => notBefore);
	return JSON.stringify([...groups].map(([notBefore, entries]) => [notBefore, entries.map(([name]) => name)]));
}
