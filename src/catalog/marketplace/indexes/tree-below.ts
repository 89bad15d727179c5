/** Presents one folder of an index in folders as an index of its own. */
import { type IndexTree, pathBelow } from './index-tree.ts';

/** Throws DOWNLOAD_FAILED for a folder that does not lie below it. */
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
