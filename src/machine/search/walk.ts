/** Visits the files below a scope in the order of results. Links are not followed, `.git` is left out, ignored files too. */
import {
	closeSync,
	constants,
	type Dirent,
	fstatSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	readSync,
} from 'node:fs';
import { join } from 'node:path';
import { isBinaryFromStart } from './decode-for-search.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { SEARCH_FILE_BYTES, SEARCH_HEAD_BYTES } from './limits.ts';
import type { SearchScope } from './search-engine.ts';

interface WalkedEntry {
	readonly kind: 'file' | 'folder' | 'link';
	/** Below the root. */
	readonly segments: readonly string[];
}

/** Paths below the root. */
export function* walkFiles(scope: SearchScope): Generator<string> {
	if (scope.kind === 'file') {
		yield scope.segments.join('/');
		return;
	}
	for (const { kind, segments } of walkFolder(scope.root, scope.segments, new IgnoreRules(scope.root, scope))) {
		if (kind === 'file') yield segments.join('/');
	}
}

/** Paths below the root of files that are ignored, too; of the first so many entries. */
export function* walkIgnored(scope: SearchScope, entries: number): Generator<string> {
	let left = entries;
	for (const { kind, segments } of walkFolder(scope.root, scope.segments, { ignores: () => false })) {
		left -= 1;
		if (left < 0) return;
		if (kind === 'file') yield segments.join('/');
	}
}

/** The same of links and folders, each folder before what it holds. */
export function walkEntries(root: string): Generator<WalkedEntry> {
	return walkFolder(root, [], new IgnoreRules(root, { segments: [], kind: 'folder' }));
}

function* walkFolder(
	root: string,
	folder: readonly string[],
	rules: Pick<IgnoreRules, 'ignores'>,
): Generator<WalkedEntry> {
	for (const entry of listSortedEntries(join(root, ...folder))) {
		const segments = [...folder, entry.name];
		if (entry.name.toLowerCase() === '.git' || rules.ignores(segments, entry.isDirectory())) {
			continue;
		}
		if (entry.isDirectory()) {
			yield { kind: 'folder', segments };
			yield* walkFolder(root, segments, rules);
		} else if (entry.isFile() || entry.isSymbolicLink()) {
			yield { kind: entry.isFile() ? 'file' : 'link', segments };
		}
	}
}

function listSortedEntries(path: string): Dirent[] {
	try {
		return readdirSync(path, { withFileTypes: true }).sort((a, b) => compareNames(a.name, b.name));
	} catch {
		// Gone, or not ours to read: nothing to find in it.
		return [];
	}
}

/** Undefined when it cannot be read, is too large, or does not lie below the root when it is open. */
export function readSearchedFile(root: string, path: string): Buffer | 'binary' | undefined {
	try {
		const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
		const file = openSync(join(root, path), flags);
		try {
			if (
				process.platform === 'linux' &&
				!readlinkSync(`/proc/self/fd/${file}`).startsWith(root === '/' ? root : `${root}/`)
			) {
				return undefined;
			}
			const stat = fstatSync(file);
			if (!stat.isFile() || stat.size > SEARCH_FILE_BYTES) {
				return undefined;
			}
			const head = Buffer.allocUnsafe(Math.min(stat.size, SEARCH_HEAD_BYTES));
			const length = readSync(file, head, 0, head.length, 0);
			return isBinaryFromStart(head.subarray(0, length)) ? 'binary' : readFileSync(file);
		} finally {
			closeSync(file);
		}
	} catch {
		// Same as an unreadable file for ripgrep: passed over.
		return undefined;
	}
}

/** The order of the entries of one folder: by name, in UTF-8 order, as ripgrep's `--sort path` walks them. */
export function compareNames(a: string, b: string): number {
	return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
