/**
 * Reads what one folder of a workspace holds that a sandbox guards, up to a time: what was read of a folder by then is kept, and
 * the next look goes on from there, so that no folder is too large to be looked through and none keeps its host waiting.
 */
import { accessSync, constants, type Dirent, lstatSync, opendirSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { isReadOnlyInSandbox } from '../../paths/names/protected-names.ts';
import { isSecretName } from '../../paths/names/secret-names.ts';
import { isToolFolderName } from '../../paths/names/name-rules.ts';
import { GUARDED_PLACES, GUARDED_SETTLED_MS, LARGE_FOLDER_FILES } from '../limits.ts';
import { bareRepository, type GuardedPlace, shapesRepository, toGuardedPlace } from './guarded-place.ts';
import type { ManyNamedFile } from './second-names.ts';
import { identifyFolder } from './tool-folders.ts';

export interface ReadFolder {
	readonly changedAt: bigint;
	readonly isSettled: boolean;
	readonly identity: string;
	/** Number of entries that were read before the time ended; undefined: all. */
	readonly readEntries: number | undefined;
	/** At most one more than are guarded of a workspace. */
	readonly places: readonly GuardedPlace[];
	readonly folders: readonly string[];
	/** Pipes, sockets and devices in it, absolute. */
	readonly odd: readonly string[];
	/** Files in it with several names. */
	readonly named: readonly ManyNamedFile[];
	/** Folders in it that tools fill, absolute. */
	readonly packages: readonly string[];
	/** Entries that make it a repository to Git, whatever its own name. */
	readonly shape: readonly Dirent[];
	/** Names of files that are guarded for no name, in a large folder: they are not judged again. */
	readonly ordinary: ReadonlySet<string>;
}

interface FolderLook {
	readonly folder: ReadFolder;
	/** False: the time ended before everything in it was looked at. */
	readonly isWhole: boolean;
}

/** Entries between two looks at the clock. */
const ENTRIES_OF_LOOK = 256;
/** Entries that are asked of the system at once. */
const ENTRIES_OF_READ = 1_024;

/**
 * `segments`: names of the folders from the root to it. `known`: what an earlier look found at that path. `endMs`: by
 * `performance.now()`. Undefined: it is gone since, or cannot be read or looked into.
 */
export function readGuardedFolder(
	path: string,
	segments: readonly string[],
	known: ReadFolder | undefined,
	endMs: number,
): FolderLook | undefined {
	try {
		const stat = statSync(path, { bigint: true });
		// A command can set the time of the last change of what a folder holds, and not this one.
		const changedAt = stat.ctimeNs;
		const identity = identifyFolder(stat);
		const isSame = known?.isSettled === true && known.identity === identity && known.changedAt === changedAt;
		const stillNamed = isSame ? areStillNamed(known.named, endMs) : false;
		if (isSame && stillNamed !== false) {
			const folder = known.readEntries === undefined ? known : readFolderPart(path, segments, known, endMs);
			return { folder, isWhole: stillNamed === true && folder.readEntries === undefined };
		}
		accessSync(path, constants.R_OK | constants.X_OK);
		const isSettled = Date.now() - Number(changedAt / 1_000_000n) > GUARDED_SETTLED_MS;
		const ordinary = known?.ordinary ?? NONE;
		const folder = readFolderPart(path, segments, { ...UNREAD, changedAt, identity, isSettled, ordinary }, endMs);
		return { folder, isWhole: folder.readEntries === undefined };
	} catch {
		return undefined;
	}
}

const NONE: ReadonlySet<string> = new Set();
const UNREAD = { readEntries: 0, places: [], folders: [], odd: [], named: [], packages: [], shape: [] } as const;

/** Goes on where `from` ended. */
function readFolderPart(path: string, segments: readonly string[], from: ReadFolder, endMs: number): ReadFolder {
	const places = [...from.places];
	const folders = [...from.folders];
	const odd = [...from.odd];
	const named = [...from.named];
	const packages = [...from.packages];
	const shape = [...from.shape];
	const ordinary = new Set<string>(from.readEntries === 0 ? [] : from.ordinary);
	// In a folder that is kept as it is, what else is to be guarded: secrets, repositories, and what links lead to.
	const isKept = isReadOnlyInSandbox(segments);
	// A secret folder is hidden with its contents; only second names of its files lie elsewhere.
	const isHidden = isInSecretFolder(segments);
	const start = path.endsWith(sep) ? path : `${path}${sep}`;
	const readEntry = (entry: Dirent): void => {
		const inside = `${start}${entry.name}`;
		if (isHidden) {
			if (entry.isFile()) named.push(...readNamedFile(inside, true));
			else if (entry.isDirectory()) folders.push(entry.name);
			return;
		}
		const isKnown = from.ordinary.has(entry.name) && entry.isFile();
		const place = isKnown ? undefined : toGuardedPlace(entry, path, segments);
		const isGuarded = place !== undefined && (!isKept || place.isSecret || place.isRepository || place.kind === 'link');
		if (isGuarded && places.length <= GUARDED_PLACES) places.push(place);
		if (shapesRepository(entry)) shape.push(entry);
		if (entry.isFile()) {
			named.push(...readNamedFile(inside, false));
			if (place === undefined) ordinary.add(entry.name);
		} else if (entry.isDirectory()) {
			if (isToolFolderName(entry.name)) packages.push(inside);
			else if (place?.isRepository !== true) folders.push(entry.name);
		} else if (isOddEntry(entry)) {
			odd.push(inside);
		}
	};
	const end = readEntriesFrom(path, from.readEntries ?? 0, endMs, readEntry);
	const repository = end === undefined ? bareRepository(shape, path) : [];
	if (end === undefined) {
		// The system gives entries in no order that a person would know.
		folders.sort();
		places.sort((one, other) => (one.path < other.path ? -1 : 1));
	}
	return {
		...from,
		readEntries: end,
		places: [...repository, ...places],
		folders,
		odd,
		named,
		packages,
		shape,
		ordinary: ordinary.size > LARGE_FOLDER_FILES || end !== undefined ? ordinary : NONE,
	};
}

/** Returns how many entries were read when the time ended; undefined: all. Some are read each time. */
function readEntriesFrom(
	path: string,
	first: number,
	endMs: number,
	read: (entry: Dirent) => void,
): number | undefined {
	const folder = opendirSync(path, { bufferSize: ENTRIES_OF_READ });
	try {
		for (let at = 0; ; at++) {
			const isLook = at > first && at % ENTRIES_OF_LOOK === 0;
			if (isLook && performance.now() > endMs) return at;
			const entry = folder.readSync();
			if (entry === null) return undefined;
			if (at >= first) read(entry);
		}
	} finally {
		folder.closeSync();
	}
}

/** A name elsewhere comes and goes without a trace in this folder. Undefined: the time ended before all were looked at. */
function areStillNamed(named: readonly ManyNamedFile[], endMs: number): boolean | undefined {
	for (const [at, { path, file, names }] of named.entries()) {
		if (at % ENTRIES_OF_LOOK === ENTRIES_OF_LOOK - 1 && performance.now() > endMs) return undefined;
		const [now] = readNamedFile(path, false);
		if (now?.file !== file || now.names !== names) return false;
	}
	return true;
}

/** None for a file with one name. */
function readNamedFile(path: string, isHidden: boolean): ManyNamedFile[] {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	return stat === undefined || stat.nlink < 2
		? []
		: [{ path, file: `${stat.dev}:${stat.ino}`, names: stat.nlink, isHidden }];
}

/** True of the path of a folder that is secret itself, or lies in one. */
export function isInSecretFolder(segments: readonly string[]): boolean {
	return segments.some((_, at) => isSecretName(segments.slice(0, at + 1)));
}

/** True for a pipe, a socket or a device. */
export function isOddEntry(entry: Dirent): boolean {
	return entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice();
}
