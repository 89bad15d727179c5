/** What a look has read, to be read again only where something has changed. */
import type { ReadManifest } from '../../../protocol/manifest/read-manifest.ts';
import type { Stamp } from './looks.ts';

export interface KnownReading {
	/** What its folder is called where it was found, and all else that decides what is read of it: its type, which files. */
	readonly name: string;
	readonly key: string;
	/** Of its files, when they were read. */
	readonly stamp: Stamp;
	readonly read: ReadManifest<unknown>;
}

/** What lies in a folder that has no links in it. */
export interface KnownListing {
	readonly stamp: Stamp;
	/** Names, in order. */
	readonly folders: readonly string[];
	readonly files: readonly string[];
}

export class ScanMemory {
	/** By folder. */
	readonly readings: Map<string, KnownReading>;
	/** By folder. */
	readonly listings: Map<string, KnownListing>;

	constructor(
		readings: Iterable<readonly [string, KnownReading]> = [],
		listings: Iterable<readonly [string, KnownListing]> = [],
	) {
		this.readings = new Map(readings);
		this.listings = new Map(listings);
	}

	/** What did not change is the same object. */
	isSame({ readings, listings }: ScanMemory): boolean {
		return isSameMap(this.readings, readings) && isSameMap(this.listings, listings);
	}
}

function isSameMap<Value>(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
	return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
