/**
 * A memory of a look as it is written: in columns, with what many have in common written once. Thousands of items are read back
 * in the time in which a first request waits for them.
 */
import { basename } from 'node:path';
import type { ManifestProblem } from '../../../protocol/manifest/problem.ts';
import type { Stamp } from './looks.ts';
import { ScanMemory } from './scan-memory.ts';

/** Each column has one entry for each item. */
export interface WrittenMemory {
	/** Values that the columns refer to by index. */
	readonly shared: readonly unknown[];
	readonly readings: {
		readonly paths: readonly string[];
		/** Names of the folders; a number: the last part of the path. */
		readonly folders: readonly (string | 0)[];
		readonly keys: readonly number[];
		/** All of the manifest but its name and description. */
		readonly rests: readonly number[];
		readonly names: readonly string[];
		readonly descriptions: readonly string[];
		readonly problems: readonly number[];
		readonly stamps: WrittenStamps;
	};
	readonly listings: {
		readonly paths: readonly string[];
		readonly folders: readonly number[];
		readonly files: readonly number[];
		readonly stamps: WrittenStamps;
	};
}

interface WrittenStamps {
	/** Count of numbers in each stamp. */
	readonly lengths: readonly number[];
	/** Numbers of all stamps, eight bytes each in the byte order of this machine, as base64. */
	readonly numbers: string;
}

export function serializeScanMemory({ readings, listings }: ScanMemory): WrittenMemory {
	const shared: unknown[] = [];
	const indices = new Map<string, number>();
	const shareValue = (value: unknown) => {
		const text = JSON.stringify(value);
		const known = indices.get(text);
		if (known !== undefined) return known;
		indices.set(text, shared.length);
		return shared.push(value) - 1;
	};
	// Keeps only usable capabilities: the problems of the others are read anew each time. For usable ones, the manifest
	// holds everything.
	const usable = [...readings].sort(compareEntryPaths).flatMap(([path, { name: folder, key, stamp, read }]) => {
		if (read.manifest === undefined) return [];
		const { name, description, ...rest } = read.manifest as Readonly<Record<string, unknown>>;
		return [
			{ path, folder, key, stamp, rest, name: String(name), about: String(description), problems: read.problems },
		];
	});
	const found = [...listings].sort(compareEntryPaths).map(([path, listing]) => ({ path, ...listing }));
	return {
		readings: {
			paths: usable.map(({ path }) => path),
			folders: usable.map(({ folder, path }) => (folder === basename(path) ? 0 : folder)),
			keys: usable.map(({ key }) => shareValue(key)),
			rests: usable.map(({ rest }) => shareValue(rest)),
			names: usable.map(({ name }) => name),
			descriptions: usable.map(({ about }) => about),
			problems: usable.map(({ problems }) => shareValue(problems)),
			stamps: writtenStamps(usable.map(({ stamp }) => stamp)),
		},
		listings: {
			paths: found.map(({ path }) => path),
			folders: found.map(({ folders }) => shareValue(folders)),
			files: found.map(({ files }) => shareValue(files)),
			stamps: writtenStamps(found.map(({ stamp }) => stamp)),
		},
		shared,
	};
}

export function restoreScanMemory({ shared, readings, listings }: WrittenMemory): ScanMemory {
	const memory = new ScanMemory();
	const { folders, keys, rests, names, descriptions, problems } = readings;
	const stamps = parseStamps(readings.stamps);
	for (const [at, path] of readings.paths.entries()) {
		const name = names[at];
		const rest = shared[rests[at] ?? -1] as object;
		memory.readings.set(path, {
			name: folders[at] || basename(path),
			key: shared[keys[at] ?? -1] as string,
			stamp: stamps[at] ?? [],
			read: {
				manifest: { ...rest, name, description: descriptions[at] },
				problems: shared[problems[at] ?? -1] as readonly ManifestProblem[],
				raw: {},
			},
		});
	}
	const listed = parseStamps(listings.stamps);
	for (const [at, path] of listings.paths.entries()) {
		memory.listings.set(path, {
			stamp: listed[at] ?? [],
			folders: shared[listings.folders[at] ?? -1] as readonly string[],
			files: shared[listings.files[at] ?? -1] as readonly string[],
		});
	}
	return memory;
}

function writtenStamps(stamps: readonly Stamp[]): WrittenStamps {
	const numbers = Float64Array.from(stamps.flatMap((stamp) => Array.from(stamp)));
	return { lengths: stamps.map(({ length }) => length), numbers: Buffer.from(numbers.buffer).toString('base64') };
}

function parseStamps({ lengths, numbers }: WrittenStamps): Stamp[] {
	const bytes = Buffer.from(numbers, 'base64');
	const all = new Float64Array(new Uint8Array(bytes).buffer);
	let at = 0;
	return lengths.map((length) => {
		at += length;
		return all.subarray(at - length, at);
	});
}

function compareEntryPaths([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
	return a < b ? -1 : 1;
}
