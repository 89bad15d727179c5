/** The sandbox of one command, from its first program to the end of its last one: they share its temporary folder. */
import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { GuardedPlace } from './guarded-places.ts';
import { HIDDEN_FILES, HIDDEN_FOLDERS, SHOWN_AGAIN } from './hidden-places.ts';
import { homeTable, placeOf } from './home-table.ts';
import { isIn, Mounts } from './mounts.ts';
import { repositoryMounts } from './repository-mounts.ts';
import { type CommandFolders, removeFolders } from './sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

/** A bubblewrap that kept the program in, and what it was given besides mounts. */
export interface HeldSandbox {
	readonly bubblewrap: string;
	readonly flags: readonly string[];
}

/** Places beyond the sandbox that a person has let the command reach; absolute, free of links, and existing. */
export interface SandboxReach {
	readonly read: readonly string[];
	readonly write: readonly string[];
}

interface OpenSandboxOptions {
	readonly held: HeldSandbox;
	readonly own: CommandFolders;
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace, free of links. */
	readonly roots: readonly string[];
	readonly guarded: readonly GuardedPlace[];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly reach: SandboxReach;
	readonly isWritable: boolean;
}

interface EnteredProgram {
	readonly file: string;
	readonly args: readonly string[];
}

export class OpenSandbox {
	/** What programs in it get. */
	readonly environment: Readonly<Record<string, string>>;
	readonly #options: OpenSandboxOptions;
	readonly #mounts: Mounts;
	#closed: Promise<readonly string[]> | undefined;

	constructor(options: OpenSandboxOptions) {
		this.#options = options;
		const home = homeIn(options);
		this.environment = { ...withoutTemporary(options.environment), HOME: home, TMPDIR: '/tmp' };
		this.#mounts = mountsOf(options, home);
	}

	/** The command line that starts a program in it. `file` is absolute. */
	enter(file: string, args: readonly string[]): EnteredProgram {
		const { held, cwd } = this.#options;
		const own = this.#mounts.isHidden(file) && existsSync(file) ? ['--ro-bind', realpathSync(file), file] : [];
		return {
			file: held.bubblewrap,
			args: [...this.#mounts.flags, ...own, '--chdir', cwd, ...held.flags, '--', file, ...args],
		};
	}

	/** Once all its programs have ended: removes what was theirs alone. Never rejects. */
	close(): Promise<readonly string[]> {
		this.#closed ??= removeFolders(this.#options.own).then(() => []);
		return this.#closed;
	}
}

/** Where the home of programs lies: where the user's does, unless there is no such folder. */
function homeIn({ environment }: OpenSandboxOptions): string {
	const home = environment['HOME'] ?? homedir();
	return existsSync(home) && home !== '/' ? home : '/tmp/home';
}

function withoutTemporary(environment: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:TMP|TEMP|TMPDIR)$/.test(name)));
}

function mountsOf(options: OpenSandboxOptions, home: string): Mounts {
	const { own, roots, guarded, reach, isWritable } = options;
	const mounts = new Mounts().machine();
	const closed = hideMachine(mounts, options, home);
	showHome(mounts, options, home);
	for (const root of roots) {
		if (isWritable) mounts.writable(root);
		else mounts.readOnly(root);
	}
	if (roots.some((root) => isIn(options.home, root))) {
		mounts.hideFolder(options.home);
	}
	const isReached = (path: string, reached: readonly string[]) => reached.some((place) => isIn(path, place));
	// A folder that is a mount point cannot be moved away with what is guarded in it, and another put in its place.
	const above = new Set(guarded.map(({ path }) => dirname(path)).filter((path) => basename(path).startsWith('.')));
	for (const path of [...above].filter((each) => isWritable && !roots.includes(each))) mounts.writable(path);
	for (const place of guarded) {
		if (isReached(place.path, reach.write) || place.kind === 'link') continue;
		if (place.is === 'repository') {
			repositoryMounts(mounts, place.path, own, isWritable, (path) => isReached(path, reach.write));
		} else if (place.is === 'secret' && !isReached(place.path, reach.read)) {
			mounts.hide(place.path, place.kind === 'folder' ? own.emptyFolder : own.emptyFile);
		} else {
			mounts.readOnly(place.path);
		}
	}
	for (const path of reach.read) mounts.readOnly(path);
	for (const path of reach.write) mounts.writable(path);
	return mounts.close(closed);
}

/** Resolves with the folders that were made up, to be closed when all that lies in them is in its place. */
function hideMachine(mounts: Mounts, { own, home: prowessHome }: OpenSandboxOptions, home: string): string[] {
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

function showHome(mounts: Mounts, { own, environment }: OpenSandboxOptions, home: string): void {
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
