/**
 * Finds what a repository has Git read or run beyond its own folder: included settings, folders of hooks, the targets of
 * links among its hooks and settings, programs that its settings name. The gate and the sandbox of commands judge by this one
 * table: who changes such a file decides what the user's next `git status` runs.
 */
import { userHomeFolder } from '../../environment.ts';
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readRegularFileSync, readTextOrEmpty } from '../reading/read-regular-file.ts';
import { isClosedFolder } from '../is-folder.ts';
import { GIT_LOOKED_FOLDERS, GIT_MODULE_FOLDERS, GIT_SETTINGS_BYTES, GIT_SETTINGS_FILES } from '../limits.ts';

/** Files and folders that steer Git, in a repository and in each of its submodules and worktrees. */
export const GIT_STEERING_FILES = [
	...['config', 'config.worktree', 'commondir', 'hooks', 'info/attributes'],
	...['objects/info/alternates', 'objects/info/http-alternates', 'refs/replace', 'info/grafts'],
];

/** Names of the programs that Git looks for in a folder of hooks. */
const GIT_HOOKS = [
	...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
	...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
	...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc'],
	...['post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];

/** Folders of a repository that hold none of a submodule unless its name says so, or very many files. */
const STEERING_PARTS = /^(?:hooks|info|logs|objects|refs|branches|lfs)$/;
/** Parts in which branches have their names: `config` may be one. */
const NAMED_AFTER_BRANCHES = new Set(['logs', 'refs']);
/** Begin of a reference, and of its log. */
const A_REF = /^(?:ref: |[\da-f]{40})/;
/** Folders of each repository that hold what steers Git, beside those of submodules and worktrees. */
const FOLDERS_THAT_STEER_GIT = [
	'',
	'hooks',
	'info',
	'modules',
	'objects',
	'objects/info',
	'rebase-merge',
	'refs',
	'worktrees',
];

export interface RepositoryFolders {
	/** Folders that hold settings and hooks: of the repository, its submodules and its worktrees. Free of links. */
	readonly all: readonly string[];
	/** Folders that were looked into for submodules. */
	readonly looked: readonly string[];
	/** True where there are more submodules than are looked at. */
	readonly isCut: boolean;
}

export function repositoryFolders(folder: string): RepositoryFolders {
	return withModules(folder, listModules(folder, true));
}

/** Folders of a repository that nobody can look into, but that a command can open again. */
export function closedFoldersOfGit({ all, looked }: RepositoryFolders): string[] {
	const steering = all.flatMap((each) => FOLDERS_THAT_STEER_GIT.map((name) => join(each, name)));
	return [...new Set([...steering, ...looked])].filter(isClosedFolder);
}

function withModules(folder: string, modules: RepositoryFolders): RepositoryFolders {
	return { ...modules, all: [folder, ...modules.all, ...listWorktreeFolders(folder)] };
}

/**
 * A submodule is named by its path, `libs/one`, and so is the folder that Git keeps it in, which may hold others in turn. A
 * command can make any folder look like a repository, so parts of one are looked into as well: `isWhole`.
 */
function listModules(folder: string, isWhole: boolean): RepositoryFolders {
	const modules = join(folder, 'modules');
	const found = new Set<string>();
	/** Parts of a repository that folders lie in, by the path of each folder. A list that is added to while it is gone through. */
	const folders = new Map<string, string | undefined>([[findReal(modules) ?? modules, undefined]]);
	const listFound = (isCut: boolean) => ({ all: [...found], looked: [...folders.keys()], isCut });
	for (const [each, part] of folders) {
		const isRepository = part === undefined && folders.size > 1 && lookAt(join(each, 'HEAD')) !== undefined;
		for (const entry of listFoldersOfGit(each)) {
			const name = basename(entry);
			const within = part ?? (isRepository && STEERING_PARTS.test(name) ? name : undefined);
			if (found.size > GIT_MODULE_FOLDERS || folders.size > GIT_LOOKED_FOLDERS) return listFound(true);
			if (within === undefined) found.add(entry);
			else if (!isWhole || !mayHoldFolders(entry)) continue;
			else if (looksLikeSubmodule(entry, within)) found.add(entry);
			if (!folders.has(entry)) folders.set(entry, within);
		}
	}
	return listFound(false);
}

function looksLikeSubmodule(folder: string, part: string): boolean {
	const config = join(folder, 'config');
	const isOfBranch = () => A_REF.test(readTextOrEmpty(config, GIT_SETTINGS_BYTES));
	if (NAMED_AFTER_BRANCHES.has(part)) return isFile(config) && !isOfBranch();
	return isFile(config) || isFolder(join(folder, 'hooks'));
}

/** A repository has folders. Most file systems count a folder's own folders among its names. */
function mayHoldFolders(folder: string): boolean {
	return lookAtTarget(folder)?.nlink !== 2;
}

function listWorktreeFolders(folder: string): string[] {
	const worktrees = join(folder, 'worktrees');
	return listPathsIn(findReal(worktrees) ?? worktrees).map((each) => findReal(each) ?? each);
}

/**
 * Paths that Git reads settings or programs from because of the repository in `folder`, absolute, and free of links where
 * they exist; a file that settings name need not exist. `tree`: the folder that its settings count from, its work tree.
 */
export function reachedByGit(
	folder: string,
	tree: string,
	{ all: folders, isCut } = repositoryFolders(folder),
): readonly string[] {
	const reached = new Set<string>();
	// Where they are too many to look at, nobody makes another one.
	if (isCut) reached.add(join(folder, 'modules'));
	// Most worktrees and submodules have none of these: a look is cheaper than a read that fails.
	const settings = folders
		.flatMap((each) => [join(each, 'config'), join(each, 'config.worktree')])
		.filter((path) => lookAt(path) !== undefined);
	const hooks = new Set(folders.map((each) => join(each, 'hooks')).filter((path) => lookAt(path) !== undefined));
	for (const path of settings) {
		const real = findReal(path);
		if (real !== path && real !== undefined) reached.add(real);
	}
	// A set that is added to while it is gone through: files that included ones include come last.
	const files = new Set(settings);
	let left = settings.length + GIT_SETTINGS_FILES;
	for (const file of files) {
		if (left-- === 0) break;
		for (const { key, value } of settingsIn(file)) {
			if (key === 'path') {
				const named = settlePath(resolve(dirname(file), fromHome(unescapeValue(value))));
				files.add(named);
				reached.add(named);
			} else if (key === 'hookspath') {
				hooks.add(settlePath(resolve(tree, fromHome(unescapeValue(value)))));
			} else {
				for (const word of wordsIn(value)) {
					const named = settlePath(resolve(tree, fromHome(word)));
					if (isFile(named)) reached.add(named);
				}
			}
		}
	}
	for (const each of hooks) {
		const real = findReal(each);
		// The work tree itself cannot be guarded as a whole.
		if ((real ?? each) === tree) for (const name of GIT_HOOKS) reached.add(join(tree, name));
		if (dirname(each) !== folder || (real !== undefined && real !== each)) reached.add(real ?? each);
		for (const entry of listPathsIn(each)) {
			const target = lookAt(entry)?.isSymbolicLink() === true ? findReal(entry) : undefined;
			if (target !== undefined) reached.add(target);
		}
	}
	return [...reached].filter((path) => path !== tree && !tree.startsWith(`${path}/`));
}

/**
 * The to-do list of a rebase in this repository that runs a program, as `git rebase --continue` then does, or that is none to be
 * read: a link among its folders, or a list too large. Undefined: it runs none.
 */
export function findRebaseProgram(folder: string): string | undefined {
	const rebase = join(folder, 'rebase-merge');
	const list = join(rebase, 'git-rebase-todo');
	const link = [rebase, list].find((path) => lookAt(path)?.isSymbolicLink() === true);
	if (link !== undefined || lookAt(list) === undefined) return link;
	try {
		return /^\s*(?:x|exec)\s/m.test(readGitFile(list)) ? list : undefined;
	} catch {
		return list;
	}
}

/** True when Git reads the file in a repository of `root` or of a folder between the two; `root` is free of links. */
export function isReachedByGit(root: string, segments: readonly string[]): boolean {
	const path = join(root, ...segments);
	return segments.some((_, depth) => {
		const tree = join(root, ...segments.slice(0, depth));
		const folder = findRepository(join(tree, '.git'));
		if (folder === undefined) return false;
		// Files in Git's own folder are guarded by name.
		const folders = withModules(folder, listModules(folder, false));
		return reachedByGit(folder, tree, folders).some((each) => path === each || path.startsWith(`${each}/`));
	});
}

function findRepository(path: string): string | undefined {
	const stats = lookAt(path);
	return stats?.isFile() === true ? findNamedRepository(path) : isFolder(path) ? path : undefined;
}

/**
 * The repository that the `.git` file of a worktree or submodule leads to, where that leads back: a file alone could name any
 * repository of the user.
 */
export function findLinkedRepository(gitFile: string): string | undefined {
	try {
		const [, named = ''] = /^gitdir: (.+)$/m.exec(readGitFile(gitFile)) ?? [];
		const folder = realpathSync(resolve(dirname(gitFile), named));
		const worktree = join(folder, 'gitdir');
		if (lookAt(worktree) !== undefined) {
			const leadsBack = realpathSync(readGitFile(worktree).trim()) === gitFile;
			return leadsBack ? realpathSync(resolve(folder, readGitFile(join(folder, 'commondir')).trim())) : undefined;
		}
		const [, tree = ''] = /^\s*worktree\s*=\s*(.+)$/m.exec(readGitFile(join(folder, 'config'))) ?? [];
		return realpathSync(resolve(folder, tree)) === dirname(gitFile) ? folder : undefined;
	} catch {
		// The path does not exist, or is not such a file.
		return undefined;
	}
}

/**
 * The repository that Git takes from a `.git` file, whether that leads back or not: good to judge by, not to be shown. A command
 * can change what leads back.
 */
export function findNamedRepository(gitFile: string): string | undefined {
	try {
		const [, named = ''] = /^gitdir: (.+)$/m.exec(readGitFile(gitFile)) ?? [];
		const folder = realpathSync(resolve(dirname(gitFile), named));
		const common = join(folder, 'commondir');
		return lookAt(common) === undefined ? folder : realpathSync(resolve(folder, readGitFile(common).trim()));
	} catch {
		// The path does not exist, or is not such a file.
		return undefined;
	}
}

/** Throws for what is no file of an ordinary size. */
function readGitFile(path: string): string {
	return readRegularFileSync(path, GIT_SETTINGS_BYTES).toString('utf8');
}

/** Settings of a file as pairs; keys in lower case, without their section, which Git asks for but an attacker can choose. */
function settingsIn(file: string): { readonly key: string; readonly value: string }[] {
	return readTextOrEmpty(file, GIT_SETTINGS_BYTES)
		.replaceAll(/\\\r?\n/g, '')
		.split('\n')
		.flatMap((line) => {
			const [, key = '', value = ''] = SETTING.exec(line) ?? [];
			return key === ''
				? []
				: [{ key: key.toLowerCase(), value: value.trim().replaceAll(/(\\.)|"((?:[^"\\]|\\.)*)"/g, '$1$2') }];
		});
}

function unescapeValue(value: string): string {
	return value.replaceAll(/\\(["\\])/g, '$1');
}

/** Words of a command line, and what stands in quotes in it; an option by itself names no file. */
function wordsIn(value: string): readonly string[] {
	const quoted = [...value.matchAll(/\\?"((?:[^"\\]|\\[^"])+)\\?"|'([^']+)'/g)].map(
		([, one, other]) => one ?? other ?? '',
	);
	const words = [...value.split(/[\s"'=!;|&()<>\\]+/), ...quoted, value];
	return [...new Set(words)].filter((each) => each !== '' && each !== '.' && each.length < 4_096);
}

/** The value ends where a comment begins, unless that stands in quotes. */
const SETTING =
	/^\s*(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]\s*)?([A-Za-z][\w-]*)\s*=\s*((?:"(?:[^"\\]|\\.)*"|\\.|[^"#;\\])*)/;

function fromHome(path: string): string {
	return path.startsWith('~/') ? join(userHomeFolder(), path.slice(2)) : path;
}

/** The path without links, its own and those above it, whether it exists or not. */
export function settlePath(path: string): string {
	return findReal(path) ?? join(findReal(dirname(path)) ?? dirname(path), basename(path));
}

function findReal(path: string): string | undefined {
	try {
		return isAbsolute(path) ? realpathSync(path) : undefined;
	} catch {
		return undefined;
	}
}

function isFile(path: string): boolean {
	return lookAtTarget(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
	return lookAtTarget(path)?.isDirectory() === true;
}

function lookAtTarget(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function lookAt(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function listFoldersOfGit(folder: string): string[] {
	try {
		const entries = readdirSync(folder, { withFileTypes: true });
		return entries
			.filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, entry.name))))
			.map((entry) => {
				const path = join(folder, entry.name);
				return entry.isSymbolicLink() ? (findReal(path) ?? path) : path;
			});
	} catch {
		return [];
	}
}

function listPathsIn(folder: string): string[] {
	try {
		return readdirSync(folder).map((name) => join(folder, name));
	} catch {
		return [];
	}
}
