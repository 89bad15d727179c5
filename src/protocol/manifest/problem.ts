/** Problem of a manifest, with its place. */
export interface ManifestProblem {
	/** An error keeps the item from being used; a warning does not. */
	readonly severity: 'error' | 'warning';
	readonly message: string;
	/** Name of the file, without its folder; empty: the folder itself. */
	readonly file: string;
	/** Both from 1; the column counts UTF-16 code units. */
	readonly line: number;
	readonly column: number;
	/** Keys and indexes in the document; empty: the whole of it. */
	readonly path: readonly (string | number)[];
}

/** As one line: `capability.yaml:3: level: …`. */
export function problemText({ file, line, path, message }: ManifestProblem): string {
	const what = `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`;
	return file === '' ? what : `${file}:${line}: ${what}`;
}
