/** What both ways of searching offer. One contract suite runs over both; they differ in speed and in regex dialect only. */

export interface SearchScope {
	/** Root of the workspace folder, free of links; `.gitignore` files above it do not count. */
	readonly root: string;
	/** What to search, below the root: a folder or one file. */
	readonly segments: readonly string[];
	readonly kind: 'file' | 'folder';
}

export interface TextQuery {
	readonly query: string;
	/** It is text, not a pattern. */
	readonly literal: boolean;
	readonly caseSensitive: boolean;
	/** Globs on the path below the scope, with commas between them; without a slash on the name alone. */
	readonly include: string | undefined;
	/** Lines to give before and after each match. */
	readonly context: number;
	/** The first match of each file is enough. */
	readonly namesOnly: boolean;
	/** Of matches, without the lines around them. */
	readonly limit: number;
	/** Encoding of texts that do not tell theirs, as the editor is set; undefined: by their bytes alone. */
	readonly usualEncoding: string | undefined;
}

/** By its path below the root. */
export interface TextMatch {
	readonly path: string;
	readonly line: number;
	/** The whole line; several, with LF, where the match spans them. */
	readonly text: string;
	/** Not a match, but near one. */
	readonly isContext?: true;
}

export interface TextFound {
	readonly matches: TextMatch[];
	readonly truncated: boolean;
	readonly read: FilesRead;
}

/** As far as the search went. */
export interface FilesRead {
	/** How many files were read in each encoding that is neither UTF-8 nor told by a mark. */
	readonly encodings: Readonly<Record<string, number>>;
	/** Files passed over because they are no text. */
	readonly binary: number;
	/** Files in some encoding that were read as UTF-8, because our own search does not know the dialect of the pattern. */
	readonly asUtf8: number;
}

export const noFilesRead: FilesRead = { encodings: {}, binary: 0, asUtf8: 0 };

export interface SearchEngine {
	readonly name: 'ripgrep' | 'javascript';
	/** Sorted by path, then line. Files that hold secrets by their name are left out unless one is the scope itself. */
	text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextFound>;
	/** Paths below the root, sorted. */
	files(
		scope: SearchScope,
		pattern: string,
		limit: number,
		signal: AbortSignal,
	): Promise<{ paths: string[]; truncated: boolean }>;
}
