/**
 * Search by ripgrep, unless an ignore file in the workspace has no end: ripgrep opens each `.gitignore` that it comes
 * by, waits for a pipe and reads a link to a device until the memory is full. Then our own engine searches, for which
 * such a file has no say.
 */
import { statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { IgnoreRules } from '../ignore-rules.ts';
import { IGNORE_FILE_BYTES, LOOKED_AT_FOLDERS, UNSTALLED_MS } from '../limits.ts';
import type { FileSearchResult, SearchEngine, SearchScope, TextQuery, TextSearchResult } from '../search-engine.ts';

export class UnstalledSearch implements SearchEngine {
	readonly name: SearchEngine['name'];
	readonly #ripgrep: SearchEngine;
	readonly #own: SearchEngine;

	constructor(ripgrep: SearchEngine, own: SearchEngine) {
		this.name = ripgrep.name;
		this.#ripgrep = ripgrep;
		this.#own = own;
	}

	async text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextSearchResult> {
		return await this.#search(scope, signal, (engine, either) => engine.text(scope, query, either));
	}

	async files(scope: SearchScope, pattern: string, limit: number, signal: AbortSignal): Promise<FileSearchResult> {
		return await this.#search(scope, signal, (engine, either) => engine.files(scope, pattern, limit, either));
	}

	async #search<T>(
		scope: SearchScope,
		signal: AbortSignal,
		search: (engine: SearchEngine, signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		if (await hasEndlessIgnoreFile(scope, LOOKED_AT_FOLDERS, signal)) return await search(this.#own, signal);
		const ended = new AbortController();
		const stalled = new AbortController();
		// Most searches have ended by then, and cost no look at all folders.
		const timer = setTimeout(() => {
			hasEndlessIgnoreFile(scope, Number.POSITIVE_INFINITY, ended.signal).then(
				(isStalled) => (isStalled ? stalled.abort() : undefined),
				() => undefined,
			);
		}, UNSTALLED_MS);
		try {
			return await search(this.#ripgrep, AbortSignal.any([signal, stalled.signal]));
		} catch (error) {
			if (signal.aborted || !stalled.signal.aborted) throw error;
			return await search(this.#own, signal);
		} finally {
			clearTimeout(timer);
			ended.abort();
		}
	}
}

/** Looks at the folders that are searched, those nearest to the scope first, at most `most`. Rejects when the signal aborts. */
async function hasEndlessIgnoreFile(scope: SearchScope, most: number, signal: AbortSignal): Promise<boolean> {
	const { root, segments } = scope;
	const above = segments.map((_, depth) => join(root, ...segments.slice(0, depth)));
	if (above.some(isEndlessIn)) return true;
	if (scope.kind === 'file') return false;
	const rules = new IgnoreRules(root, scope);
	const folders: (readonly string[])[] = [segments];
	for (const folder of folders) {
		signal.throwIfAborted();
		if (isEndlessIn(join(root, ...folder))) return true;
		if (folders.length < most) folders.push(...(await listFoldersIn(root, folder, rules)).slice(0, most));
	}
	return false;
}

async function listFoldersIn(root: string, folder: readonly string[], rules: IgnoreRules): Promise<string[][]> {
	const found: string[][] = [];
	try {
		for await (const entry of await opendir(join(root, ...folder))) {
			const below = [...folder, entry.name];
			if (entry.isDirectory() && entry.name.toLowerCase() !== '.git' && !rules.ignores(below, true)) found.push(below);
		}
	} catch {
		// Gone, or not ours to read: ripgrep cannot enter it, either.
	}
	return found;
}

function isEndlessIn(folder: string): boolean {
	try {
		const stats = statSync(join(folder, '.gitignore'), { throwIfNoEntry: false });
		return stats !== undefined && !stats.isDirectory() && (!stats.isFile() || stats.size > IGNORE_FILE_BYTES);
	} catch {
		// A link to itself, which nobody can open.
		return false;
	}
}
