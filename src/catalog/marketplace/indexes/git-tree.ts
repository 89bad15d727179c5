/**
 * An index in a commit of a repository. The commit is read from git's own store and never checked out: nothing that it
 * configures is run, and no file of it is written before it was judged.
 */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../../protocol/text/text.ts';
import { checkEntryNames } from '../package/entry-names.ts';
import type { PackageFile } from '../../package-file.ts';
import { readZip } from '../package/read-zip.ts';
import { MAX_ARCHIVE_BYTES, MAX_INDEX_FILE_BYTES } from '../limits.ts';
import type { Repository } from './git-repository.ts';
import { type IndexTree, isByAuthors, isFileNamed } from './index-tree.ts';

export class GitTree implements IndexTree {
	readonly #repository: Repository;
	readonly #commit: string;
	/** All that is in the commit, listed once: a marketplace asks for hundreds of files. */
	#all: Promise<readonly GitTreeEntry[] | undefined> | undefined;

	constructor(repository: Repository, commit: string) {
		this.#repository = repository;
		this.#commit = commit;
	}

	async readFile(path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
		const found = (await this.#list(path, signal)).find((each) => each.path === path);
		if (found === undefined || found.type !== 'blob' || found.mode === '120000') {
			return undefined;
		}
		const read = await this.#repository.run(['cat-file', 'blob', found.object], maxBytes, signal);
		if (read.truncated) {
			throw createGitTreeError(path, text('more than {n} bytes', { n: maxBytes }));
		}
		return read.stdout;
	}

	async folders(path: string, signal: AbortSignal): Promise<string[]> {
		const within = path === '' ? '' : `${path}/`;
		return (await this.#list(within, signal))
			.filter(({ type }) => type === 'tree')
			.map((each) => each.path.slice(within.length))
			.sort();
	}

	async filesNamed(names: readonly string[], signal: AbortSignal): Promise<string[]> {
		const files = await this.filesBelow('', signal);
		return files.filter((path) => isFileNamed(path, names));
	}

	async filesBelow(path: string, signal: AbortSignal): Promise<string[]> {
		const within = path === '' ? '' : `${path}/`;
		const all = await this.#entries(signal);
		if (all === undefined) {
			throw createGitTreeError('the names of all files', text('more than {n} bytes', { n: MAX_INDEX_FILE_BYTES }));
		}
		return all
			.filter((each) => each.type === 'blob' && each.mode !== '120000' && each.path.startsWith(within))
			.map((each) => each.path.slice(within.length))
			.filter(isByAuthors)
			.sort();
	}

	async readFiles(path: string, files: readonly string[], signal: AbortSignal): Promise<readonly PackageFile[]> {
		if (files.length === 0) {
			return [];
		}
		const what = path === '' ? `${this.#commit}^{tree}` : `${this.#commit}:${path}`;
		// Each archive names only as many files as a command line holds on every system; further archives hold the
		// rest.
		const read: PackageFile[] = [];
		for (const some of splitFileList(files)) {
			const args = ['--literal-pathspecs', 'archive', '--format=zip', '-0', what, '--', ...some];
			const { stdout, truncated } = await this.#repository.run(args, MAX_ARCHIVE_BYTES, signal);
			if (truncated) {
				throw createGitTreeError(path, text('more than {n} bytes', { n: MAX_ARCHIVE_BYTES }));
			}
			read.push(...(await readZip(stdout, signal)));
		}
		return read;
	}

	/**
	 * Reads a folder as an archive that git makes. `readZip` refuses links, submodules and bad names in it, as in any
	 * other archive.
	 */
	async readFolder(path: string, signal: AbortSignal): Promise<readonly PackageFile[]> {
		checkEntryNames(path === '' ? [] : [{ path: path.replaceAll(/(^|\/)\.(?=\w)/g, '$1'), isFolder: true }]);
		const what = path === '' ? `${this.#commit}^{tree}` : `${this.#commit}:${path}`;
		// Stored, so that how much text shrinks is no reason to refuse it.
		const { stdout, truncated } = await this.#repository.run(
			['archive', '--format=zip', '-0', what],
			MAX_ARCHIVE_BYTES,
			signal,
		);
		if (truncated) {
			throw createGitTreeError(path, text('more than {n} bytes', { n: MAX_ARCHIVE_BYTES }));
		}
		return await readZip(stdout, signal);
	}

	/** Undefined for so many that they are asked for one by one. */
	async #entries(signal: AbortSignal): Promise<readonly GitTreeEntry[] | undefined> {
		this.#all ??= this.#repository
			.run(['ls-tree', '-r', '-t', '-z', this.#commit], MAX_INDEX_FILE_BYTES, signal)
			.then(({ stdout, truncated }) => (truncated ? undefined : entriesIn(stdout)));
		try {
			return await this.#all;
		} catch (error) {
			this.#all = undefined;
			throw error;
		}
	}

	async #list(path: string, signal: AbortSignal): Promise<readonly GitTreeEntry[]> {
		const all = await this.#entries(signal);
		if (all !== undefined) {
			const isFolder = path === '' || path.endsWith('/');
			return isFolder
				? all.filter((each) => each.path.startsWith(path) && !each.path.slice(path.length).includes('/'))
				: all.filter((each) => each.path === path);
		}
		const args = ['ls-tree', '-z', this.#commit, ...(path === '' ? [] : ['--', path])];
		try {
			const { stdout } = await this.#repository.run(args, MAX_INDEX_FILE_BYTES, signal);
			return entriesIn(stdout);
		} catch (error) {
			signal.throwIfAborted();
			if (isProwessError(error) && error.code === 'DOWNLOAD_FAILED') return [];
			throw error;
		}
	}
}

const PIECE_CHARS = 20_000;

function splitFileList(files: readonly string[]): string[][] {
	const pieces: string[][] = [];
	let chars = PIECE_CHARS;
	for (const file of files) {
		chars += file.length + 1;
		if (chars > PIECE_CHARS) {
			pieces.push([]);
			chars = file.length;
		}
		pieces.at(-1)?.push(file);
	}
	return pieces;
}

interface GitTreeEntry {
	readonly mode: string;
	readonly type: string;
	readonly object: string;
	readonly path: string;
}

/** Parses the output of `git ls-tree -z`. */
function entriesIn(printed: Buffer): GitTreeEntry[] {
	return printed
		.toString('utf8')
		.split('\0')
		.flatMap((line) => {
			const [, mode = '', type = '', object = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
			return path === '' ? [] : [{ mode, type, object, path }];
		});
}

function createGitTreeError(path: string, why: string | Text): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', `cannot read ${path} of the repository: ${inEnglish(why)}`, {
		path,
		said: text('Cannot read {path} of the repository: {why}', { path, why }),
	});
}
