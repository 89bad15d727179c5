/**
 * Takes away what a command has left that steers other programs. Where it could not be looked for to the end, because the
 * command made more folders or files than are looked through, nobody follows what may have been there.
 */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLOCK_STEP_MS } from '../limits.ts';
import { guardAbove } from '../mounts/repository-above.ts';
import type { GuardedPlaces } from '../mounts/guarded-places.ts';
import { isInFolder } from '../mounts/mounts.ts';
import { type FindPutIntoGit, type GitState, GitStates } from './git-state.ts';
import type { HeldFiles } from './held-files.ts';
import { findPlantedPaths, type SteeringFiles, steeringFiles } from './planted-files.ts';
import type { Quarantine } from './quarantine.ts';
import { takePlantedFiles } from './take-planted-files.ts';

/** Further part that nothing needs before the first command. */
export { takePlantedFiles } from './take-planted-files.ts';
export { GitStates };
export { HeldInGit } from './held-in-git.ts';

/** A command with what it found, and the paths that may appear. */
export interface CommandThatLeaves {
	readonly roots: readonly string[];
	/** Work trees around the roots that are shown. */
	readonly trees: readonly string[];
	readonly found: SteeringFiles;
	/** Identities of the files among them that were held before. */
	readonly held: ReadonlySet<string>;
	/** Roots that were looked through to their end before it. */
	readonly whole: readonly string[];
	readonly let: ReadonlySet<string>;
	/** Where its repositories stood. */
	readonly inGit: readonly GitState[];
	/** Environment of a command, for Git. */
	readonly environment: Readonly<Record<string, string>>;
	/** Before it began: from then on it may have changed what it could reach. */
	readonly beganMs: number;
	isBackground(): boolean;
}

interface LeftDeps {
	readonly guarded: Pick<GuardedPlaces, 'find' | 'isComplete'>;
	readonly held: HeldFiles;
	readonly gitStates: GitStates;
	readonly findPutIntoGit: FindPutIntoGit | undefined;
	readonly quarantine: Pick<Quarantine, 'take'>;
	/** True for a file, absolute, that nobody here follows. */
	isHeld(path: string): boolean;
	isPlaceholder(path: string): boolean;
}

/** Searches after one command: each finds those that the one before left no room for. */
const MAX_SEARCHES = 5;

const HELD_UNSEEN =
	'The workspace holds more folders, or more secret and protected files, than are looked through, so what steers other programs was not all found. Nobody here follows such files that the user has not saved.';

/** Resolves with a sentence on each of the paths. */
export async function takeWhatIsLeft(command: CommandThatLeaves, deps: LeftDeps): Promise<readonly string[]> {
	const { guarded, held, quarantine } = deps;
	const { found, isBackground } = command;
	const roots = [...command.roots, ...command.trees, ...found.repositories];
	const isLet = (path: string) => deps.isPlaceholder(path) || [...command.let].some((place) => isInFolder(path, place));
	const said: string[] = [];
	for (let search = 1; ; search++) {
		const above = command.trees.map((tree) => guardAbove(tree, guarded.find(tree), command.roots));
		const inside = command.roots.flatMap((root) => guarded.find(root));
		const steering = steeringFiles([...inside, ...above.flatMap(({ repository }) => repository)]);
		// Files that the command moved with their folder, or changed by a name that is not guarded, are not saved by the user.
		for (const [path, identity] of steering.files) {
			if (command.held.has(identity) && !isLet(path)) held.hold(path);
		}
		const left = findPlantedPaths(found, steering).filter(
			(path) => !isLet(path) && roots.some((root) => isInFolder(path, root)),
		);
		const by = { roots, found, isBackground: isBackground() };
		said.push(...(await takePlantedFiles(left, by, held, quarantine)));
		const isCut = command.roots.some((root) => !guarded.isComplete(root));
		if (!isCut || left.length === 0 || isBackground() || search >= MAX_SEARCHES) {
			said.push(...(await holdWhatIsInGit(command, deps)));
			return holdUnseen(command, deps, steering) ? [...said, HELD_UNSEEN] : said;
		}
	}
}

/** Files that are named of those that a command has put into Git. */
const NAMED_IN_GIT = 5;

async function holdWhatIsInGit(command: CommandThatLeaves, deps: LeftDeps): Promise<string[]> {
	const places = [...command.roots, ...command.trees].flatMap((root) => deps.guarded.find(root));
	const isOwn = (path: string) => !deps.isHeld(path);
	const look = { environment: command.environment, isOwn };
	const put = await deps.findPutIntoGit?.(command.inGit, deps.gitStates.read(places), look);
	if (put === undefined || put.length === 0) return [];
	const inGit = await deps.held.loadInGit();
	return put.map(({ repository, trees, files, isWhole }) => {
		const paths = [...new Set(files.map(({ path }) => path))];
		for (const path of isWhole ? paths : ['']) {
			const oids = files.filter((file) => file.path === path).map(({ oid }) => oid);
			const own = trees
				.map((tree) => join(tree, path))
				.filter((each) => path !== '' && existsSync(each) && isOwn(each));
			inGit.hold(repository, path, oids, command.beganMs, own);
		}
		const rest = paths.length - NAMED_IN_GIT;
		const named = [...paths.slice(0, NAMED_IN_GIT), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
		return isWhole
			? `Git now has ${named} in a commit, a stash or the index, as nobody here has written it. It steers other programs: look at it before you check it out or commit it. Nobody here follows it until the user has saved it.`
			: `What the command put into Git (${repository}) was not all looked at. Look for files that steer other programs before you check out or commit. Nobody here follows such files from Git until the user has saved them.`;
	});
}

function holdUnseen(command: CommandThatLeaves, { guarded, held }: LeftDeps, { files }: SteeringFiles): boolean {
	const unseen = command.roots.filter((root) => {
		if (guarded.isComplete(root)) {
			held.settleUnseen(root, files.keys());
			return false;
		}
		const known = held.knownIn(root) ?? (command.whole.includes(root) ? [...command.found.files.keys()] : undefined);
		if (known === undefined) return false;
		const isGuarded = (path: string) => files.has(path) && files.get(path) === command.found.files.get(path);
		const untouched = known.filter((path) => isGuarded(path) || isUnchangedSince(command.beganMs, path, root));
		held.holdUnseen(root, [...untouched, ...command.let]);
		return true;
	});
	return unseen.length > 0;
}

/** False also where a folder above it has changed: another one may have come to its place with all that is in it. */
function isUnchangedSince(ms: number, path: string, root: string): boolean {
	for (let at = path; at !== root && isInFolder(at, root); at = dirname(at)) {
		const stat = lstatSync(at, { throwIfNoEntry: false });
		const isFolderItself = at === path && stat?.isDirectory() === true;
		if (stat === undefined || isFolderItself || stat.ctimeMs >= ms - CLOCK_STEP_MS) return false;
	}
	return true;
}
