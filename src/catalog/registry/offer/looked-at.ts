/** Tells whether folders look as they did when all capabilities in them were found: then there is not one more. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameStamp, Looks } from '../reading/looks.ts';
import type { ScanMemory } from '../reading/scan-memory.ts';
import { STAMP_SETTLED_MS } from '../limits.ts';
import type { Root } from '../sources/roots.ts';
import type { LookedAt } from './written-offer.ts';

/** At all roots. */
export interface RootsLook {
	readonly roots: readonly Root[];
	/** Every folder in which one more could appear. */
	readonly watched: readonly string[];
	readonly memory: ScanMemory;
	/** When it began. */
	readonly at: number;
}

/** Undefined when one of them may change without a trace. */
export async function lookedAt({
	roots,
	watched,
	memory: { readings, listings },
	at,
}: RootsLook): Promise<LookedAt | undefined> {
	const looks = new Looks();
	const places = await Promise.all(roots.map(async ({ path }) => [path, await readRealPath(path)] as const));
	const missing = new Set(places.flatMap(([path, real]) => (real === null ? [path] : [])));
	const leading = new Set(places.flatMap(([path, real]) => (real === null || real === path ? [] : [path])));
	const folders: LookedAt['folders'][number][] = [];
	const links: (readonly [string, string | null])[] = [];
	for (const path of new Set(watched)) {
		// Each capability that is told is looked at by itself.
		if (readings.has(path) || missing.has(path) || leading.has(path)) continue;
		const listing = listings.get(path);
		const stamp = listing?.stamp ?? (await looks.stampOf(path));
		// With links in it, it is looked at only now.
		if (
			stamp === undefined ||
			(listing === undefined && Math.max(...Array.from(stamp).slice(2)) > at - STAMP_SETTLED_MS)
		) {
			return undefined;
		}
		folders.push([path, Array.from(stamp)]);
		if (listing !== undefined) continue;
		for (const entry of await readdir(path, { withFileTypes: true })) {
			const link = join(path, entry.name);
			if (entry.isSymbolicLink()) links.push([link, await readRealPath(link)]);
		}
	}
	return { roots: places, folders, links };
}

export async function isAsLookedAt({ roots, folders, links }: LookedAt): Promise<boolean> {
	const looks = new Looks();
	const leading = [...roots, ...links].map(async ([path, real]) => (await readRealPath(path)) === real);
	const areSame = await Promise.all(leading);
	if (areSame.includes(false)) return false;
	for (const [path, stamp] of folders) {
		if (!isSameStamp(stamp, await looks.stampOf(path))) return false;
	}
	return true;
}

async function readRealPath(path: string): Promise<string | null> {
	return await realpath(path).catch(() => null);
}
