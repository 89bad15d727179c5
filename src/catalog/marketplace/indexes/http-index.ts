/** An index at an https address: `index.json` there, and archives beside it or anywhere else. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { text } from '../../../protocol/text/text.ts';
import { downloadFile, type Downloads } from '../download.ts';
import { MAX_ARCHIVE_BYTES, MAX_INDEX_FILE_BYTES } from '../limits.ts';
import { pathBelow } from './index-tree.ts';
import type { ReadIndex } from './offer.ts';
import { INDEX_FILE, readOwnIndex } from './own-index.ts';
import { isAddress } from './tree-index.ts';

export async function readHttpIndex(
	source: IndexSource,
	downloads: Downloads,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const address = source.location.endsWith('.json')
		? source.location
		: `${source.location.replace(/\/+$/, '')}/${INDEX_FILE}`;
	const bytes = await downloadFile(
		{ url: address, maxBytes: MAX_INDEX_FILE_BYTES, mayChangeHost: false },
		downloads,
		signal,
	);
	const resolveArchiveUrl = (path: string) =>
		isAddress(path) ? path : new URL(encodeURI(pathBelow(path)), address).href;
	return readOwnIndex(bytes.toString('utf8'), {
		source,
		isRemote: () => true,
		check: (path) => {
			if (!path.endsWith('.zip') && !isAddress(path)) {
				throw new ProwessError('DOWNLOAD_FAILED', `"${path}" is neither a .zip nor an address`, {
					path,
					said: text('"{path}" is neither a .zip nor an address.', { path }),
				});
			}
			resolveArchiveUrl(path);
		},
		get: (path, within) =>
			downloadFile(
				{ url: resolveArchiveUrl(path), maxBytes: MAX_ARCHIVE_BYTES, mayChangeHost: true },
				downloads,
				within,
			),
	});
}
