/**
 * Finds the repositories that lie in a folder: submodules, and those that nobody has added to the repository around
 * them. Each is opened by itself, because Git would follow the settings of a submodule that it looks into. A repository
 * whose data lie elsewhere is left out: a file alone could name any repository of the user.
 */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isProwessError, type ProwessError } from '../../protocol/errors/errors.ts';
import { findErrno } from '../paths/file-error.ts';
import { GIT_INDEX_LIST_BYTES, NESTED_REPOSITORIES, SUBFOLDERS_LOOKED_AT } from './limits.ts';
import { mayHoldRepository, openRepository, type OpenRepository } from './open-repository.ts';
import { mayHaveSubmodules } from './plain-repository.ts';

interface FoundRepository extends OpenRepository {
	/** Relative to the folder that was asked about; ends with a slash if not empty. */
	readonly path: string;
}

export class NestedRepositories {
	readonly #root: string;
	readonly #environment: Readonly<Record<string, string>>;
	readonly #signal: AbortSignal;
	/** The repository that the root belongs to, or why there is none. */
	readonly #top: Promise<FoundRepository | ProwessError>;
	/** Data of the repositories that were opened. */
	readonly #opened = new Set<string>();
	#isCut = false;

	constructor(root: string, environment: Readonly<Record<string, string>>, signal: AbortSignal) {
		this.#root = root;
		this.#environment = environment;
		this.#signal = signal;
		this.#top = this.#openTop();
		// Failures are heard of by those who ask for it.
		this.#top.catch(() => undefined);
	}

	/** More repositories are there than are looked into. */
	get isCut(): boolean {
		return this.#isCut;
	}

	/** The repository of the root, or those in its subfolders where it has none. Rejects with NO_REPOSITORY. */
	async openFirst(): Promise<readonly FoundRepository[]> {
		const top = await this.#top;
		if ('git' in top) return [top];
		const found = await this.#openSubfolders();
		if (found.length === 0) throw top;
		return found;
	}

	/** The repositories directly below one. `untracked`: folders, relative to it, that hold repositories for all Git says. */
	async openBelow(above: FoundRepository, untracked: readonly string[]): Promise<readonly FoundRepository[]> {
		const found: FoundRepository[] = [];
		for (const path of [...(await listSubmodules(above)), ...untracked]) {
			const nested = await this.#open(`${above.path}${path.replace(/\/$/, '')}`);
			if (nested !== undefined) found.push(nested);
		}
		return found;
	}

	/** The innermost repository below the root that holds this place; undefined: none does. */
	async openAround(
		segments: readonly string[],
	): Promise<{ readonly repository: FoundRepository; readonly rest: readonly string[] } | undefined> {
		for (let length = segments.length; length > 0; length--) {
			const repository = await this.#open(segments.slice(0, length).join('/'));
			if (repository !== undefined) return { repository, rest: segments.slice(length) };
		}
		return undefined;
	}

	/** The repository whose top is at this path below the root. Undefined: none is, or it is not to be looked into. */
	async #open(path: string): Promise<FoundRepository | undefined> {
		const folder = join(this.#root, path);
		if (!(await mayHoldRepository(folder))) {
			return undefined;
		}
		if (this.#opened.size > NESTED_REPOSITORIES) {
			this.#isCut = true;
			return undefined;
		}
		const top = await this.#top;
		try {
			const root = await realpath(this.#root);
			const repository = await openRepository(folder, this.#environment, this.#signal);
			const [own = '', ...shared] = await Promise.all(repository.data.map((each) => realpath(each)));
			const ofTop = 'git' in top ? await Promise.all(top.data.map((each) => realpath(each))) : [];
			const isOurs = (each: string) =>
				[root, ...ofTop].some((place) => each === place || each.startsWith(join(place, '/')));
			const isThere = repository.below === '' && (await realpath(folder)) === join(root, path);
			if (!isThere || this.#opened.has(own) || ofTop[0] === own || ![own, ...shared].every(isOurs)) {
				return undefined;
			}
			this.#opened.add(own);
			return { ...repository, path: `${path}/` };
		} catch (error) {
			this.#signal.throwIfAborted();
			if (!isProwessError(error) && findErrno(error) === undefined) throw error;
			this.#isCut ||= isProwessError(error) && error.code !== 'NO_REPOSITORY';
			return undefined;
		}
	}

	async #openTop(): Promise<FoundRepository | ProwessError> {
		try {
			return { ...(await openRepository(this.#root, this.#environment, this.#signal)), path: '' };
		} catch (error) {
			if (isProwessError(error) && error.code === 'NO_REPOSITORY') return error;
			throw error;
		}
	}

	async #openSubfolders(): Promise<readonly FoundRepository[]> {
		const entries = await readdir(this.#root, { withFileTypes: true });
		const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
		this.#isCut ||= names.length > SUBFOLDERS_LOOKED_AT;
		const found: FoundRepository[] = [];
		for (const name of names.sort().slice(0, SUBFOLDERS_LOOKED_AT)) {
			const repository = await this.#open(name);
			if (repository !== undefined) found.push(repository);
		}
		return found;
	}
}

/** Folders that Git calls untracked and does not look into: repositories of their own, relative to the one around them. */
export async function listUntrackedRepositories({ git }: OpenRepository): Promise<readonly string[]> {
	const { stdout } = await git(
		['ls-files', '--others', '--exclude-standard', '-z', '--', ':(literal).'],
		GIT_INDEX_LIST_BYTES,
	);
	return stdout
		.toString('utf8')
		.split('\0')
		.filter((path) => path.endsWith('/'));
}

/** Relative to the folder of the repository. */
async function listSubmodules({ git, data: [own = ''] }: OpenRepository): Promise<readonly string[]> {
	if (!(await mayHaveSubmodules(own).catch(() => true))) {
		return [];
	}
	const { stdout } = await git(['ls-files', '--stage', '-z', '--', ':(literal).'], GIT_INDEX_LIST_BYTES);
	const entries = stdout.toString('utf8').split('\0');
	return [...new Set(entries.flatMap((entry) => /^160000 \w+ \d\t([^]*)$/.exec(entry)?.[1] ?? []))];
}
