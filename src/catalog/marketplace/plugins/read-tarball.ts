/** The plain files of a package as npm packs it, without the folder that they lie in; links and devices are left out. */
import { gunzipSync } from 'node:zlib';
import { MAX_TOTAL_BYTES } from '../../limits.ts';
import { createPluginError } from '../indexes/plugin-files.ts';
import { MAX_PLUGIN_TREE_FILES } from '../limits.ts';
import type { PackageFile } from '../../package-file.ts';

const TAR_BLOCK_BYTES = 512;

/** Throws DOWNLOAD_FAILED for what is no such archive, or unpacks to too much. */
export function readTarball(bytes: Buffer): readonly PackageFile[] {
	let tar: Buffer;
	try {
		tar = gunzipSync(bytes, { maxOutputLength: 2 * MAX_TOTAL_BYTES });
	} catch (error) {
		throw createPluginError('the package cannot be unpacked', error);
	}
	const files = new Map<string, Buffer>();
	let longName: string | undefined;
	for (let at = 0; at + TAR_BLOCK_BYTES <= tar.length && tar[at] !== 0;) {
		const header = tar.subarray(at, at + TAR_BLOCK_BYTES);
		const size = Number.parseInt(readTarText(header, 124, 12).trim() || '0', 8);
		const end = at + TAR_BLOCK_BYTES + size;
		if (!(size >= 0) || end > tar.length || !hasTarChecksum(header)) {
			throw createPluginError('the package cannot be unpacked: an entry is damaged');
		}
		const content = tar.subarray(at + TAR_BLOCK_BYTES, end);
		const type = readTarText(header, 156, 1);
		if (type === 'x') {
			longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1] ?? longName;
		} else if (type === 'L') {
			longName = content.toString('utf8').replace(/\0.*$/s, '');
		} else if (type !== 'g') {
			const path = pathBelowTop(longName ?? readTarEntryName(header));
			longName = undefined;
			if ((type === '' || type === '0') && path !== '') files.set(path, content);
			if (files.size > MAX_PLUGIN_TREE_FILES)
				throw createPluginError(`the package has more than ${MAX_PLUGIN_TREE_FILES} files`);
		}
		at = TAR_BLOCK_BYTES * Math.ceil(end / TAR_BLOCK_BYTES);
	}
	return [...files].map(([path, content]) => ({ path, bytes: content }));
}

function readTarEntryName(header: Buffer): string {
	const prefix = readTarText(header, 257, 5) === 'ustar' ? readTarText(header, 345, 155) : '';
	return prefix === '' ? readTarText(header, 0, 100) : `${prefix}/${readTarText(header, 0, 100)}`;
}

/** Empty for one that does not lie in it. */
function pathBelowTop(name: string): string {
	const [, ...segments] = name.split('/').filter((segment) => segment !== '.');
	return segments.some((segment) => segment === '..' || segment === '') ? '' : segments.join('/');
}

function hasTarChecksum(header: Buffer): boolean {
	const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
	return sum === Number.parseInt(readTarText(header, 148, 8).trim(), 8);
}

function readTarText(block: Buffer, at: number, length: number): string {
	return block
		.subarray(at, at + length)
		.toString('utf8')
		.replace(/\0.*$/s, '');
}
