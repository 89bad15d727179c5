/** A sample of the mutants that `src/` can have, the same for the same seed, and one that was taken before, found again. */

import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { seeded, shuffled } from '../../test/support/seeded.ts';
import { kinds, type Site, sitesOf } from './sites.ts';

export interface Mutant extends Site {
	/** From 1, in the order of the sample. */
	readonly number: number;
	/** Relative to the repository, with slashes. */
	readonly file: string;
	readonly line: number;
}

/** Most mutants of one file, so that a sample spans many files. */
const mostOfFile = 2;
const noSources = ['src/**/*.test.ts', 'src/**/*.d.ts', 'src/protocol/op-table/op-inputs.ts'];

/** Returns `count` mutants, as many of each kind as far as there are enough. */
export function sampleOf(root: string, seed: number, count: number): Mutant[] {
	const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: noSources }).map((file) =>
		file.replaceAll(sep, '/'),
	);
	const random = seeded(seed);
	const all = files.sort().flatMap((file) => sitesIn(root, file));
	const pools = kinds.map((kind) =>
		shuffled(
			random,
			all.filter((site) => site.kind === kind),
		),
	);
	const taken: (typeof all)[number][] = [];
	const ofFile = new Map<string, number>();
	while (taken.length < count && pools.some((pool) => pool.length > 0)) {
		for (const pool of pools) {
			const at = pool.findIndex(({ file }) => (ofFile.get(file) ?? 0) < mostOfFile);
			const [site] = at < 0 ? pool.splice(0) && [] : pool.splice(0, at + 1).slice(-1);
			if (site === undefined || taken.length === count) continue;
			ofFile.set(site.file, (ofFile.get(site.file) ?? 0) + 1);
			taken.push(site);
		}
	}
	return taken.map((site, index) => ({ ...site, number: index + 1 }));
}

/** Returns the mutants of an earlier sample where they are now. Mutants whose place has changed are missing. */
export function foundAgain(root: string, earlier: readonly Mutant[]): Mutant[] {
	return earlier.flatMap((mutant) => {
		const { number, file, kind, within, occurrence, old } = mutant;
		const same = sitesIn(root, file).find(
			(site) => site.kind === kind && site.within === within && site.old === old && site.occurrence === occurrence,
		);
		return same === undefined ? [] : [{ ...same, new: mutant.new, number }];
	});
}

function sitesIn(root: string, file: string): Omit<Mutant, 'number'>[] {
	const source = readIfThere(join(root, file));
	return sitesOf(file, source).map((site) => ({
		...site,
		file,
		line: source.slice(0, site.start).split('\n').length,
	}));
}

function readIfThere(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
