/**
 * Contract of both search engines. A single suite of contract tests runs over both; they differ in speed and in regex
 * dialect only.
 */

export interface SearchScope {
	/** Root of the workspace folder, free of links; `.gitignore` files above it do not count. */
	readonly root: string;
	/** Path to search, below the root: a folder or a single file. */
	readonly segments: readonly string[];
	readonly kind: 'file' | 'folder';
}

export interface TextQuery {
	readonly query: string;
	/** True when `query` is text, not a pattern. */
	readonly literal: boolean;
	readonly caseSensitive: boolean;
	/** Globs on the path below the scope, with commas between them; without a slash on the name alone. */
	readonly include: string | undefined;
	/** Lines to give before and after each match. */
	readonly context: number;
	/** The first match of each file is enough. */
	readonly namesOnly: boolean;
	/** Maximum number of matches, not counting the lines around them. */
	readonly limit: number;
	/** Encoding of texts that do not tell theirs, as the editor is set; undefined: by their bytes alone. */
	readonly usualEncoding: string | undefined;
}

/** Match, with its path below the root. */
export interface TextMatch {
	readonly path: string;
	readonly line: number;
	/** The whole line; several, with LF, where the match spans them. */
	readonly text: string;
	/** Not a match, but near one. */
	readonly isContext?: true;
}

export interface TextSearchResult {
	readonly matches: TextMatch[];
	readonly truncated: boolean;
	readonly read: FilesRead;
}

/** Files read, as far as the search went. */
export interface FilesRead {
	/** Number of files read in each encoding that is neither UTF-8 nor told by a mark. */
	readonly encodings: Readonly<Record<string, number>>;
	/** Files passed over because they are no text. */
	readonly binary: number;
	/** Files in some encoding that were read as UTF-8, because our own search does not know the dialect of the pattern. */
	readonly asUtf8: number;
}

export const noFilesRead: FilesRead = { encodings: {}, binary: 0, asUtf8: 0 };

export interface FileSearchResult {
	readonly paths: string[];
	readonly truncated: boolean;
}

export interface SearchEngine {
	readonly name: 'ripgrep' | 'javascript';
	/** Sorted by path, then line. Files that hold secrets by their name are left out unless one is the scope itself. */
	text(scope: SearchScope, query: TextQuery, signal: AbortSignal): Promise<TextSearchResult>;
	/** Paths below the root, sorted. */
	files(scope: SearchScope, pattern: string, limit: number, signal: AbortSignal): Promise<FileSearchResult>;
}
