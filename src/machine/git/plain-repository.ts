/**
 * Check that Git can read in a repository without starting a program that the repository names: filters, text
 * converters, included files and the settings of submodules. The user's own settings are trusted: they are not checked.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { readFileStart, readRegularFile } from '../paths/reading/read-regular-file.ts';
import { MAX_CONFIG_BYTES, MAX_GIT_INDEX_BYTES } from './limits.ts';

const NAMES_A_PROGRAM =
	/^\s*\[\s*(?:include|includeif|filter|gpg|credential|alias)\b|\b(?:textconv|command|clean|smudge|process|fsmonitor|external|program|pager|attributesfile|worktree|sshcommand|partialclone|promisor)\s*=/im;
/** Mode of a submodule in the index. Other numbers may look like it, which costs a question. */
const SUBMODULE = Buffer.from([0, 0, 0xe0, 0]);

/** `folder` lies in `root`, below which the repository is looked for; both absolute and free of links. Hooks do not count: `readingGit` switches them off. */
export async function isPlainRepository(folder: string, root: string): Promise<boolean> {
	const git = join(folder, '.git');
	try {
		if (!(await lstat(git)).isDirectory()) {
			return false;
		}
	} catch {
		return folder !== root && folder.startsWith(root) && (await isPlainRepository(dirname(folder), root));
	}
	try {
		const config = join(git, 'config');
		if ((await hasOwn(git)) || (await mayHaveSubmodules(git))) {
			return false;
		}
		return !NAMES_A_PROGRAM.test((await readRegularFile(config, MAX_CONFIG_BYTES)).toString('utf8'));
	} catch {
		return false;
	}
}

/** A second file of settings, or attributes that only this copy has. */
async function hasOwn(git: string): Promise<boolean> {
	const found = await Promise.all(
		['config.worktree', 'commondir'].map((name) =>
			lstat(join(git, name)).then(
				() => true,
				() => false,
			),
		),
	);
	return found.includes(true);
}

/**
 * Git asks each submodule with the settings of that: a program named there would be started. `git`: the folder that
 * holds the index.
 */
export async function mayHaveSubmodules(git: string): Promise<boolean> {
	const index = join(git, 'index');
	const found = await lstat(index).catch(() => undefined);
	if (found === undefined) {
		return false;
	}
	const isSplit = (await readdir(git)).some((name) => name.startsWith('sharedindex.'));
	return isSplit || (await readRegularFile(index, MAX_GIT_INDEX_BYTES)).includes(SUBMODULE);
}

/** Bytes that are read of a file which holds one line. */
const ONE_LINE_BYTES = 4_096;

/**
 * Name of the branch that is checked out, read from the repository's own files: no Git runs. Undefined: none is, or it
 * cannot be told. A worktree, and a submodule, name their repository in a file.
 */
export async function readBranch(folder: string): Promise<string | undefined> {
	const git = join(folder, '.git');
	const [, elsewhere] = /^gitdir: (.+)$/m.exec((await readFirstBytes(git)) ?? '') ?? [];
	const place = elsewhere === undefined ? git : isAbsolute(elsewhere) ? elsewhere : join(folder, elsewhere);
	const head = await readFirstBytes(join(place, 'HEAD'));
	return /^ref: refs\/heads\/(\P{Cc}{1,250})$/mu.exec(head ?? '')?.[1];
}

/** Undefined where there is no plain file. */
async function readFirstBytes(path: string): Promise<string | undefined> {
	try {
		// The repository of a worktree may lie behind a link; the file itself is none.
		const place = join(await realpath(dirname(path)), basename(path));
		return (await readFileStart(place, ONE_LINE_BYTES)).toString('utf8');
	} catch {
		return undefined;
	}
}
