/**
 * An index in a commit of a repository. The commit is read from git's own store and never checked out: nothing that it
 * configures is run, and no file of it is written before it was judged.
 */
import { isProwessError, ProwessError } from '../../../../protocol/errors.ts';
import { checkEntryNames } from '../package/entry-names.ts';
import type { PackageFile } from '../package/package-file.ts';
import { readZip } from '../package/read-zip.ts';
import { MAX_ARCHIVE_BYTES, MAX_INDEX_BYTES } from '../limits.ts';
import type { Repository } from './git-repository.ts';
import { type IndexTree, isByAuthors } from './index-tree.ts';

export class GitTree implements IndexTree {
	readonly #repository: Repository;
	readonly #commit: string;

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
			throw failed(path, `more than ${maxBytes} bytes`);
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
		const args = ['ls-tree', '-r', '-z', this.#commit];
		const { stdout, truncated } = await this.#repository.run(args, MAX_INDEX_BYTES, signal);
		if (truncated) {
			throw failed('the names of all files', `more than ${MAX_INDEX_BYTES} bytes`);
		}
		return entriesIn(stdout)
			.filter(({ type, mode }) => type === 'blob' && mode !== '120000')
			.map(({ path }) => path)
			.filter((path) => names.includes(path.slice(path.lastIndexOf('/') + 1)) && isByAuthors(path))
			.sort();
	}

	/** As an archive that git makes, read like any other: links, submodules and names are refused there. */
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
			throw failed(path, `more than ${MAX_ARCHIVE_BYTES} bytes`);
		}
		return await readZip(stdout, signal);
	}

	async #list(path: string, signal: AbortSignal): Promise<TreeEntry[]> {
		const args = ['ls-tree', '-z', this.#commit, ...(path === '' ? [] : ['--', path])];
		try {
			const { stdout } = await this.#repository.run(args, MAX_INDEX_BYTES, signal);
			return entriesIn(stdout);
		} catch (error) {
			signal.throwIfAborted();
			if (isProwessError(error) && error.code === 'DOWNLOAD_FAILED') return [];
			throw error;
		}
	}
}

interface TreeEntry {
	readonly mode: string;
	readonly type: string;
	readonly object: string;
	readonly path: string;
}

/** Of what `git ls-tree -z` prints. */
function entriesIn(printed: Buffer): TreeEntry[] {
	return printed
		.toString('utf8')
		.split('\0')
		.flatMap((line) => {
			const [, mode = '', type = '', object = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
			return path === '' ? [] : [{ mode, type, object, path }];
		});
}

function failed(path: string, why: string): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', `cannot read ${path} of the repository: ${why}`, { path });
}
