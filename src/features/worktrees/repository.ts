/**
 * Git in the hands of the user, in a repository that somebody else may have configured: no hook and no program that only the
 * repository names is run. Filters and drivers for merges of the user's own configuration are: large files need them.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { type GitOutput, runGit } from '../../machine/git/run-git.ts';
import { findProgram } from '../../machine/shell/find-program.ts';
import { gitEnvironment, gitFlags } from '../../machine/shell/git-settings.ts';
import { PATHS_AT_ONCE_BYTES, WORKTREE_GIT_MS, WORKTREE_OUTPUT_BYTES } from './limits.ts';

interface GitRun {
	readonly timeoutMs?: number;
	readonly environment?: Readonly<Record<string, string>>;
	/** Settings for this run only. */
	readonly settings?: readonly string[];
}

export class UserRepository {
	/** Root of the work tree. */
	readonly root: string;
	/** Folder that all worktrees of the repository share. */
	readonly commonDir: string;
	/** Where the folder that was opened lies below the root; empty: it is the root. */
	readonly prefix: string;
	readonly #program: string;
	readonly #flags: readonly string[];
	readonly #environment: Readonly<Record<string, string>>;

	private constructor(
		places: { readonly root: string; readonly commonDir: string; readonly prefix: string },
		program: string,
		flags: readonly string[],
		environment: Readonly<Record<string, string>>,
	) {
		this.root = places.root;
		this.commonDir = places.commonDir;
		this.prefix = places.prefix;
		this.#program = program;
		this.#flags = flags;
		this.#environment = environment;
	}

