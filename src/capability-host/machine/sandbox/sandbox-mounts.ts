/** What a sandboxed command finds of the machine, of the home and of the workspace: the mounts of its sandbox. */
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { GuardedPlace } from './guarded-places.ts';
import { HIDDEN_FILES, HIDDEN_FOLDERS, SHOWN_AGAIN } from './hidden-places.ts';
import { homeTable, placeOf } from './home-table.ts';
import { isIn, Mounts } from './mounts.ts';
import { repositoryMounts, repositoryOf } from './repository-mounts.ts';
import type { CommandFolders } from './sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Places beyond the sandbox that a person has let the command reach; absolute and free of links. */
export interface SandboxReach {
	readonly read: readonly string[];
	readonly write: readonly string[];
}

export interface LayoutOptions {
	readonly own: CommandFolders;
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace, free of links. */
	readonly roots: readonly string[];
	readonly guarded: readonly GuardedPlace[];
	/** Empty folders that stand for some that do not exist. */
	readonly placeholders: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly reach: SandboxReach;
	/** Whether the command may change the workspace. */
	readonly isWritable: boolean;
}

/** Where the home of programs lies: where the user's does, unless there is no such folder. */
export function homeIn(environment: Readonly<Record<string, string>>): string {
	const home = environment['HOME'] ?? homedir();
	return existsSync(home) && home !== '/' ? home : '/tmp/home';
}

export function sandboxMounts(options: LayoutOptions): Mounts {
	const home = homeIn(options.environment);
	const mounts = new Mounts().machine();
	const closed = hideMachine(mounts, options, home);
	showHome(mounts, options, home);
	showWorkspace(mounts, options);
	for (const path of options.reach.read) mounts.readOnly(path);
	for (const path of options.reach.write.filter((each) => existsSync(each))) mounts.writable(path);
	return mounts.close(closed);
}

function showWorkspace(mounts: Mounts, options: LayoutOptions): void {
	const { own, roots, reach, isWritable } = options;
	for (const root of roots) {
		if (isWritable) mounts.writable(root);
		else mounts.readOnly(root);
	}
	if (roots.some((root) => isIn(options.home, root))) mounts.hideFolder(options.home);
	const mayChange = (path: string) => reach.write.some((place) => isIn(path, place));
	const mayRead = (path: string) => mayChange(path) || reach.read.some((place) => isIn(path, place));
	const guarded = options.guarded.filter(({ path }) => !mayChange(path)).flatMap((place) => linkless(place, roots));
	// A folder that is a mount point cannot be moved away with what is guarded in it, and another put in its place.
	const above = new Set(guarded.map(({ path }) => dirname(path)).filter((path) => basename(path).startsWith('.')));
	for (const path of [...above].filter((each) => isWritable && !roots.includes(each))) mounts.writable(path);
	for (const { path, kind, isSecret, isRepository } of guarded) {
		const elsewhere = kind === 'file' && basename(path) === '.git' ? repositoryOf(path) : undefined;
		if (isRepository) {
			repositoryMounts(mounts, path, own, isWritable, mayChange);
		} else if (isSecret && !mayRead(path)) {
			mounts.hide(path, kind === 'folder' ? own.emptyFolder : own.emptyFile);
		} else {
			mounts.readOnly(path);
		}
		if (elsewhere !== undefined && !roots.some((root) => isIn(elsewhere, root))) {
			repositoryMounts(mounts, elsewhere, own, isWritable, mayChange);
		}
	}
	for (const path of options.placeholders) mounts.readOnly(path);
}

/** In place of a link what it leads to, where that lies in the workspace: nothing can be mounted on a link. */
function linkless(place: GuardedPlace, roots: readonly string[]): GuardedPlace[] {
	if (place.kind !== 'link') {
		return [place];
	}
	const path = realPath(place.path);
	const { isSecret, isProtected, isRepository } = place;
	const kind = isFolder(path) ? 'folder' : 'file';
	return path !== place.path && roots.some((root) => path !== root && isIn(path, root))
		? [{ path, kind, isSecret, isProtected, isRepository }]
		: [];
}

/** Resolves with the folders that were made up, to be closed when all that lies in them is in its place. */
function hideMachine(mounts: Mounts, { own, home: prowessHome }: LayoutOptions, home: string): string[] {
	const homes = [home, userInfo().homedir, realPath(home)].filter((path) => path !== '/' && existsSync(path));
	const folders = [...new Set([...HIDDEN_FOLDERS, ...homes, prowessHome])]
		.filter((path) => existsSync(path) && realPath(path) === path && !isIn(path, '/tmp') && !isIn(path, '/var/tmp'))
		.sort((a, b) => a.length - b.length);
	const hidden: string[] = [];
	for (const path of folders) {
		if (hidden.some((each) => isIn(path, each))) continue;
		mounts.hideFolder(path);
		hidden.push(path);
	}
	const temporary = join(own.root, 'var-tmp');
	mkdirSync(temporary, { mode: 0o700, recursive: true });
	mounts.replace('/tmp', own.temporary).replace('/var/tmp', temporary);
	for (const path of HIDDEN_FILES.filter(isReadable)) mounts.hide(path, own.emptyFile);
	for (const path of SHOWN_AGAIN.filter((each) => existsSync(each))) mounts.readOnly(path, realPath(path));
	mounts.replace(home, own.home);
	return hidden.filter((path) => path !== home);
}

function showHome(mounts: Mounts, { own, environment }: LayoutOptions, home: string): void {
	const homes = [...new Set([home, userInfo().homedir])];
	for (const entry of homeTable) {
		for (const each of entry.as === 'tools' ? homes : [home]) {
			const path = placeOf(entry, each, environment);
			if (entry.as === 'cache') {
				if (mounts.canHold(path) || existsSync(path)) mounts.writable(path, cacheFolder(own, path));
			} else if (existsSync(path) && mounts.isHidden(path)) {
				mounts.readOnly(path, entry.as === 'tools' ? realPath(path) : withoutCredentials(path, own));
			}
		}
	}
	for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
		const isWithinHome = homes.some((each) => isIn(each, folder));
		if (folder.startsWith('/') && !isWithinHome && existsSync(folder) && mounts.isHidden(folder)) {
			mounts.readOnly(folder, realPath(folder));
		}
	}
}

function cacheFolder({ caches }: CommandFolders, path: string): string {
	const folder = join(caches, path.replaceAll('/', '%'));
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	return folder;
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// What is not there has no other name.
		return path;
	}
}

function isReadable(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return true;
	} catch {
		return false;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
