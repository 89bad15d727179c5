/** Tells the kind of a location (folder, repository, https address), and reads its index in whichever form it has. */
import { readdir } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { downloadFile, type Downloads } from '../download.ts';
import { MAX_ARCHIVE_BYTES } from '../limits.ts';
import { BUILT_IN_INDEX } from './offer.ts';
import { FolderTree } from './folder-tree.ts';
import { type GitLocation, parseGitLocation } from '../../../protocol/git-location.ts';
import { text } from '../../../protocol/text/text.ts';
import { fetchRepository, type GitAccess } from './git-repository.ts';
import { GitTree } from './git-tree.ts';
import { readHttpIndex } from './http-index.ts';
import { treeBelow } from './index-tree.ts';
import type { ReadIndex } from './offer.ts';
import { fetchElsewhere } from '../plugins/elsewhere.ts';
import type { FetchElsewhere } from './plugin-index.ts';
import { readTreeIndex } from './tree-index.ts';

export interface IndexAccess {
	readonly downloads: Downloads;
	readonly git: GitAccess;
	/** Folder of the index that ships; undefined: there is none. */
	readonly builtIn: string | undefined;
}

/** `record`: called around what reads another machine. Rejects with DOWNLOAD_FAILED. */
export async function readIndex(
	source: IndexSource,
	{ downloads, git, builtIn }: IndexAccess,
	record: (location: string, work: () => Promise<ReadIndex>) => Promise<ReadIndex>,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const { location } = source;
	const downloadArchive = (url: string, within: AbortSignal) =>
		downloadFile({ url, maxBytes: MAX_ARCHIVE_BYTES, mayChangeHost: true }, downloads, within);
	const folder = location === BUILT_IN_INDEX ? builtIn : toFolderPath(location);
	const isOfMachine = folder !== undefined && isAbsolute(folder);
	const elsewhere: FetchElsewhere = (from, within) => fetchElsewhere(from, { git, downloads, isOfMachine }, within);
	const stored = isOfMachine ? await bareRepositoryAt(folder) : undefined;
	if (isOfMachine && stored === undefined) {
		return await readTreeIndex(await FolderTree.at(folder), source, downloadArchive, elsewhere, signal);
	}
	const repository = stored ?? parseGitLocation(location);
	if (repository !== undefined) {
		return await record(location, async () => {
			const fetched = await fetchRepository(repository, git, downloads, signal);
			const tree = treeBelow(new GitTree(fetched.repository, fetched.commit), repository.folder);
			return await readTreeIndex(tree, source, downloadArchive, elsewhere, signal);
		});
	}
	if (/^https?:\/\//i.test(location)) {
		return await record(location, () => readHttpIndex(source, downloads, signal));
	}
	const message = `prowess.marketplace.indexes: "${location}" is neither an absolute path, nor an https address, nor a Git repository`;
	throw new ProwessError('DOWNLOAD_FAILED', message, {
		location,
		said: text(
			'prowess.marketplace.indexes: "{location}" is neither an absolute path, nor an https address, nor a Git repository.',
			{ location },
		),
	});
}

/** Returns the path of a `file:` address, and any other location unchanged. */
function toFolderPath(location: string): string {
	return /^file:\/\//i.test(location) && URL.canParse(location) ? fileURLToPath(location) : location;
}

/**
 * Returns the location of a repository without a working copy, whose files lie in git's own store alone; undefined when
 * the path leads to none. The path may end in `#branch:folder`.
 */
async function bareRepositoryAt(path: string): Promise<GitLocation | undefined> {
	const at = path.indexOf('#');
	const folder = at === -1 || (await isBareRepository(path)) ? path : path.slice(0, at);
	return (await isBareRepository(folder))
		? parseGitLocation(`git+${pathToFileURL(folder).href}${path.slice(folder.length)}`)
		: undefined;
}

async function isBareRepository(folder: string): Promise<boolean> {
	const names: readonly string[] = await readdir(folder).catch(() => []);
	return ['HEAD', 'objects', 'refs'].every((name) => names.includes(name));
}
