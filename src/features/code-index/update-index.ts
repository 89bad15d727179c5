/** Brings the index of a folder up to date: what is new or changed is read, what is gone or ignored is forgotten. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';
import { decodeForSearch } from '../../machine/search/decode-for-search.ts';
import { readBelow, walk } from '../../machine/search/walk.ts';
import { chunksOf } from './chunks.ts';
import type { IndexedFile, IndexStore } from './index-store.ts';
import { limits } from './limits.ts';

export interface IndexState {
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

type Seen = Omit<IndexedFile, 'number'>;

/** Stops at its limit; what it has done by then stays. */
export function updateIndex(store: IndexStore, { root, usualEncoding, maxBytes, limitMs }: UpdateOptions): IndexState {
	const until = performance.now() + limitMs;
	const known = new Map(store.files().map((file) => [file.path, file]));
	const found = filesOf(root);
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
		const some = changed.slice(done, done + limits.filesAtOnce);
		store.together(() => {
			for (const file of some) store.put(file, read(root, file, usualEncoding));
		});
		done += some.length;
		isFull = store.size > maxBytes;
	}
	return { files: found.length, indexed: found.length - (changed.length - done), isFull };
}

function filesOf(root: string): readonly Seen[] {
	const found: Seen[] = [];
	for (const path of walk({ root, segments: [], kind: 'folder' })) {
		if (LEFT_OUT.test(path) || isSecretName(path.split('/'))) continue;
		const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
		if (stat?.isFile() !== true || stat.size === 0 || stat.size > limits.fileBytes) continue;
		found.push({ path, size: stat.size, changedAt: stat.mtimeMs });
		if (found.length === limits.files) break;
	}
	return found;
}

function read(root: string, { path }: Seen, usualEncoding: string | undefined) {
	const bytes = readBelow(root, path);
	const text = bytes === undefined || bytes === 'binary' ? undefined : decodeForSearch(bytes, usualEncoding)?.text;
	return text === undefined || !isWritten(text) ? [] : chunksOf(text);
}

function isWritten(text: string): boolean {
	return text.length / text.split('\n').length <= limits.meanLineChars;
}
