/**
 * Files that a command put where they steer other programs, found when the command has ended: no sandbox can prevent a
 * file whose name does not exist yet. After a command that was waited for, they are taken away; while a command ran in
 * the background, the user may have made them, so they are only named.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findLinkedRepository, findNamedRepository, reachedByGit } from '../../paths/names/repository-reach.ts';
import type { GuardedPlace } from '../mounts/guarded-place.ts';
import { steeringPaths } from '../mounts/repository-mounts.ts';

/** Most links that lead to each other, as the system has it. */
const MAX_HOPS = 40;

export interface SteeringFiles {
	/** Identity of each file by path: tells which file it is, whatever its name. */
	readonly files: ReadonlyMap<string, string>;
	/** Identity of the folder that each of them lies in, by the path of the file. */
	readonly folders: ReadonlyMap<string, string>;
	/** Where links led, by path. */
	readonly links: ReadonlyMap<string, string>;
	/** Folders of repositories that lie elsewhere than the work trees that name them. */
	readonly repositories: readonly string[];
}

/** Returns the places, among those that were found, that steer other programs. */
export function steeringFiles(places: readonly GuardedPlace[]): SteeringFiles {
	// A second name is guarded for the file, which a command can give no other name there: it plants nothing.
	const steering = places.filter(
		({ isProtected, isRepository, isSecondName }) => (isProtected || isRepository) && isSecondName !== true,
	);
	const guarded = steering.map((place) => ({ place, paths: listGuardedPaths(place) }));
	const files = guarded
		.flatMap(({ paths }) => paths)
		.flatMap((path) => {
			const identity = readFileIdentity(path);
			return identity === undefined ? [] : [[path, identity] as const];
		});
	const links = guarded
		.flatMap(({ place, paths }) => (place.kind === 'link' || place.isRepository ? paths : []))
		.flatMap((path) => {
			const target = readPlantedLink(path);
			return target === undefined ? [] : [[path, target] as const];
		});
	const repositories = steering.flatMap((place) => findRepositoryElsewhere(place) ?? []);
	const folders = files.map(([path]) => [path, readFileIdentity(dirname(path)) ?? ''] as const);
	return { files: new Map(files), folders: new Map(folders), links: new Map(links), repositories };
}

/**
 * Returns the paths that are new, or links that lead elsewhere than before. Entries inside a returned path are not
 * named again, and entries that were only moved with their folder are not new.
 */
export function findPlantedPaths(before: SteeringFiles, after: SteeringFiles): readonly string[] {
	const known = new Set(before.files.values());
	/** No command can replace such a file but with its folder, which whoever saves one leaves. */
	const isExchanged = (path: string) => before.folders.get(path) !== after.folders.get(path);
	const isNew = (path: string, identity: string) =>
		!known.has(identity) && (!before.files.has(path) || isExchanged(path));
	const isOther = (path: string) => before.links.has(path) && before.links.get(path) !== after.links.get(path);
	const found = [...after.files].filter(([path, identity]) => isNew(path, identity) || isOther(path));
	const paths = found.map(([path]) => path);
	return paths.filter(
		(path) => !paths.some((other) => path !== other && path.startsWith(`${other.replace(/\/HEAD$/, '')}/`)),
	);
}

/** Returns Git's own folders among the places, and those elsewhere that they lead to. */
export function listPlantedRepositories(
	places: readonly GuardedPlace[],
	{ repositories }: SteeringFiles,
): readonly string[] {
	const own = places.filter(({ isRepository, kind }) => isRepository && kind === 'folder').map(({ path }) => path);
	return [...new Set([...own, ...repositories])];
}

/** A folder that Git would take for a repository is none without its `HEAD`, and may hold anything else. */
function listGuardedPaths(place: GuardedPlace): string[] {
	const { path, kind, isRepository } = place;
	if (kind === 'link') return listHops(path);
	const linked = findRepositoryElsewhere(place);
	if (linked !== undefined) return [path, ...steeringPaths(linked, dirname(path))];
	const named = isGitFile(place) ? findNamedRepository(path) : undefined;
	if (named !== undefined) return [path, ...reachedByGit(named, dirname(path))];
	const own = isRepository && basename(path) !== '.git' ? join(path, 'HEAD') : path;
	return isRepository ? [own, ...steeringPaths(path, dirname(path))] : [own];
}

/** A link, those that it leads to, and the path at their end, whether anything is there or not. */
function listHops(path: string): string[] {
	const hops = [path];
	for (let at = path; hops.length <= MAX_HOPS;) {
		const target = readPlantedLink(at);
		if (target === undefined) break;
		at = settleParent(resolve(dirname(at), target));
		if (hops.includes(at)) break;
		hops.push(at);
	}
	return hops;
}

/** The path without links above it. */
function settleParent(path: string): string {
	try {
		return join(realpathSync(dirname(path)), basename(path));
	} catch {
		// The folder does not exist yet.
		return path;
	}
}

function findRepositoryElsewhere(place: GuardedPlace): string | undefined {
	return isGitFile(place) ? findLinkedRepository(place.path) : undefined;
}

function isGitFile({ path, kind }: GuardedPlace): boolean {
	return kind === 'file' && basename(path) === '.git';
}

function readFileIdentity(path: string): string | undefined {
	try {
		// Where a link was removed, the next file has its number: only the time at which it was made tells them apart.
		const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
		return `${dev}:${ino}:${birthtimeNs}`;
	} catch {
		// Gone since.
		return undefined;
	}
}

function readPlantedLink(path: string): string | undefined {
	try {
		return readlinkSync(path);
	} catch {
		// Gone since, or no link any more.
		return undefined;
	}
}
