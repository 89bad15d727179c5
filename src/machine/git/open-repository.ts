/**
 * Opens a repository for Git that only reads: finds where it lies, and turns off the filters that its settings name,
 * which are programs.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { findProgram } from '../shell/find-program.ts';
import { gitFlags } from '../shell/git-settings.ts';
import { GIT_OUTPUT_BYTES, GIT_TIMEOUT_MS } from './limits.ts';
import { type GitOutput, runGit } from './run-git.ts';

export interface OpenRepository {
	/** Part of the work tree that is asked about, absolute. */
	readonly folder: string;
	/** Relative to the top of the work tree; ends with a slash if not empty. */
	readonly below: string;
	/** Where the repository keeps its data: its own folder, and the one that it shares with other work trees. */
	readonly data: readonly string[];
	/** Runs Git in the folder; rejects with IO_ERROR where it fails. */
	readonly git: (args: readonly string[], outputBytes?: number) => Promise<GitOutput>;
}

/** Rejects with NO_REPOSITORY where there is none that can be read. `environment` is that of hardened Git. */
export async function openRepository(
	folder: string,
	environment: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<OpenRepository> {
	const program = await findProgram('git', folder, environment);
	const runInFolder = (flags: readonly string[], args: readonly string[], outputBytes = GIT_OUTPUT_BYTES) => {
		const limits = { outputBytes, timeoutMs: GIT_TIMEOUT_MS };
		return runGit(program, [...flags, ...args], folder, environment, limits, signal);
	};
	if (environment['GIT_DIR'] === undefined && !(await hasRepositoryAbove(folder))) {
		throw noRepository(folder, 'not a git repository (or any of the parent directories): .git');
	}
	const place = ['--is-inside-work-tree', '--show-prefix', '--absolute-git-dir', '--git-common-dir'];
	const found = await runInFolder(gitFlags([]), ['rev-parse', ...place]);
	const [inside, below = '', ...data] = found.stdout.toString('utf8').trimEnd().split('\n');
	if (found.exitCode !== 0 || inside !== 'true') {
		throw noRepository(folder, found.stderr.replace(/^fatal: /, '').split('\n')[0] || 'it is not in a working tree');
	}
	const listed = await runInFolder(gitFlags([]), [
		'config',
		'--includes',
		'--null',
		'--name-only',
		'--get-regexp',
		'^filter\\.',
	]);
	const flags = gitFlags(filterNames(listed));
	return {
		folder,
		below,
		data: data.map((path) => resolve(folder, path)),
		git: async (args, outputBytes) => {
			const output = await runInFolder(flags, args, outputBytes);
			if (output.exitCode !== 0 && !output.truncated) {
				throw new ProwessError('IO_ERROR', `git ${args[0] ?? ''} failed in ${folder}: ${output.stderr}`, {
					folder,
					said: text('Git failed in {folder}: {why}', { folder, why: output.stderr.toString() }),
				});
			}
			return output;
		},
	};
}

function noRepository(folder: string, why: string): ProwessError {
	return new ProwessError('NO_REPOSITORY', `no git repository that can be read at ${folder}: ${why}`, { folder, why });
}

/**
 * Returns the names of all configured filters. Throws IO_ERROR when a name cannot be turned off on the command line, or
 * when the names are too many.
 */
function filterNames(listed: GitOutput): string[] {
	if (listed.exitCode !== 0 && listed.exitCode !== 1) {
		throw new ProwessError('IO_ERROR', `git config failed: ${listed.stderr}`, {
			said: text('Git failed: {why}', { why: listed.stderr.toString() }),
		});
	}
	const names = new Set<string>();
	for (const key of listed.stdout.toString('utf8').split('\0')) {
		const name = /^filter\.([^]*)\.[^.]*$/.exec(key)?.[1];
		if (name !== undefined) {
			names.add(name);
		}
	}
	const odd = [...names].find((name) => /[=\n]/.test(name) || name.includes('\uFFFD'));
	if (odd !== undefined || listed.truncated || names.size > 200) {
		const what = odd === undefined ? 'too many filters' : `a filter with the name ${JSON.stringify(odd)}`;
		throw new ProwessError(
			'IO_ERROR',
			`git is not run here: its configuration has ${what}, which cannot be turned off`,
			{ said: text('Git is not run here: its configuration has filters that cannot be turned off.') },
		);
	}
	return [...names];
}

/**
 * Looks for a repository in this folder or above it, because starting Git only to hear that there is none takes longer
 * than the rest of an op. True also where that cannot be told: then Git says what it finds.
 */
async function hasRepositoryAbove(folder: string): Promise<boolean> {
	const folders = [folder];
	for (let at = dirname(folder); at !== folders.at(-1); at = dirname(at)) {
		folders.push(at);
	}
	const found = await Promise.all(folders.map(mayHoldRepository));
	return found.includes(true);
}

/** True where something with the name of a repository is in the folder, or where that cannot be told. */
export async function mayHoldRepository(folder: string): Promise<boolean> {
	try {
		await lstat(join(folder, '.git'));
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code !== 'ENOENT' && code !== 'ENOTDIR';
	}
}
