/**
 * Whether Git can read in a repository without starting a program that the repository names: filters, text converters and
 * included files. The user's own settings are the user's.
 */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MAX_CONFIG_BYTES } from './limits.ts';

const NAMES_A_PROGRAM =
	/^\s*\[\s*(?:include|includeif|filter|gpg|credential|alias)\b|\b(?:textconv|command|clean|smudge|process|fsmonitor|external|program|pager|hookspath|attributesfile|worktree|sshcommand|partialclone|promisor)\s*=/im;

/** `folder` lies in `root`, below which the repository is looked for; both absolute and free of links. */
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
		return size <= MAX_CONFIG_BYTES && !(await hasOwn(git)) && !NAMES_A_PROGRAM.test(await readFile(config, 'utf8'));
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
