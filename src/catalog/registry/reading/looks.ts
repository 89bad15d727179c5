/**
 * Looks at many files and folders for a change. A disk that has them at hand answers in less time than it takes to wait for it,
 * so most looks are taken at once, in pieces; of a slow one they are waited for.
 */
import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { LOOKS_WAITED_FOR, STAMP_SETTLED_MS, SLOW_LOOK_MS } from '../limits.ts';
import { Pace } from '../watch/pace.ts';

/** Numbers that change when a file or folder does: four for each. */
export type Stamp = Pick<readonly number[], number | 'length'>;

export class Looks {
	/** A known folder that holds a capability is taken as it was: whoever uses it looks whether it still is. */
	readonly areTrusting: boolean;
	readonly #now: () => number;
	readonly #pace = new Pace();
	#waitFor = 0;

	constructor(now: () => number = Date.now, areTrusting = false) {
		this.#now = now;
		this.areTrusting = areTrusting;
	}

	/** Undefined when one is not there, or may change without a trace, so shortly after it was written. */
	async stampOf(...paths: readonly string[]): Promise<Stamp | undefined> {
		const stamps: number[] = [];
		for (const path of paths) {
			const stats = await this.#look(path);
			const stamp = stats === undefined ? undefined : stampOfStats(stats, this.#now());
			if (stamp === undefined) return undefined;
			stamps.push(...stamp);
		}
		return stamps;
	}

	/** A link is not followed. */
	async #look(path: string): Promise<Stats | undefined> {
		if (this.#waitFor > 0) {
			this.#waitFor -= 1;
			return await lstat(path).catch(() => undefined);
		}
		return await this.#pace.take(() => {
			const startedAt = performance.now();
			try {
				return lstatSync(path, { throwIfNoEntry: false });
			} catch {
				return undefined;
			} finally {
				if (performance.now() - startedAt > SLOW_LOOK_MS) this.#waitFor = LOOKS_WAITED_FOR;
			}
		});
	}
}

export function stampOfStats({ ino, size, mtimeMs, ctimeMs }: Stats, now: number): number[] | undefined {
	return Math.abs(now - ctimeMs) < STAMP_SETTLED_MS ? undefined : [ino, size, mtimeMs, ctimeMs];
}

export function isSameStamp(a: Stamp, b: Stamp | undefined): boolean {
	if (a.length !== b?.length) return false;
	for (let at = 0; at < a.length; at += 1) {
		if (a[at] !== b[at]) return false;
	}
	return true;
}
