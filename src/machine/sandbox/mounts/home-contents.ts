/**
 * Content of the home of a sandbox before a program runs there: settings of tools as copies, caches as links, and
 * folders on which tools are mounted. The content is made and not mounted, because each mount takes time. The home is
 * gone with the command.
 */
import { userHomeFolder } from '../../environment.ts';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isExistingFolder } from '../../paths/is-folder.ts';
import { secretAttributes } from '../../paths/names/secret-names.ts';
import { homeTable, resolveHomeEntry } from './home-table.ts';
import { isInFolder, type OpenedLink } from './mounts.ts';
import { copyWithoutCredentials } from './without-credentials.ts';

/** In the home of a sandbox: the folder to which its caches lead. */
export const CACHES = '.prowess-caches';
/** In the home of a sandbox: for a command in which nothing of the workspace changes, what Git shows of secret files, of any time. */
export const SECRET_ATTRIBUTES = '.prowess-attributes';

export interface PlacedLink {
	readonly at: string;
	readonly to: string;
}

/** Paths in it are relative to the home. */
export interface HomeContents {
	readonly folders: readonly string[];
	/** Relative to `/tmp`: where the home or the workspace is shown in it. */
	readonly inTemporary: readonly string[];
	readonly links: readonly PlacedLink[];
	/** Relative to `/tmp`. */
	readonly linksInTemporary: readonly PlacedLink[];
	/** `version` changes with what is copied. */
	readonly copies: readonly { readonly at: string; readonly from: string; readonly version: string }[];
	/** Names of the folders to which the links lead. */
	readonly caches: readonly string[];
	/** Names of the folders that stand for caches outside of the home. */
	readonly cachesElsewhere: readonly string[];
}

/** Where the home of programs lies: where the user's does, unless there is no such folder. */
export function homeIn(environment: Readonly<Record<string, string>>): string {
	const home = environment['HOME'] ?? userHomeFolder();
	return existsSync(home) && home !== '/' ? home : '/tmp/home';
}

/** `roots`: of the workspace, which often lies in the home. `opened`: links by which it was opened. */
export function homeContents(
	environment: Readonly<Record<string, string>>,
	roots: readonly string[],
	opened: readonly OpenedLink[],
): HomeContents {
	const home = homeIn(environment);
	const places = homeTable.map((entry) => ({ as: entry.as, path: resolveHomeEntry(entry, home, environment) }));
	const inHome = places
		.filter(({ path }) => isInFolder(path, home))
		.map(({ as, path }) => ({ as, path, at: relative(home, path), name: cacheName(path, home) }));
	const caches = inHome.filter(({ as }) => as === 'cache');
	const elsewhere = places.filter(({ as, path }) => as === 'cache' && !isInFolder(path, home));
	const tools = inHome.filter(({ as, path }) => as === 'tools' && isExistingFolder(path));
	const settings = inHome.filter(({ as, path }) => as === 'settings' && existsSync(path));
	const workspace = roots.filter((root) => isInFolder(root, home) && root !== home);
	const folders = [CACHES, ...tools.map(({ at }) => at), ...workspace.map((root) => relative(home, root))];
	const taken = [...folders, SECRET_ATTRIBUTES, ...[...caches, ...settings].map(({ at }) => at)];
	const shown = [home, ...roots].filter((path) => isInFolder(path, '/tmp')).map((path) => relative('/tmp', path));
	const isElsewhere = ({ path }: OpenedLink) => !isInFolder(path, home);
	const linksInTemporary: PlacedLink[] = [];
	for (const folder of TEMPORARY_FOLDERS) {
		// Both folders are the same one to a command: a name in it is given once.
		const used = [...shown, ...linksInTemporary.map(({ at }) => at)];
		linksInTemporary.push(...placeLinks(opened.filter(isElsewhere), folder, used));
	}
	return {
		folders,
		inTemporary: [...shown, ...linksInTemporary.map(({ at }) => dirname(at)).filter((path) => path !== '.')],
		links: [
			...caches.map(({ at, name }) => ({ at, to: join(home, CACHES, name) })),
			...placeLinks(opened, home, taken),
		],
		linksInTemporary,
		copies: settings.map(({ path, at }) => ({ at, from: path, version: readSettingsVersion(path) })),
		caches: caches.map(({ name }) => name),
		cachesElsewhere: elsewhere.map(({ path }) => cacheName(path, home)),
	};
}

/** Names of the folder in whose place a sandbox has one of its own. */
const TEMPORARY_FOLDERS: readonly string[] = ['/tmp', '/var/tmp'];

/** Returns the links below `folder` that neither lie in something `taken`, relative to it, nor hold it. */
function placeLinks(opened: readonly OpenedLink[], folder: string, taken: readonly string[]): PlacedLink[] {
	const isFree = (at: string) => !taken.some((path) => isInFolder(path, at) || isInFolder(at, path));
	return opened
		.filter(({ path }) => path !== folder && isInFolder(path, folder))
		.map(({ path, to }) => ({ at: relative(folder, path), to }))
		.filter(({ at }) => isFree(at));
}

/** Returns the name of the folder that a cache at `path` leads to. */
export function cacheName(path: string, home: string): string {
	return relative(home, path).replaceAll('/', '%');
}

/** Fills an empty folder. */
export async function makeHome(folder: string, { folders, links, copies }: HomeContents): Promise<void> {
	const parents = [...links, ...copies].map(({ at }) => dirname(at));
	for (const path of new Set([...folders, ...parents])) {
		if (path !== '.') await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
	}
	for (const { at, to } of links) await symlink(to, join(folder, at));
	for (const { at, from } of copies) copyWithoutCredentials(from, join(folder, at));
	await writeFile(join(folder, SECRET_ATTRIBUTES), secretAttributes);
}

function readSettingsVersion(path: string): string {
	const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
	const below = isExistingFolder(path) ? readdirSync(path).map((name) => fileVersion(join(path, name))) : [];
	return [mtimeNs, ctimeNs, size, ino, ...below].join(' ');
}

/** Empty for one that is gone meanwhile, or a link that leads nowhere. */
function fileVersion(path: string): string {
	const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
	return stat === undefined ? '' : `${stat.ctimeNs}:${stat.size}:${stat.ino}`;
}
