/** An index in a folder of this machine. All files it names must lie below the folder, links included. */
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../../protocol/text/text.ts';
import { readCapabilityFiles } from '../../capability-files.ts';
import { unlessMissing } from '../../../machine/paths/file-error.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import { checkEntryNames } from '../package/entry-names.ts';
import { refuseHiddenText } from '../../registry/reading/hidden-text.ts';
import type { PackageFile } from '../../package-file.ts';
import { MAX_FILE_DEPTH, MAX_TOTAL_BYTES } from '../../limits.ts';
import { MAX_INDEX_DEPTH, MAX_PLUGIN_TREE_FILES } from '../limits.ts';
import { type IndexTree, isByAuthors, isFileNamed } from './index-tree.ts';

export class FolderTree implements IndexTree {
	readonly #root: string;

	private constructor(root: string) {
		this.#root = root;
	}

	/** Rejects with DOWNLOAD_FAILED when it is no folder. */
	static async at(path: string): Promise<FolderTree> {
		const root = await realpath(path).catch((error: unknown) => {
			throw createFolderTreeError(path, text('it does not exist'), error);
		});
		if (!(await lstat(root)).isDirectory()) {
			throw createFolderTreeError(path, text('it is not a folder'));
		}
		return new FolderTree(root);
	}

	async readFile(path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
		signal.throwIfAborted();
		const at = await this.#find(path);
		if (at === undefined) {
			return undefined;
		}
		const stats = await lstat(at);
		if (!stats.isFile()) {
			return undefined;
		}
		if (stats.size > maxBytes) {
			throw createFolderTreeError(
				at,
				text('{size} bytes, the limit is {limit}', { size: stats.size, limit: maxBytes }),
			);
		}
		return await readRegularFile(at, maxBytes);
	}

	async folders(path: string, signal: AbortSignal): Promise<string[]> {
		signal.throwIfAborted();
		const at = await this.#find(path);
		const entries = at === undefined ? [] : await readdir(at, { withFileTypes: true }).catch(() => []);
		return entries
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => name)
			.sort();
	}

	async filesNamed(names: readonly string[], signal: AbortSignal): Promise<string[]> {
		const found: string[] = [];
		let level = [''];
		for (let depth = 0; level.length > 0 && depth <= MAX_INDEX_DEPTH; depth += 1) {
			const next: string[] = [];
			for (const folder of level) {
				signal.throwIfAborted();
				const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(() => []);
				for (const entry of entries) {
					const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
					if (entry.isFile() && isFileNamed(entry.name, names)) found.push(path);
					if (entry.isDirectory() && isByAuthors(`${path}/`)) next.push(path);
				}
			}
			level = next;
		}
		return found.sort();
	}

	async readFolder(path: string, signal: AbortSignal): Promise<readonly PackageFile[]> {
		signal.throwIfAborted();
		const at = await this.#find(path);
		if (at === undefined) {
			throw createFolderTreeError(join(this.#root, path), text('it does not exist'));
		}
		return await readPackageFolder(at);
	}

	async filesBelow(path: string, signal: AbortSignal): Promise<string[]> {
		const root = await this.#find(path);
		const found: string[] = [];
		let level = root === undefined ? [] : [''];
		for (let depth = 0; level.length > 0 && depth < MAX_FILE_DEPTH; depth += 1) {
			const next: string[] = [];
			for (const folder of level) {
				signal.throwIfAborted();
				for (const entry of await readdir(join(root ?? '', folder), { withFileTypes: true }).catch(() => [])) {
					const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
					if (entry.isFile()) found.push(below);
					if (entry.isDirectory() && isByAuthors(`${below}/`)) next.push(below);
				}
				if (found.length > MAX_PLUGIN_TREE_FILES) return found.sort();
			}
			level = next;
		}
		return found.sort();
	}

	async readFiles(path: string, files: readonly string[], signal: AbortSignal): Promise<readonly PackageFile[]> {
		const read: PackageFile[] = [];
		let bytes = 0;
		for (const file of files) {
			const below = path === '' ? file : `${path}/${file}`;
			const content = await this.readFile(below, MAX_TOTAL_BYTES - bytes, signal);
			if (content === undefined) continue;
			bytes += content.length;
			read.push({ path: file, bytes: content });
		}
		return read;
	}

	async #find(path: string): Promise<string | undefined> {
		const real = await unlessMissing(realpath(join(this.#root, ...path.split('/'))));
		if (real !== undefined && relative(this.#root, real).startsWith('..')) {
			throw createFolderTreeError(join(this.#root, path), text('a link leads out of the index'));
		}
		return real;
	}
}

/** The files of a folder as a package would have them, by the same rules. Rejects with EXTRACTION_FAILED and others. */
export async function readPackageFolder(folder: string): Promise<readonly PackageFile[]> {
	const { files } = await readCapabilityFiles(folder);
	checkEntryNames(files.map(({ path }) => ({ path, isFolder: false })));
	refuseHiddenText(files);
	return files;
}

function createFolderTreeError(path: string, why: string | Text, cause?: unknown): ProwessError {
	return new ProwessError(
		'DOWNLOAD_FAILED',
		`cannot read ${path}: ${inEnglish(why)}`,
		{ path, said: text('Cannot read {path}: {why}', { path, why }) },
		cause,
	);
}
