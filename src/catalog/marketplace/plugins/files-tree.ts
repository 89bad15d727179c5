/** An index in files that are in memory. */
import type { IndexTree } from '../indexes/index-tree.ts';
import { isByAuthors, isFileNamed } from '../indexes/index-tree.ts';
import { createPluginError } from '../indexes/plugin-files.ts';
import type { PackageFile } from '../../package-file.ts';

export class FilesTree implements IndexTree {
	readonly #files: ReadonlyMap<string, Buffer>;

	constructor(files: readonly PackageFile[]) {
		this.#files = new Map(files.filter(({ path }) => isByAuthors(path)).map(({ path, bytes }) => [path, bytes]));
	}

	async readFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
		const bytes = this.#files.get(path);
		if (bytes !== undefined && bytes.length > maxBytes) {
			throw createPluginError(`${path}: ${bytes.length} bytes, the limit is ${maxBytes}`);
		}
		return bytes;
	}

	async folders(path: string): Promise<string[]> {
		const below = await this.filesBelow(path);
		return [...new Set(below.flatMap((each) => (each.includes('/') ? [each.slice(0, each.indexOf('/'))] : [])))].sort();
	}

	async filesNamed(names: readonly string[]): Promise<string[]> {
		return [...this.#files.keys()].filter((path) => isFileNamed(path, names)).sort();
	}

	async readFolder(path: string): Promise<readonly PackageFile[]> {
		return await this.readFiles(path, await this.filesBelow(path));
	}

	async filesBelow(path: string): Promise<string[]> {
		const within = path === '' ? '' : `${path}/`;
		return [...this.#files.keys()]
			.filter((each) => each.startsWith(within))
			.map((each) => each.slice(within.length))
			.sort();
	}

	async readFiles(path: string, files: readonly string[]): Promise<readonly PackageFile[]> {
		const within = path === '' ? '' : `${path}/`;
		return files.flatMap((each) => {
			const bytes = this.#files.get(within + each);
			return bytes === undefined ? [] : [{ path: each, bytes }];
		});
	}
}
