/**
 * Read-only Git for a repository that may be hostile. Git runs no program that the repository configures: see
 * `git-settings.ts`. Answers cover the part of the repository that lies in the given folder, and the submodules and
 * other repositories in it, each of which is asked by itself.
 */
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { isSecretName } from '../paths/names/secret-names.ts';
import { gitEnvironment } from '../shell/git-settings.ts';
import { GIT_OUTPUT_BYTES, STATUS_FILES } from './limits.ts';
import { listUntrackedRepositories, NestedRepositories } from './nested-repositories.ts';
import type { OpenRepository } from './open-repository.ts';
import { parsePorcelainStatus, type StatusEntry } from './porcelain-status.ts';

export interface GitStatus {
	/** Null when no branch is checked out. Where the folder only holds repositories, the branches of those. */
	readonly branch: string | null;
	/** Relative to the folder that was asked about. */
	readonly files: StatusEntry[];
	readonly truncated: boolean;
}

interface DiffRequest {
	readonly staged: boolean;
	/** Instead of what is uncommitted. */
	readonly commit?: string | undefined;
	/** Path segments of the file or folder to compare; absent: everything. Only a file that is named shows its secrets. */
	readonly segments: readonly string[] | undefined;
	/** Comes before each path in the patch, ends with a slash if not empty. */
	readonly prefix: string;
	/** True to leave out submodules and other repositories below. */
	readonly isAlone?: boolean | undefined;
}

interface GitPatch {
	readonly patch: string;
	readonly truncated: boolean;
}

/** Shows that a submodule stands at another commit, not what has changed in it, which is asked there. */
const SUBMODULE_COMMITS = '--ignore-submodules=dirty';

export class HardenedGit {
	readonly #environment: Readonly<Record<string, string>>;

	/** `environment` is that of commands. */
	constructor(environment: Readonly<Record<string, string>>) {
		this.#environment = gitEnvironment(environment);
	}

	async status(folder: string, signal: AbortSignal): Promise<GitStatus> {
		const nested = new NestedRepositories(folder, this.#environment, signal);
		const first = await nested.openFirst();
		const files: StatusEntry[] = [];
		const branches = new Set<string | null>();
		let isCut = false;
		// Repositories that are found are added while the list is gone through.
		const repositories = [...first];
		for (const repository of repositories) {
			const isFirst = first.includes(repository);
			const { branch, entries, truncated } = await readStatus(repository).catch((error: unknown) => {
				if (isFirst || !isProwessError(error)) throw error;
				return { branch: null, entries: [], truncated: true };
			});
			if (isFirst) branches.add(branch);
			files.push(...entries.map((entry) => ({ ...entry, path: repository.path + entry.path })));
			isCut ||= truncated || files.length > STATUS_FILES;
			const untracked = entries.filter(({ index, path }) => index === '?' && path.endsWith('/'));
			const below = untracked.map(({ path }) => path);
			if (!isCut) repositories.push(...(await nested.openBelow(repository, below)));
		}
		const names = [...branches];
		return {
			branch: names.length > 1 ? names.map((name) => name ?? '(detached)').join(', ') : (names[0] ?? null),
			files: files.slice(0, STATUS_FILES),
			truncated: isCut || nested.isCut,
		};
	}

	async diff(folder: string, request: DiffRequest, signal: AbortSignal): Promise<GitPatch> {
		const nested = new NestedRepositories(folder, this.#environment, signal);
		const { segments = [], prefix, isAlone } = request;
		const around = await nested.openAround(segments);
		const first = around === undefined ? await nested.openFirst() : [around.repository];
		const named = around?.rest ?? segments;
		const parts: string[] = [];
		let [bytes, isCut] = [0, false];
		let missing: unknown;
		// Repositories that are found are added while the list is gone through.
		const repositories = [...first];
		for (const repository of repositories) {
			const isFirst = first.includes(repository);
			const asked = { ...request, segments: isFirst ? named : [], prefix: prefix + repository.path };
			const part = await readDiff(repository, asked).catch((error: unknown) => {
				// Another of them may have the commit.
				const isMissing = isProwessError(error) && error.code === 'NOT_FOUND';
				if (!isProwessError(error) || (isFirst && !isMissing)) throw error;
				missing ??= error;
				return { patch: undefined, truncated: !isMissing };
			});
			if (part.patch !== undefined) parts.push(part.patch);
			bytes += part.patch?.length ?? 0;
			isCut ||= part.truncated || bytes > GIT_OUTPUT_BYTES;
			if (isCut || isAlone === true) break;
			const below = await nested.openBelow(repository, await listUntrackedRepositories(repository));
			repositories.push(...below.filter(({ path }) => path.startsWith(segments.map((name) => `${name}/`).join(''))));
		}
		if (parts.length === 0) throw missing;
		return { patch: parts.join(''), truncated: isCut || nested.isCut };
	}
}

async function readStatus(repository: OpenRepository) {
	const output = await repository.git([
		...['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames', SUBMODULE_COMMITS],
		...['--', ':(literal).'],
	]);
	const { branch, entries } = parsePorcelainStatus(output.stdout.toString('utf8'));
	const files = entries.map((entry) => ({ ...entry, path: entry.path.slice(repository.below.length) }));
	return { branch, entries: files, truncated: output.truncated };
}

async function readDiff({ git, folder }: OpenRepository, request: DiffRequest): Promise<GitPatch> {
	const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--relative', SUBMODULE_COMMITS];
	const { commit, segments = [] } = request;
	if (commit !== undefined && (await git(['rev-list', '--no-walk', '--ignore-missing', commit])).stdout.length === 0) {
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
	const named = segments.join('/');
	const where = [`:(literal)${named || '.'}`];
	const changed = await changedSecrets(git, commit === undefined ? base : [...base, '--no-commit-id'], where);
	const secrets = changed.filter((path) => path !== named);
	const output = await git([
		...base,
		...(commit === undefined ? [] : ['-p', '--pretty=medium']),
		...[`--src-prefix=a/${request.prefix}`, `--dst-prefix=b/${request.prefix}`, '--', ...where],
		...secrets.map((path) => `:(exclude,literal)${path}`),
	]);
	const left = secrets.map((path) => `# ${request.prefix}${path}: differs; not shown, it may hold secrets\n`).join('');
	return { patch: output.stdout.toString('utf8').toWellFormed() + left, truncated: output.truncated };
}

async function changedSecrets(
	git: OpenRepository['git'],
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
