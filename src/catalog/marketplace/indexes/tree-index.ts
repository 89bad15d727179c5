/** An index in folders, in whichever form it has. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { text } from '../../../protocol/text/text.ts';
import { MAX_ARCHIVE_BYTES, MAX_INDEX_FILE_BYTES } from '../limits.ts';
import type { PackageFile } from '../../package-file.ts';
import { type IndexTree, pathBelow, readTreeText } from './index-tree.ts';
import type { ReadIndex } from './offer.ts';
import { INDEX_FILE, readOwnIndex } from './own-index.ts';
import { type FetchElsewhere, readPluginIndex } from './plugin-index.ts';

/** `download`: of an https address that an index in folders names. */
export async function readTreeIndex(
	tree: IndexTree,
	source: IndexSource,
	download: (url: string, signal: AbortSignal) => Promise<Buffer>,
	elsewhere: FetchElsewhere,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const own = await readTreeText(tree, INDEX_FILE, MAX_INDEX_FILE_BYTES, signal);
	if (own !== undefined) {
		return readOwnIndex(own, {
			source,
			isRemote: isAddress,
			check: (path) => void (isAddress(path) || pathBelow(path)),
			get: (path, within) => (isAddress(path) ? download(path, within) : readIndexedContent(tree, path, within)),
		});
	}
	const plugins = await readPluginIndex(tree, source, elsewhere, signal);
	if (plugins !== undefined) {
		return plugins;
	}
	const message = `${source.location} holds no ${INDEX_FILE}, no marketplace.json, no plugin.json and no capability`;
	throw new ProwessError('DOWNLOAD_FAILED', message, {
		location: source.location,
		said: text('{location} holds no {file}, no marketplace.json, no plugin.json and no capability.', {
			location: source.location,
			file: INDEX_FILE,
		}),
	});
}

async function readIndexedContent(
	tree: IndexTree,
	path: string,
	signal: AbortSignal,
): Promise<Buffer | readonly PackageFile[]> {
	const below = pathBelow(path);
	return below.endsWith('.zip')
		? ((await tree.readFile(below, MAX_ARCHIVE_BYTES, signal)) ?? throwMissingContent(path))
		: await tree.readFolder(below, signal);
}

function throwMissingContent(path: string): never {
	throw new ProwessError('DOWNLOAD_FAILED', `the index names ${path}, which is not there`, {
		path,
		said: text('The index names {path}, which is not there.', { path }),
	});
}

export function isAddress(text: string): boolean {
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
