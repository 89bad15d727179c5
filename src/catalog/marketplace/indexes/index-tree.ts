/** An index that lies in folders: on this disk, or in a commit of a repository. Paths are relative, with slashes; `''` is the whole. */
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { checkEntryNames } from '../package/entry-names.ts';
import type { PackageFile } from '../../package-file.ts';

export interface IndexTree {
	/** Undefined when there is no such file. Rejects with DOWNLOAD_FAILED when it is larger. */
	readFile(path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined>;
	/** Names of the folders in a folder, sorted; empty when there is none. */
	folders(path: string, signal: AbortSignal): Promise<string[]>;
	/** Paths of all files of these names (`*.py`: with this end), sorted, without those in .git and node_modules. Links are not followed. */
	filesNamed(names: readonly string[], signal: AbortSignal): Promise<string[]>;
	/** All files of a folder, which must be no more and no others than a package may hold. */
	readFolder(path: string, signal: AbortSignal): Promise<readonly PackageFile[]>;
	/** Paths of the plain files below a folder, relative to it, sorted: without links, and what lies in .git and node_modules. */
	filesBelow(path: string, signal: AbortSignal): Promise<string[]>;
	/** These files of a folder, by paths as `filesBelow` has them. Rejects when they are more than a package may hold. */
	readFiles(path: string, files: readonly string[], signal: AbortSignal): Promise<readonly PackageFile[]>;
}

/** True when the file is called one of these names, as `filesNamed` takes them. */
export function isFileNamed(path: string, names: readonly string[]): boolean {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return names.some((each) => (each.startsWith('*') ? name.endsWith(each.slice(1)) : name === each));
}

/** A path that an index names, below it. Throws DOWNLOAD_FAILED for any other. */
export function pathBelow(path: string): string {
	const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
	if (plain === '' || plain === '.') {
		return '';
	}
	try {
		// Plugins lie in folders such as `.claude-plugin`, which packages may not have.
		checkEntryNames(plain.split('/').map((segment) => ({ path: segment.replace(/^\.(?=[\w-])/, ''), isFolder: true })));
	} catch (error) {
		if (!isProwessError(error)) throw error;
		throw new ProwessError(
			'DOWNLOAD_FAILED',
			`the index names ${JSON.stringify(path.slice(0, 200))}, which does not lie below it`,
			{
				said: text('The index names {path}, which does not lie below it.', {
					path: JSON.stringify(path.slice(0, 200)),
				}),
			},
			error,
		);
	}
	return plain;
}

/** True when authors wrote the folders above a file: none is git's own or holds installed packages. */
export function isByAuthors(path: string): boolean {
	return path
		.split('/')
		.slice(0, -1)
		.every((name) => name !== '.git' && name !== 'node_modules');
}

export async function readTreeText(
	tree: IndexTree,
	path: string,
	maxBytes: number,
	signal: AbortSignal,
): Promise<string | undefined> {
	const bytes = await tree.readFile(path, maxBytes, signal);
	try {
		return bytes === undefined ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		const said = text('{path} is not encoded in UTF-8.', { path });
		throw new ProwessError('DOWNLOAD_FAILED', `${path}: it is not encoded in UTF-8`, { said }, error);
	}
}

/** A folder of an index as an index of its own. Throws DOWNLOAD_FAILED for one that does not lie below it. */
export function treeBelow(tree: IndexTree, folder: string): IndexTree {
	const root = pathBelow(folder);
	if (root === '') {
		return tree;
	}
	const joinRoot = (path: string) => (path === '' ? root : `${root}/${path}`);
	return {
		readFile: (path, maxBytes, signal) => tree.readFile(joinRoot(path), maxBytes, signal),
		folders: (path, signal) => tree.folders(joinRoot(path), signal),
		readFolder: (path, signal) => tree.readFolder(joinRoot(path), signal),
		filesBelow: (path, signal) => tree.filesBelow(joinRoot(path), signal),
		readFiles: (path, files, signal) => tree.readFiles(joinRoot(path), files, signal),
		async filesNamed(names, signal) {
			const found = await tree.filesNamed(names, signal);
			return found.filter((path) => path.startsWith(`${root}/`)).map((path) => path.slice(root.length + 1));
		},
	};
}
