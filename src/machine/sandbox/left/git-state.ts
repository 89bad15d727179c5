/**
 * Where the branches, stashes, logs and the index of a repository stand, read from its files without starting Git: what tells
 * that a command may have put something into it. Files that have not changed are not read again.
 */
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isExistingFolder } from '../../paths/is-folder.ts';
import { findLinkedRepository } from '../../paths/names/repository-reach.ts';
import { readRegularFileSync } from '../../paths/reading/read-regular-file.ts';
import {
	GIT_OBJECTS_LISTED,
	GIT_STATE_BYTES,
	GIT_STATE_FILES,
	GIT_STATE_READ_BYTES,
	GIT_STATE_WORKTREES,
	GUARDED_SETTLED_MS,
} from '../limits.ts';
import type { GuardedPlace } from '../mounts/guarded-place.ts';
import { isOddEntry } from '../mounts/read-folder.ts';

export interface GitState {
	/** Git's own folder, free of links. */
	readonly repository: string;
	/** Work trees of the repository that are guarded. */
	readonly trees: readonly string[];
	/** Hashes that its files name: whatever Git may be told to check out. */
	readonly tips: ReadonlySet<string>;
	/** Versions of its indexes, by the folder that holds each. */
	readonly indexes: ReadonlyMap<string, string>;
	/**
	 * Entries that no hash tells of: objects in whose place Git takes others, as one file of references has them (by themselves
	 * they are files that steer), and versions of tables of references.
	 */
	readonly replaced: readonly string[];
	/** Versions of its commit-graphs: files of what commits hold, which Git reads in their place. */
	readonly graphs: string;
	/** Pipes, sockets and devices among its files, for which Git would wait. */
	readonly odd: readonly string[];
	/** False: it has more such files, or larger ones, than are read. */
	readonly isWhole: boolean;
}

export interface SteeringChange {
	/** From the top of the work tree. */
	readonly path: string;
	/** Hash of what it then holds. */
	readonly oid: string;
}

export interface PutIntoGit {
	readonly repository: string;
	readonly trees: readonly string[];
	readonly files: readonly SteeringChange[];
	/** False: there was more than is looked through. */
	readonly isWhole: boolean;
}

export interface GitLook {
	readonly environment: Readonly<Record<string, string>>;
	/** True for a file of a work tree, absolute, that somebody who may has put there. */
	isOwn(path: string): boolean;
}

/** Finds the files that steer other programs and that a command has put into Git, by asking Git. Never rejects. */
export type FindPutIntoGit = (
	before: readonly GitState[],
	after: readonly GitState[],
	look: GitLook,
) => Promise<readonly PutIntoGit[]>;

interface ReadGitFile {
	readonly version: string;
	/** Undefined: too large to be read, or too many such files were. */
	readonly tips: readonly string[] | undefined;
	readonly replaced?: readonly string[];
}

/** Folders of hashes that a rebase, a series of commits or patches goes on with. */
const FOLDERS_OF_HASHES = ['refs', 'rebase-merge', 'rebase-apply', 'sequencer'];
/** Further folders whose files everyday commands of Git open. */
const OPENED_FOLDERS = ['info', 'objects/info', 'objects/pack'];
/** Folder of the logs of references: each line names what a reference was. */
const LOGS = 'logs';
/**
 * Files in which Git takes any name of a commit: what a rebase or a series of commits goes on with or goes back to, what
 * was put aside for one or for a merge, and where a bisection began.
 */