	/** Undefined: the folder is in no repository with a commit, or there is no Git. */
	static async open(
		folder: string,
		commands: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<UserRepository | undefined> {
		const environment = gitEnvironment(commands);
		let program: string;
		try {
			program = await findProgram('git', folder, environment);
		} catch {
			return undefined;
		}
		const limits = { outputBytes: WORKTREE_OUTPUT_BYTES, timeoutMs: WORKTREE_GIT_MS };
		const askGit = (args: readonly string[]) =>
			runGit(program, [...gitFlags([]), ...args], folder, environment, limits, signal);
		const found = await askGit(['rev-parse', '--show-toplevel', '--git-common-dir', '--show-prefix']);
		if (found.exitCode !== 0) return undefined;
		const [root = '', common = '', prefix = ''] = splitOutput(found);
		const commonDir = await realpath(isAbsolute(common) ? common : join(folder, common));
		const flags = [...(await safeFlags(askGit)), ...(await mergeFlags(askGit))];
		return new UserRepository({ root, commonDir, prefix: prefix.replace(/\/$/, '') }, program, flags, environment);
	}

	/** The same repository in another of its work trees. */
	at(root: string): UserRepository {
		const { commonDir, prefix } = this;
		return new UserRepository({ root, commonDir, prefix }, this.#program, this.#flags, this.#environment);
	}

	/** Rejects with IO_ERROR, and what Git said, when it fails. */
	async git(args: readonly string[], signal: AbortSignal, run: GitRun = {}): Promise<string> {
		const output = await this.tryGit(args, signal, run);
		if (output.exitCode !== 0 || output.truncated) {
			const why = output.truncated ? 'it printed too much' : output.stderr;
			throw new ProwessError('IO_ERROR', `git ${args[0] ?? ''} failed in ${this.root}: ${why}`, {
				folder: this.root,
				said: text('Git failed in {folder}: {why}', { folder: this.root, why }),
			});
		}
		return output.stdout.toString('utf8');
	}

	async tryGit(args: readonly string[], signal: AbortSignal, run: GitRun = {}): Promise<GitOutput> {
		const { timeoutMs = WORKTREE_GIT_MS, environment = {}, settings = [] } = run;
		const flags = [...this.#flags, ...settings.flatMap((each) => ['-c', each])];
		const limits = { outputBytes: WORKTREE_OUTPUT_BYTES, timeoutMs };
		const variables = { ...this.#environment, ...environment };
		return await runGit(this.#program, [...flags, ...args], this.root, variables, limits, signal);
	}

	/** The parts of a list that ends each with NUL. */
	async names(args: readonly string[], signal: AbortSignal, run: GitRun = {}): Promise<string[]> {
		return (await this.git(args, signal, run)).split('\0').filter((each) => each !== '');
	}

	/** Commit that the words mean; rejects with NOT_FOUND. */
	async commitOf(reference: string, signal: AbortSignal): Promise<string> {
		const found = await this.tryGit(['rev-parse', '--verify', '--quiet', `${reference}^{commit}`], signal);
		const commit = found.stdout.toString('utf8').trim();
		if (found.exitCode !== 0 || commit === '' || reference.startsWith('-')) {
			throw new ProwessError('NOT_FOUND', `there is no commit ${reference} in ${this.root}`, {
				commit: reference,
				said: text('There is no commit {commit} in {folder}.', { commit: reference, folder: this.root }),
			});
		}
		return commit;
	}

	/** Settings that name who commits, where nobody is configured. */
	async identity(signal: AbortSignal): Promise<string[]> {
		const found = await this.tryGit(['var', 'GIT_AUTHOR_IDENT'], signal, { settings: ['user.useConfigOnly=true'] });
		return found.exitCode === 0 ? [] : ['user.name=Prowess', 'user.email=prowess@localhost'];
	}

	/** Files with changes that are in no commit; submodules aside. */
	async countUncommitted(signal: AbortSignal): Promise<number> {
		const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=all'];
		return (await this.names(args, signal)).length;
	}

	/** Commits all that has changed; the new commit is on the branch that is checked out. */
	async commitAll(message: string, signal: AbortSignal): Promise<void> {
		await this.git(['add', '--all', '--sparse', '--', ':/'], signal);
		const isSame =
			(await this.tryGit(['diff', '--cached', '--quiet', '--ignore-submodules=none'], signal)).exitCode === 0;
		if (isSame) return;
		const settings = ['commit.gpgSign=false', ...(await this.identity(signal))];
		await this.git(['commit', '--quiet', '--no-verify', '-m', message], signal, { settings });
	}
}

/** Lists of names that one command line can take. */
export function chunkNames(names: readonly string[]): string[][] {
	const chunks: string[][] = [];
	let bytes = 0;
	for (const name of names) {
		const length = Buffer.byteLength(name) + 1;
		if (chunks.length === 0 || bytes + length > PATHS_AT_ONCE_BYTES) {
			chunks.push([]);
			bytes = 0;
		}
		chunks.at(-1)?.push(name);
		bytes += length;
	}
	return chunks;
}

function splitOutput({ stdout }: GitOutput): string[] {
	return stdout.toString('utf8').split('\n');
}

interface SetValue {
	/** Where it is set: `system`, `global`, `local` … */
	readonly scope: string;
	readonly key: string;
	readonly value: string;
}

async function settingsLike(
	pattern: string,
	ask: (args: readonly string[]) => Promise<GitOutput>,
): Promise<SetValue[]> {
	const words = ['config', '--includes', '--show-scope', '--null', '--get-regexp', pattern];
	const parts = (await ask(words)).stdout.toString('utf8').split('\0');
	const all: SetValue[] = [];
	for (let at = 0; at + 1 < parts.length; at += 2) {
		const [key = '', ...value] = (parts[at + 1] ?? '').split('\n');
		all.push({ scope: parts[at] ?? '', key, value: value.join('\n') });
	}
	return all;
}

/** True of what only the user can have set, or the administrators of the machine. */
function isTrustedValue({ scope }: SetValue): boolean {
	return scope === 'system' || scope === 'global';
}

/** Merges texts as Git does without a driver. */
const OWN_DRIVER = 'git merge-file --quiet --marker-size=%L %A %O %B || exit 1';

/** Puts Git's own way in the place of every driver for merges but those of the user's own files. */
async function mergeFlags(ask: (args: readonly string[]) => Promise<GitOutput>): Promise<string[]> {
	const all = await settingsLike(String.raw`^merge\..+\.driver$`, ask);
	const last = new Map(all.map(({ key }) => [key, OWN_DRIVER]));
	for (const each of all.filter(isTrustedValue)) last.set(each.key, each.value);
	if ([...last.keys()].some(isUnspeakable) || last.size > 200) throw refusedHere();
	return [...last].flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** True of a name that no setting on the command line can have. */
function isUnspeakable(name: string): boolean {
	return /[=\n]/.test(name) || name.includes('\uFFFD');
}

function refusedHere(): ProwessError {
	return new ProwessError(
		'IO_ERROR',
		'git is not run here: its configuration has filters or drivers that cannot be turned off',
		{ said: text('Git is not run here: its configuration has filters that cannot be turned off.') },
	);
}

/** Turns every filter off but those of the user's own files, which are as they say there whatever the repository says. */
async function safeFlags(ask: (args: readonly string[]) => Promise<GitOutput>): Promise<string[]> {
	const all = await settingsLike('^filter\\.', ask);
	const nameOf = (key: string) => /^filter\.([^]*)\.[^.]*$/.exec(key)?.[1];
	const trusted = all.filter(isTrustedValue);
	const names = [...new Set(all.map(({ key }) => nameOf(key)).filter((name) => name !== undefined))];
	if (names.some(isUnspeakable) || names.length > 200) throw refusedHere();
	// An empty `process` is one that fails, so that of the repository can only go with the whole filter.
	const hasProcess = (name: string, some: typeof all) => some.some(({ key }) => key === `filter.${name}.process`);
	const isOfUser = (name: string) =>
		trusted.some(({ key }) => nameOf(key) === name) && (hasProcess(name, trusted) || !hasProcess(name, all));
	const own = trusted.filter(({ key }) => isOfUser(nameOf(key) ?? ''));
	const unsaid = names.filter(isOfUser).flatMap((name) =>
		['clean', 'smudge'].flatMap((part) => {
			const key = `filter.${name}.${part}`;
			return own.some((each) => each.key === key) ? [] : ['-c', `${key}=`];
		}),
	);
	return [
		...gitFlags(names.filter((name) => !isOfUser(name))),
		...unsaid,
		...own.flatMap(({ key, value }) => ['-c', `${key}=${value}`]),
		// Else a worktree with submodules could not be looked at as a whole.
		...['-c', 'diff.ignoreSubmodules=none', '-c', 'core.quotePath=false'],
	];
}
