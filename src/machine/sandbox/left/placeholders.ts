/**
 * Folders and files without a meaning where an editor, Git or we would act at once on what a command put there. A sandbox shows
 * them read-only; on the machine they are ordinary ones, so that the user can still use them. They are gone when no command
 * runs any more, unless somebody did.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegularFileSync } from '../../paths/reading/read-regular-file.ts';
import { repositoryFolders } from '../../paths/names/repository-reach.ts';
import { isInFolder } from '../mounts/mounts.ts';

const PLACEHOLDER_NAMES = ['.git', '.vscode', '.prowess'];
/**
 * The same for a command in the background, which nothing is taken away from when it ends: folders that steer other programs
 * as a whole. An empty folder is nothing to Git.
 */
const LASTING_NAMES = ['.agents', '.claude', '.codex', '.cursor', '.devcontainer', '.gemini', '.github', '.husky'];
/** The same in a repository: texts of files that change nothing for Git; without one, a folder. */
const GIT_NAMES: Readonly<Record<string, string | undefined>> = {
	hooks: undefined,
	'config.worktree': '',
	commondir: '.\n',
};
/** In the folder of a command, for a later host when this one is killed. */
const PLACEHOLDER_LIST = 'placeholders.json';

export function isPlaceholderName(name: string): boolean {
	return PLACEHOLDER_NAMES.includes(name) || LASTING_NAMES.includes(name);
}

export class Placeholders {
	/** Commands that need each of them. */
	readonly #users = new Map<string, number>();
	/**
	 * Running removals of placeholders that no command needs; each takes the system a while, because it was a mount
	 * point.
	 */
	readonly #removals = new Map<string, Promise<void>>();

	/**
	 * Makes those that are missing, but those in `without`; the paths of all that stand for something. `repositories`: Git's own
	 * folders, for a command in the background; undefined: for another one.
	 */
	async add(
		roots: readonly string[],
		commandFolder: string,
		without: readonly string[],
		repositories: readonly string[] | undefined,
	): Promise<readonly string[]> {
		const names = repositories === undefined ? PLACEHOLDER_NAMES : [...PLACEHOLDER_NAMES, ...LASTING_NAMES];
		const all = [
			...roots.flatMap((root) => names.map((name) => join(root, name))),
			...(repositories ?? [])
				.flatMap((folder) => {
					// A link of a command may lead anywhere; it changes nothing beyond these.
					const isOfCommand = (path: string) => [folder, ...roots].some((top) => isInFolder(path, top));
					return repositoryFolders(folder).all.filter(isOfCommand);
				})
				.flatMap((folder) => Object.keys(GIT_NAMES).map((name) => join(folder, name))),
		];
		const paths = all.filter((path) => !without.some((each) => isInFolder(each, path) || isInFolder(path, each)));
		await Promise.all(paths.flatMap((path) => this.#removals.get(path) ?? []));
		const made = paths.filter((path) => this.#users.has(path) || tryTo(() => makePlaceholder(path)));
		// Where a worktree has its settings from: only Git writes it, when it makes the worktree.
		const kept = paths.filter(
			(path) => path.includes('/worktrees/') && path.endsWith('/commondir') && existsSync(path),
		);
		for (const path of made) this.#users.set(path, (this.#users.get(path) ?? 0) + 1);
		if (made.length > 0) writeFileSync(join(commandFolder, PLACEHOLDER_LIST), JSON.stringify(made));
		return [...made, ...kept.filter((path) => !made.includes(path))];
	}

	/** True when the path is a placeholder of a command that still runs or has only now ended. */
	has(path: string): boolean {
		return this.#users.has(path) || this.#removals.has(path);
	}

	/** True for an empty folder that is a placeholder, here or in the folder of another host's command. */
	standsFor(path: string, commandFolders: () => readonly string[]): boolean {
		if (!isPlaceholderName(basename(path)) || !isEmptyFolder(path)) {
			return false;
		}
		return this.has(path) || commandFolders().some((folder) => readPlaceholderList(folder).includes(path));
	}

	/** Resolves when those are gone that no command needs any more, and what a later host would remove is forgotten; never rejects. */
	async remove(paths: readonly string[], commandFolder: string): Promise<void> {
		for (const path of paths) {
			const users = this.#users.get(path);
			// Another host has made it, or Git.
			if (users === undefined) continue;
			if (users > 1) {
				this.#users.set(path, users - 1);
			} else {
				this.#users.delete(path);
				const removal = removeUnused(path).finally(() => this.#removals.delete(path));
				this.#removals.set(path, removal);
			}
		}
		await Promise.all(paths.flatMap((path) => this.#removals.get(path) ?? []));
		if (paths.length > 0) await rm(join(commandFolder, PLACEHOLDER_LIST), { force: true }).catch(() => undefined);
	}
}

/** Removes the placeholders that a killed host left, as listed in the folder of its command. */
export function removeLeftPlaceholders(commandFolder: string): void {
	for (const path of readPlaceholderList(commandFolder)) removeEmpty(path);
}

function readPlaceholderList(commandFolder: string): readonly string[] {
	try {
		return JSON.parse(readFileSync(join(commandFolder, PLACEHOLDER_LIST), 'utf8')) as string[];
	} catch {
		// The list is missing, or its host is writing it at this moment.
		return [];
	}
}

function isEmptyFolder(path: string): boolean {
	try {
		return readdirSync(path).length === 0;
	} catch {
		// Gone since, or no folder.
		return false;
	}
}

function makePlaceholder(path: string): void {
	const text = GIT_NAMES[basename(path)];
	if (text === undefined) mkdirSync(path);
	else writeFileSync(path, text, { flag: 'wx' });
}

/** Leaves one that somebody used meanwhile. Never rejects. */
async function removeUnused(path: string): Promise<void> {
	if (GIT_NAMES[basename(path)] === undefined) await rmdir(path).catch(() => undefined);
	else removeEmpty(path);
}

function removeEmpty(path: string): void {
	const text = GIT_NAMES[basename(path)];
	tryTo(() => {
		if (text === undefined) rmdirSync(path);
		else if (readRegularFileSync(path, text.length).toString('utf8') === text) unlinkSync(path);
	});
}

function tryTo(act: () => void): boolean {
	try {
		act();
		return true;
	} catch {
		return false;
	}
}