const NAMES_COMMITS = /\/(?:git-rebase-todo|todo|orig-head|head|onto|autostash|MERGE_AUTOSTASH|BISECT_START)$/;
/** Steps in such a list, by what stands behind them: one commit and its title, names of any number, nothing. */
const PICKS = /^(?:p|pick|e|edit|r|reword|s|squash|f|fixup|revert)$/;
const MERGES = /^(?:m|merge|t|reset)$/;
const NAMES_NONE = /^(?:|#.*|b|break|noop|u|update-ref)$/;
/** Name that Git finds a commit by without a reference of that name. */
const ABBREVIATED = /^[0-9a-f]{4,63}$/i;
const COMPUTED = /[~^:@{}]|-g[0-9a-f]{4,}$|^-/i;
/** Indexes; any other file beside them is a reference to Git, whatever its name. */
const INDEX = /^(?:sharedindex\..+|index)$/;
/** Reference to a file in another folder, which Git follows and which is not read here. */
const REFERENCE_ELSEWHERE = /^ref:\s*(?!refs\/)\S*\//;
/** Files of messages and patches, of which only the beginning is a reference to Git. */
const MESSAGE_FILE = /(?:MSG|\/(?:message|patch|final-commit|\d{4}))$/;
/** Line of a log up to its message. */
const LINE_OF_LOG = /^([0-9a-f]{40,64} [0-9a-f]{40,64} [^\n\t]*)\t.*$/gim;
const HASHES = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/gi;
/** Folder of objects whose names begin so. */
const OBJECTS = /^[0-9a-f]{2}$/;

export class GitStates {
	/** Files that were read, by path. */
	#known = new Map<string, ReadGitFile>();
	/** Folders that were listed, by path, and those of the look before: what is gone is not kept. */
	#listed = new Map<string, ListedFolder>();
	#listedBefore: ReadonlyMap<string, ListedFolder> = this.#listed;
	#objectsLeft = 0;
	#odd: readonly string[] = [];
	#bytesLeft = 0;

	/**
	 * Reads the repositories among the places, and those that their work trees belong to. `beside`: commands that run; pipes and the
	 * like are those from before the first of them.
	 */
	read(
		places: readonly GuardedPlace[],
		beside: Iterable<{ readonly inGit: readonly GitState[] }> = [],
	): readonly GitState[] {
		const treesOf = new Map<string, string[]>();
		for (const { path, kind, isRepository } of places) {
			const isNamed = basename(path) === '.git';
			const repository = isNamed && kind === 'file' ? findLinkedRepository(path) : isRepository ? path : undefined;
			if (repository === undefined) continue;
			treesOf.set(repository, [...(treesOf.get(repository) ?? []), ...(isNamed ? [dirname(path)] : [])]);
		}
		const before = this.#known;
		this.#known = new Map();
		this.#listedBefore = this.#listed;
		this.#listed = new Map();
		this.#bytesLeft = GIT_STATE_READ_BYTES;
		this.#objectsLeft = GIT_OBJECTS_LISTED;
		const states = [...treesOf].map(([repository, trees]) => this.#readOne(repository, trees, before));
		this.#odd = states.flatMap(({ odd }) => odd);
		const earlier = [...beside].flatMap(({ inGit }) => inGit);
		const findEarlier = (path: string) => earlier.find(({ repository }) => repository === path);
		return states.map((state) => ({ ...state, odd: findEarlier(state.repository)?.odd ?? state.odd }));
	}

	/** Pipes, sockets and devices that the last `read` came by, absolute. */
	get odd(): readonly string[] {
		return this.#odd;
	}

	#readOne(repository: string, trees: readonly string[], before: ReadonlyMap<string, ReadGitFile>): GitState {
		const worktrees = this.#list(join(repository, 'worktrees')).map(({ path }) => path);
		const folders = [repository, ...worktrees.slice(0, GIT_STATE_WORKTREES)];
		const ofHashes = { left: GIT_STATE_FILES };
		const ofLogs = { left: GIT_STATE_FILES };
		const opened = { left: GIT_STATE_FILES };
		const entries = folders.flatMap((folder) => [
			...this.#list(folder).filter(
				({ name, path, isFile, isOdd }) => (isFile && !INDEX.test(name) && !isLinkToFolder(path)) || isOdd,
			),
			...this.#listBelow(join(folder, LOGS), ofLogs),
			...FOLDERS_OF_HASHES.flatMap((name) => this.#listBelow(join(folder, name), ofHashes)),
			...OPENED_FOLDERS.flatMap((name) => this.#listBelow(join(folder, name), opened).filter(({ isOdd }) => isOdd)),
		]);
		const tables = folders.flatMap((folder) => this.#listBelow(join(folder, 'reftable'), ofHashes));
		const odd = [...entries.filter(({ isOdd }) => isOdd), ...this.#listOddObjects(repository)].map(({ path }) => path);
		const files = entries.filter(({ isOdd }) => !isOdd).map(({ path }) => path);
		const read = files.slice(0, 2 * GIT_STATE_FILES).map((path) => this.#readFile(path, before));
		return {
			repository,
			trees,
			tips: new Set(read.flatMap(({ tips = [] }) => tips)),
			odd,
			replaced: [
				...read.flatMap(({ replaced = [] }) => replaced),
				...tables.map(({ path }) => `${path} ${readGitFileVersion(path) ?? ''}`),
			],
			graphs: this.#readGraphVersions(repository),
			indexes: new Map(folders.map((folder) => [folder, this.#readIndexVersion(folder)] as const)),
			isWhole:
				worktrees.length <= GIT_STATE_WORKTREES &&
				ofHashes.left >= 0 &&
				ofLogs.left >= 0 &&
				files.length <= 2 * GIT_STATE_FILES &&
				read.every(({ tips }) => tips !== undefined),
		};
	}

	/** `budget`: entries that may still be listed; below 0 once there were more. */
	#listBelow(folder: string, budget: { left: number }): GitEntry[] {
		const files: GitEntry[] = [];
		const folders = [folder];
		// A list that is added to while it is gone through.
		for (const each of folders) {
			for (const entry of this.#list(each)) {
				budget.left -= 1;
				if (budget.left < 0) return files;
				if (entry.isFile) files.push(entry);
				else folders.push(entry.path);
			}
		}
		return files;
	}

	/** Where there are more objects than are listed at once, the next look goes on. */
	#listOddObjects(repository: string): GitEntry[] {
		const folders = this.#list(join(repository, 'objects')).filter(({ name, isFile }) => !isFile && OBJECTS.test(name));
		return folders.flatMap(({ path }) => (this.#objectsLeft < 0 ? [] : this.#list(path, ({ isOdd }) => isOdd)));
	}

	/** Entries of a folder; of one that has not changed as they were, because a change of what it holds sets its own time. */
	#list(folder: string, isWanted: (entry: GitEntry) => boolean = () => true): readonly GitEntry[] {
		const version = readGitFileVersion(folder);
		const known = this.#listed.get(folder) ?? this.#listedBefore.get(folder);
		if (known !== undefined && known.version === version && known.isSettled) {
			this.#listed.set(folder, known);
			return known.entries;
		}
		const all = version === undefined ? [] : listGitEntries(folder);
		if (OBJECTS.test(basename(folder))) this.#objectsLeft -= all.length;
		const entries = all.filter(isWanted);
		if (version !== undefined) this.#listed.set(folder, { version, isSettled: isSettled(folder), entries });
		return entries;
	}

	/** Also of the files that an index is split into. */
	#readIndexVersion(folder: string): string {
		const names = this.#list(folder).filter(({ name }) => INDEX.test(name));
		return names.map(({ path }) => readGitFileVersion(path) ?? '').join(' ');
	}

	#readGraphVersions(repository: string): string {
		const info = join(repository, 'objects/info');
		const chain = this.#list(join(info, 'commit-graphs')).map(({ path }) => path);
		return [join(info, 'commit-graph'), ...chain].flatMap((path) => readGitFileVersion(path) ?? []).join(' ');
	}

	#readFile(path: string, before: ReadonlyMap<string, ReadGitFile>): ReadGitFile {
		const version = readGitFileVersion(path);
		if (version === undefined) return { version: '', tips: [] };
		const known = before.get(path);
		const read = known?.version === version ? known : { version, ...this.#readHashes(path) };
		if (read.tips !== undefined) this.#known.set(path, read);
		return read;
	}

	#readHashes(path: string): Pick<ReadGitFile, 'tips' | 'replaced'> {
		try {
			const text = readRegularFileSync(path, Math.min(this.#bytesLeft, GIT_STATE_BYTES)).toString('latin1');
			this.#bytesLeft -= text.length;
			if (REFERENCE_ELSEWHERE.test(text)) return { tips: undefined };
			const names = NAMES_COMMITS.test(path) ? namesOfCommits(text) : [];
			if (names.some((name) => COMPUTED.test(name))) return { tips: undefined };
			// The log of a branch may have any name.
			const isMessage = MESSAGE_FILE.test(path) && !path.includes('/logs/');
			const named = isMessage ? text.slice(0, text.search(/\s|$/)) : text.replaceAll(LINE_OF_LOG, '$1');
			return {
				// Git takes capitals, too.
				tips: [
					...new Set((named.match(HASHES) ?? []).map((hash) => hash.toLowerCase())),
					...names.filter((name) => ABBREVIATED.test(name)),
				],
				replaced: text.match(/^\w+ refs\/replace\/.+$/gm) ?? [],
			};
		} catch {
			return { tips: undefined };
		}
	}
}

/** Names of commits in a list of steps, or in a file that is one name. */
function namesOfCommits(text: string): string[] {
	return text.split('\n').flatMap((line) => {
		const words = line.replace(/\s#.*$/, '').trim();
		const [step = '', ...args] = words.split(/\s+/);
		const named = args.filter((word) => !/^-[cC]$/.test(word));
		if (PICKS.test(step)) return named.slice(0, 1);
		return MERGES.test(step) ? named : args.length === 0 && !NAMES_NONE.test(step) ? [step] : [];
	});
}

/** Asked of entries that are no folders themselves. */
function isLinkToFolder(path: string): boolean {
	try {
		return isExistingFolder(path);
	} catch {
		// A link that leads to itself.
		return false;
	}
}

function isSettled(folder: string): boolean {
	const changedMs = statSync(folder, { throwIfNoEntry: false })?.ctimeMs;
	return changedMs !== undefined && changedMs < Date.now() - GUARDED_SETTLED_MS;
}

function readGitFileVersion(path: string): string | undefined {
	try {
		const entry = lstatSync(path, { bigint: true });
		const { ino, size, ctimeNs } = entry.isSymbolicLink() ? statSync(path, { bigint: true }) : entry;
		return `${entry.ino} ${ino} ${size} ${ctimeNs}`;
	} catch {
		return undefined;
	}
}

interface ListedFolder {
	readonly version: string;
	/** False: it changed so short a time ago that its time may not tell of the next change. */
	readonly isSettled: boolean;
	readonly entries: readonly GitEntry[];
}

interface GitEntry {
	readonly name: string;
	readonly path: string;
	readonly isFile: boolean;
	readonly isOdd: boolean;
}

function listGitEntries(folder: string): GitEntry[] {
	try {
		return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
			name: entry.name,
			path: join(folder, entry.name),
			isFile: !entry.isDirectory(),
			isOdd: isOddEntry(entry),
		}));
	} catch {
		return [];
	}
}
