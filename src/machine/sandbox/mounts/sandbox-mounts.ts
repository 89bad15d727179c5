/** Mounts of a command's sandbox: the parts of the machine, the home and the workspace that the command finds. */
import {
	accessSync,
	constants,
	existsSync,
	lstatSync,
	mkdirSync,
	readlinkSync,
	realpathSync,
	symlinkSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import type { GuardedPlace } from './guarded-place.ts';
import { HIDDEN_FILES, HIDDEN_FOLDERS, SHOWN_AGAIN } from './hidden-places.ts';
import { isExistingFolder } from '../../paths/is-folder.ts';
import { findLinkedRepository, findNamedRepository, reachedByGit } from '../../paths/names/repository-reach.ts';
import { CACHES, cacheName, homeIn, type PlacedLink } from './home-contents.ts';
import { homeOfUser, homeTable, resolveHomeEntry } from './home-table.ts';
import { isInFolder, Mounts } from './mounts.ts';
import type { RepositoryAbove } from './repository-above.ts';
import { repositoryMounts, steeringMounts } from './repository-mounts.ts';
import type { CommandFolders } from '../sandbox-folders.ts';

/** Places beyond the sandbox that a person has let the command reach; absolute and free of links. */
export interface SandboxReach {
	readonly read: readonly string[];
	readonly write: readonly string[];
}

export interface LayoutOptions {
	readonly own: CommandFolders;
	/** In place of `/tmp` where nothing but the home and the workspace is shown in it; absent: a folder of `own`. */
	readonly temporary?: string | undefined;
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace, free of links. */
	readonly roots: readonly string[];
	readonly guarded: readonly GuardedPlace[];
	/** Repositories of which the workspace is a part. */
	readonly above: readonly RepositoryAbove[];
	/** Empty folders that stand for some that do not exist. */
	readonly placeholders: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly reach: SandboxReach;
	/** True when the command may change the workspace. */
	readonly isWritable: boolean;
	/** Copy that the command finds in place of the workspace; absent: the workspace itself. */
	readonly copy?: CopiedWorkspace | undefined;
}

export interface CopiedWorkspace {
	/** Where it lies. */
	readonly folder: string;
	/** Absolute paths of what is not copied. */
	readonly shared: readonly string[];
	/** Where that lies which the command is to find at this place. */
	findSource(path: string): string;
}

export interface SandboxLayout {
	readonly mounts: Mounts;
	/** The folder in place of `/tmp`. */
	readonly temporary: string;
}

/**
 * Returns the mounts and the temporary folder of a command. Other commands may have changed a `/tmp` that they share,
 * so content shown in it lies in folders of this command, each mounted: none of them can be moved away. When other
 * content would be shown there, the command gets a `/tmp` of its own, because a link made by another command could lead
 * that content elsewhere.
 */
export function sandboxLayout({ temporary, ...options }: LayoutOptions): SandboxLayout {
	const { own } = options;
	const isReady = (shared: string) =>
		own.inTemporary.every((name) => ensurePlaceFolder(shared, name)) &&
		own.linksInTemporary.every((link) => ensureLink(shared, link));
	if (temporary !== undefined && isReady(temporary)) {
		const mounts = sandboxMounts({ ...options, temporary });
		const apart = own.inTemporary.map((name) => join('/tmp', name));
		const isApart = (path: string) => apart.some((place) => isInFolder(path, place));
		const isElsewhere = (path: string) => !isInFolder(path, '/tmp') && !isInFolder(path, '/var/tmp');
		if (mounts.binds.every(({ path }) => isApart(path) || isElsewhere(path))) return { mounts, temporary };
	}
	return { mounts: sandboxMounts(options), temporary: own.temporary };
}

/** Makes it if nothing is there. */
function ensurePlaceFolder(folder: string, name: string): boolean {
	const path = join(folder, name);
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (stat === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
	return name !== '' && stat?.isDirectory() !== false;
}

/** Makes it if nothing is there. Left for the next command, which could have made it as well. */
function ensureLink(folder: string, { at, to }: PlacedLink): boolean {
	const path = join(folder, at);
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (stat === undefined) symlinkSync(to, path);
	return stat === undefined || (stat.isSymbolicLink() && readlinkSync(path) === to);
}

function sandboxMounts(options: LayoutOptions): Mounts {
	const home = homeIn(options.environment);
	const { copy } = options;
	const mounts = new Mounts(copy === undefined ? undefined : (path) => copy.findSource(path)).machine();
	hideMachine(mounts, options, home);
	showHome(mounts, options, home);
	const isAround = (path: string) => options.roots.some((root) => isInFolder(root, path));
	const isApart = (path: string) => !isAround(path);
	showAround(mounts, options, filterReach(options.reach, isAround));
	const reach = filterReach(options.reach, isApart);
	showWorkspace(mounts, { ...options, reach });
	for (const path of reach.read) mounts.readOnly(path);
	for (const path of reach.write.filter((each) => existsSync(each))) mounts.writable(path);
	for (const link of options.own.opened) mounts.showLink(link);
	return mounts;
}

function filterReach({ read, write }: SandboxReach, isMeant: (path: string) => boolean): SandboxReach {
	return { read: read.filter(isMeant), write: write.filter(isMeant) };
}

/**
 * Shows folders that hold the workspace, before the workspace: they would cover it, and what is guarded in it. Git's own
 * folder is all that can be changed of a repository around it.
 */
function showAround(mounts: Mounts, { above, own, isWritable, copy }: LayoutOptions, reach: SandboxReach): void {
	const isWritten = (path: string) => reach.write.some((place) => isInFolder(path, place));
	const shown = new Set([...above.map(({ tree }) => tree), ...reach.read].filter((path) => !isWritten(path)));
	for (const path of [...shown, ...reach.write].sort((one, other) => one.length - other.length)) {
		if (shown.has(path)) mounts.readOnly(path);
		else mounts.writable(path);
	}
	for (const { path, kind } of above.flatMap(({ secrets }) => secrets).filter((secret) => secret.kind !== 'link')) {
		mounts.hide(path, kind === 'folder' ? own.emptyFolder : own.emptyFile);
	}
	for (const { path, kind } of above.flatMap(({ repository }) => repository)) {
		const folder = kind === 'folder' ? path : findLinkedRepository(path);
		if (folder === undefined) continue;
		const isWithin = (each: string) => isInFolder(each, dirname(path)) || isInFolder(each, folder);
		// Commands that work on a copy of the workspace must not reach the repository itself.
		const isChanged = isWritable && copy === undefined;
		repositoryMounts(mounts, folder, dirname(path), { own, isWritable: isChanged, mayChange: () => false, isWithin });
	}
}

function showWorkspace(mounts: Mounts, options: LayoutOptions): void {
	const { own, roots, reach, isWritable } = options;
	for (const root of roots) {
		if (isWritable) mounts.writable(root);
		else mounts.readOnly(root);
	}
	for (const path of options.copy?.shared ?? []) mounts.readOnly(path);
	if (roots.some((root) => isInFolder(options.home, root))) mounts.hideFolder(options.home);
	const mayChange = (path: string) => reach.write.some((place) => isInFolder(path, place));
	const isWithin = (path: string) => roots.some((root) => isInFolder(path, root));
	const inWorkspace = { own, isWritable, mayChange, isWithin };
	const mayRead = (path: string) => mayChange(path) || reach.read.some((place) => isInFolder(path, place));
	const guarded = options.guarded
		.filter(({ path }) => !mayChange(path))
		.flatMap((place) => followGuardedLink(place, roots));
	// A folder that is a mount point cannot be moved away with what is guarded in it, and another put in its place.
	const above = new Set(guarded.map(({ path }) => dirname(path)).filter((path) => basename(path).startsWith('.')));
	for (const path of [...above].filter((each) => isWritable && !roots.includes(each))) mounts.writable(path);
	for (const { path, kind, isSecret, isRepository, writable = [] } of guarded) {
		const isGitFile = kind === 'file' && basename(path) === '.git';
		const elsewhere = isGitFile ? findLinkedRepository(path) : undefined;
		const named = isGitFile ? findNamedRepository(path) : undefined;
		if (isRepository) {
			repositoryMounts(mounts, path, dirname(path), inWorkspace);
		} else if (isSecret && !mayRead(path)) {
			mounts.hide(path, kind === 'folder' ? own.emptyFolder : own.emptyFile);
		} else {
			mounts.readOnly(path);
			for (const inside of isWritable ? writable.filter((each) => existsSync(each)) : []) mounts.writable(inside);
		}
		if (named !== undefined && (elsewhere === undefined || isWithin(elsewhere))) {
			steeringMounts(mounts, reachedByGit(named, dirname(path)), [dirname(path)], inWorkspace);
		} else if (elsewhere !== undefined) {
			const isThere = (each: string) => isWithin(each) || isInFolder(each, elsewhere);
			repositoryMounts(mounts, elsewhere, dirname(path), { ...inWorkspace, isWithin: isThere });
		}
	}
	// Placeholders of Git are read-only already, as what steers it is.
	const mounted = new Set(mounts.binds.map(({ path }) => path));
	for (const path of options.placeholders.filter((each) => !mounted.has(each))) mounts.readOnly(path);
}

/** In place of a link what it leads to, where that lies in the workspace: nothing can be mounted on a link. */
function followGuardedLink(place: GuardedPlace, roots: readonly string[]): GuardedPlace[] {
	if (place.kind !== 'link') {
		return [place];
	}
	const path = resolveRealPath(place.path);
	const { isSecret, isProtected, isRepository } = place;
	// A link that leads nowhere, or to itself.
	if (path === place.path) return [];
	const kind = isExistingFolder(path) ? 'folder' : 'file';
	return roots.some((root) => path !== root && isInFolder(path, root))
		? [{ path, kind, isSecret, isProtected, isRepository }]
		: [];
}

function hideMachine(mounts: Mounts, options: LayoutOptions, home: string): void {
	const { own, home: prowessHome, temporary = own.temporary } = options;
	const homes = [homeOfUser(), resolveRealPath(home)].filter((path) => path !== '/' && path !== home);
	const folders = [...new Set([...HIDDEN_FOLDERS, ...homes, prowessHome])]
		.filter(
			(path) =>
				isReadablePath(path) &&
				resolveRealPath(path) === path &&
				!isInFolder(path, '/tmp') &&
				!isInFolder(path, '/var/tmp'),
		)
		.filter((path, _, all) => path !== home && !all.some((other) => path !== other && isInFolder(path, other)));
	for (const path of folders) mounts.hideFolder(path);
	mounts.replace('/tmp', temporary).replace('/var/tmp', temporary);
	if (temporary !== own.temporary) {
		for (const name of own.inTemporary) mounts.replace(join('/tmp', name), join(own.temporary, name));
	}
	for (const path of HIDDEN_FILES.filter(isReadablePath)) mounts.hide(path, own.emptyFile);
	for (const path of SHOWN_AGAIN.filter((each) => existsSync(each))) mounts.readOnly(path, resolveRealPath(path));
	mounts.replace(home, own.home);
}

/**
 * Shows the parts of the home that are not made in it: tools are mounted, and so is the folder to which its caches
 * lead.
 */
function showHome(mounts: Mounts, { own, environment, reach }: LayoutOptions, home: string): void {
	const homes = [...new Set([home, homeOfUser()])];
	mounts.writable(join(home, CACHES), own.caches);
	for (const entry of homeTable) {
		const path = resolveHomeEntry(entry, home, environment);
		if (entry.as === 'tools') {
			for (const each of homes) showTools(mounts, resolveHomeEntry(entry, each, environment));
		} else if (entry.as === 'cache' && !isInFolder(path, home) && existsSync(path)) {
			mounts.writable(path, join(own.cachesElsewhere, cacheName(path, home)));
		}
	}
	const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
	// Part of a folder that is shown as a whole, such as `node_modules/.bin`, is no mount of its own.
	const shown = [...reach.read, ...reach.write];
	for (const folder of folders.filter((each) => !homes.some((one) => isInFolder(one, each)))) {
		if (!shown.some((place) => isInFolder(folder, place))) showTools(mounts, folder);
	}
}

function showTools(mounts: Mounts, path: string): void {
	if (mounts.isHidden(path) && existsSync(path)) mounts.readOnly(path, resolveRealPath(path));
}

function resolveRealPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// A missing path has no other name.
		return path;
	}
}

function isReadablePath(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return true;
	} catch {
		return false;
	}
}
