/**
 * The `.gitignore` files of a workspace folder: those between its root and a path, the nearest first; none above the
 * root. Reads them when first needed, synchronously: they are few and small, and the worker has nothing else to do.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegularFileSync } from '../paths/reading/read-regular-file.ts';
import { IGNORE_FILE_BYTES } from './limits.ts';

export class IgnoreRules {
	readonly #root: string;
	/** Folders above this depth have no say: whoever names an ignored folder wants to see into it. */
	readonly #fromDepth: number;
	readonly #scopeDepth: number;
	readonly #rules = new Map<string, Ignore | undefined>();
	readonly #folders = new Map<string, boolean>();

	constructor(root: string, scope: { readonly segments: readonly string[]; readonly kind: 'file' | 'folder' }) {
		this.#root = root;
		this.#scopeDepth = scope.segments.length;
		this.#fromDepth = 0;
		if (
			scope.segments.some((_, index) =>
				this.#ignores(scope.segments.slice(0, index + 1), index + 1 < scope.segments.length || scope.kind === 'folder'),
			)
		) {
			this.#fromDepth = scope.segments.length;
		}
	}

	/** The entry itself or a folder it lies in, below the scope. */
	ignores(segments: readonly string[], isFolder: boolean): boolean {
		for (let depth = this.#scopeDepth + 1; depth < segments.length; depth++) {
			if (this.#ignoresFolder(segments.slice(0, depth))) {
				return true;
			}
		}
		return (
			segments.length > this.#scopeDepth && (isFolder ? this.#ignoresFolder(segments) : this.#ignores(segments, false))
		);
	}

	#ignoresFolder(segments: readonly string[]): boolean {
		const key = segments.join('/');
		const known = this.#folders.get(key) ?? this.#ignores(segments, true);
		this.#folders.set(key, known);
		return known;
	}

	#ignores(segments: readonly string[], isFolder: boolean): boolean {
		for (let depth = segments.length - 1; depth >= this.#fromDepth; depth--) {
			const below = segments.slice(depth).join('/');
			const verdict = this.#rulesOf(segments.slice(0, depth))?.test(isFolder ? `${below}/` : below);
			if (verdict?.ignored === true) {
				return true;
			}
			if (verdict?.unignored === true) {
				return false;
			}
		}
		return false;
	}

	#rulesOf(folder: readonly string[]): Ignore | undefined {
		const key = folder.join('/');
		if (!this.#rules.has(key)) {
			const text = readSmall(join(this.#root, ...folder, '.gitignore'));
			this.#rules.set(
				key,
				text === undefined ? undefined : ignore({ ignorecase: false, allowRelativePaths: true }).add(text),
			);
		}
		return this.#rules.get(key);
	}
}

function readSmall(path: string): string | undefined {
	try {
		return lstatSync(path).isFile() ? readRegularFileSync(path, IGNORE_FILE_BYTES).toString('utf8') : undefined;
	} catch {
		// No such file, the usual case, or one we may not read: then it has no say.
		return undefined;
	}
}
