/** Brings the index of a folder up to date: what is new or changed is read, what is gone or ignored is forgotten. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';
import { decodeForSearch } from '../../machine/search/decode-for-search.ts';
import { readSearchedFile, walkFiles } from '../../machine/search/walk.ts';
import { splitIntoChunks } from './chunks.ts';
import type { IndexedFile, IndexStore } from './index-store.ts';
import { codeIndexLimits } from './limits.ts';

export interface CodeIndexState {
	/** Files of the folder that can be indexed, and those that are. */
	readonly files: number;
	readonly indexed: number;
	/** The index may take no more of the disk. */
	readonly isFull: boolean;
}

interface UpdateOptions {
	readonly root: string;
	/** Encoding of texts that do not tell theirs. */
	readonly usualEncoding: string | undefined;
	readonly maxBytes: number;
	/** Milliseconds. */
	readonly limitMs: number;
}

/** Made by tools, or no language at all. */
const LEFT_OUT =
	/(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|[^/]+\.(?:lock|min\.js|min\.css|map|svg|csv|tsv|snap|log|ipynb|po))$/i;

type ScannedFile = Omit<IndexedFile, 'number'>;

/** Stops at its limit; what it has done by then stays. */
export function updateIndex(
	store: IndexStore,
	{ root, usualEncoding, maxBytes, limitMs }: UpdateOptions,
): CodeIndexState {
	const until = performance.now() + limitMs;
	const known = new Map(store.files().map((file) => [file.path, file]));
	const found = listIndexableFiles(root);
	const there = new Set(found.map(({ path }) => path));
	store.together(() => {
		for (const path of known.keys()) if (!there.has(path)) store.forget(path);
	});
	const changed = found.filter(({ path, size, changedAt }) => {
		const before = known.get(path);
		return before?.size !== size || before.changedAt !== changedAt;
	});
	let done = 0;
	let isFull = store.size > maxBytes;
	while (done < changed.length && !isFull && performance.now() < until) {
		const some = changed.slice(done, done + codeIndexLimits.filesAtOnce);
		store.together(() => {
			for (const file of some) store.put(file, readChunks(root, file, usualEncoding));
		});
		done += some.length;
		isFull = store.size > maxBytes;
	}
	return { files: found.length, indexed: found.length - (changed.length - done), isFull };
}

function listIndexableFiles(root: string): readonly ScannedFile[] {
	const found: ScannedFile[] = [];
	for (const path of walkFiles({ root, segments: [], kind: 'folder' })) {
		if (LEFT_OUT.test(path) || isSecretName(path.split('/'))) continue;
		const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
		if (stat?.isFile() !== true || stat.size === 0 || stat.size > codeIndexLimits.fileBytes) continue;
		found.push({ path, size: stat.size, changedAt: stat.mtimeMs });
		if (found.length === codeIndexLimits.files) break;
	}
	return found;
}

function readChunks(root: string, { path }: ScannedFile, usualEncoding: string | undefined) {
	const bytes = readSearchedFile(root, path);
	const text = bytes === undefined || bytes === 'binary' ? undefined : decodeForSearch(bytes, usualEncoding)?.text;
	return text === undefined || !isWritten(text) ? [] : splitIntoChunks(text);
}

function isWritten(text: string): boolean {
	return text.length / text.split('\n').length <= codeIndexLimits.meanLineChars;
}
