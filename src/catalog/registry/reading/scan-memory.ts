/** Memory of what a scan has read, so that the next one reads again only where something has changed. */
import type { ReadManifest } from '../../../protocol/manifest/read-manifest.ts';
import type { Stamp } from './looks.ts';

export interface KnownReading {
	/**
	 * Name of the folder where it was found; `key` holds all else that decides what is read of it: its type, which
	 * files.
	 */
	readonly name: string;
	readonly key: string;
	/** Stamp of its files at the time they were read. */
	readonly stamp: Stamp;
	readonly read: ReadManifest<unknown>;
}

/** Content of a folder that has no links in it. */
export interface KnownListing {
	readonly stamp: Stamp;
	/** Names, in order. */
	readonly folders: readonly string[];
	readonly files: readonly string[];
}

export class ScanMemory {
	/** Readings, keyed by folder. */
	readonly readings: Map<string, KnownReading>;
	/** Listings, keyed by folder. */
	readonly listings: Map<string, KnownListing>;

	constructor(
		readings: Iterable<readonly [string, KnownReading]> = [],
		listings: Iterable<readonly [string, KnownListing]> = [],
	) {
		this.readings = new Map(readings);
		this.listings = new Map(listings);
	}

	/** True when both memories hold the same entries; an unchanged entry is the same object. */
	isSame({ readings, listings }: ScanMemory): boolean {
		return isSameMap(this.readings, readings) && isSameMap(this.listings, listings);
	}
}

function isSameMap<Value>(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
	return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
