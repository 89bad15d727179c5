/**
 * Check that Git can read in a repository without starting a program that the repository names: filters, text
 * converters, included files and the settings of submodules. The user's own settings are trusted: they are not checked.
 */
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
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
		const { size } = await lstat(config);
		if (size > MAX_CONFIG_BYTES || (await hasOwn(git)) || (await mayHaveSubmodules(git))) {
			return false;
		}
		return !NAMES_A_PROGRAM.test(await readFile(config, 'utf8'));
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

/** Git asks each submodule with the settings of that: a program named there would be started. */
async function mayHaveSubmodules(git: string): Promise<boolean> {
	const index = join(git, 'index');
	const found = await lstat(index).catch(() => undefined);
	if (found === undefined) {
		return false;
	}
	const isSplit = (await readdir(git)).some((name) => name.startsWith('sharedindex.'));
	return isSplit || found.size > MAX_GIT_INDEX_BYTES || (await readFile(index)).includes(SUBMODULE);
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
		const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
		try {
			if (!(await file.stat()).isFile()) return undefined;
			const { bytesRead, buffer } = await file.read(Buffer.alloc(ONE_LINE_BYTES), 0, ONE_LINE_BYTES, 0);
			return buffer.toString('utf8', 0, bytesRead);
		} finally {
			await file.close();
		}
	} catch {
		return undefined;
	}
}
