/**
 * Read-only Git for a repository that may be hostile. Git runs no program that the repository configures: see
 * `git-settings.ts`. Answers cover the part of the repository that lies in the given folder, and never submodules,
 * whose own configuration would count.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { isSecretName } from '../paths/names/secret-names.ts';
import { findProgram } from '../shell/find-program.ts';
import { gitEnvironment, gitFlags } from '../shell/git-settings.ts';
import { GIT_OUTPUT_BYTES, GIT_TIMEOUT_MS, STATUS_FILES } from './limits.ts';
import { parsePorcelainStatus, type StatusEntry } from './porcelain-status.ts';
import { type GitOutput, runGit } from './run-git.ts';

export interface GitStatus {
	readonly branch: string | null;
	/** Relative to the folder that was asked about. */
	readonly files: StatusEntry[];
	readonly truncated: boolean;
}

interface DiffRequest {
	readonly staged: boolean;
	/** Instead of what is uncommitted. */
	readonly commit?: string | undefined;
	/** Path segments of the file or folder to compare; undefined: everything but files that hold secrets. */
	readonly segments: readonly string[] | undefined;
	/** Comes before each path in the patch, ends with a slash if not empty. */
	readonly prefix: string;
}

const gitRunLimits = { outputBytes: GIT_OUTPUT_BYTES, timeoutMs: GIT_TIMEOUT_MS };

export class HardenedGit {
	readonly #environment: Readonly<Record<string, string>>;

	/** `environment` is that of commands. */
	constructor(environment: Readonly<Record<string, string>>) {
		this.#environment = gitEnvironment(environment);
	}

	async status(folder: string, signal: AbortSignal): Promise<GitStatus> {
		const { git, below } = await this.#open(folder, signal);
		const output = await git([
			...[
				'status',
				'--porcelain=v2',
				'--branch',
				'-z',
				'--untracked-files=all',
				'--no-renames',
				'--ignore-submodules=all',
			],
			...['--', ':(literal).'],
		]);
		const { branch, entries } = parsePorcelainStatus(output.stdout.toString('utf8'));
		const files = entries.map((entry) => ({ ...entry, path: entry.path.slice(below.length) }));
		return { branch, files: files.slice(0, STATUS_FILES), truncated: output.truncated || files.length > STATUS_FILES };
	}

	async diff(
		folder: string,
		request: DiffRequest,
		signal: AbortSignal,
	): Promise<{ patch: string; truncated: boolean }> {
		const { git } = await this.#open(folder, signal);
		const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--relative', '--ignore-submodules=all'];
		const { commit } = request;
		if (
			commit !== undefined &&
			(await git(['rev-list', '--no-walk', '--ignore-missing', commit])).stdout.length === 0
		) {
			throw new ProwessError('NOT_FOUND', `there is no commit ${commit} in ${folder}`, {
				commit,
				said: text('There is no commit {commit} in {folder}.', { commit, folder }),
			});
		}
		// Unlike `git show` it reads no signature, for which a repository may name a program.
		const base =
			commit === undefined
				? ['diff', ...safe, ...(request.staged ? ['--cached'] : [])]
				: ['diff-tree', '-r', '--root', '--diff-merges=first-parent', ...safe, commit];
		const where = request.segments === undefined ? [':(literal).'] : [`:(literal)${request.segments.join('/') || '.'}`];
		const secrets =
			request.segments === undefined
				? await changedSecrets(git, commit === undefined ? base : [...base, '--no-commit-id'], where)
				: [];
		const output = await git([
			...base,
			...(commit === undefined ? [] : ['-p', '--pretty=medium']),
			...[`--src-prefix=a/${request.prefix}`, `--dst-prefix=b/${request.prefix}`, '--', ...where],
			...secrets.map((path) => `:(exclude,literal)${path}`),
		]);
		const left = secrets
			.map((path) => `# ${request.prefix}${path}: differs; not shown, it may hold secrets\n`)
			.join('');
		return { patch: output.stdout.toString('utf8').toWellFormed() + left, truncated: output.truncated };
	}

	/** Finds the repository of `folder` and the filters to be turned off in it. */
	async #open(
		folder: string,
		signal: AbortSignal,
	): Promise<{ git: (args: readonly string[]) => Promise<GitOutput>; below: string }> {
		const program = await findProgram('git', folder, this.#environment);
		const runInFolder = (flags: readonly string[], args: readonly string[]) =>
			runGit(program, [...flags, ...args], folder, this.#environment, gitRunLimits, signal);

		if (this.#environment['GIT_DIR'] === undefined && !(await hasRepositoryAbove(folder))) {
			throw noRepository(folder, 'not a git repository (or any of the parent directories): .git');
		}
		const found = await runInFolder(gitFlags([]), ['rev-parse', '--is-inside-work-tree', '--show-prefix']);
		const [inside, below = ''] = found.stdout.toString('utf8').split('\n');
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
			below,
			git: async (args) => {
				const output = await runInFolder(flags, args);
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

async function changedSecrets(
	git: (args: readonly string[]) => Promise<GitOutput>,
	base: readonly string[],
	where: readonly string[],
): Promise<string[]> {
	const { stdout, truncated } = await git([...base, '--name-only', '--no-renames', '-z', '--', ...where]);
	if (truncated) {
		const message = `more than ${GIT_OUTPUT_BYTES} bytes of changed file names: ask for the diff of one path`;
		throw new ProwessError('FILE_TOO_LARGE', message, {
			limit: GIT_OUTPUT_BYTES,
			said: text('Git printed more than {n} bytes. Ask for less at once.', { n: GIT_OUTPUT_BYTES }),
		});
	}
	return stdout
		.toString('utf8')
		.split('\0')
		.filter((path) => path !== '' && isSecretName(path.split('/')));
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
	const found = await Promise.all(folders.map((each) => mayBeThere(join(each, '.git'))));
	return found.includes(true);
}

async function mayBeThere(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code !== 'ENOENT' && code !== 'ENOTDIR';
	}
}
