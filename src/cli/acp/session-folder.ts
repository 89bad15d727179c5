/**
 * The folder of a session by its two paths. An editor knows its files by the path that it opened, which may lead through a
 * link (`/tmp` of macOS is one); ops and the ledger name them by the path free of links. Pure.
 */
export interface SessionFolder {
	/** Absolute, without links. */
	readonly real: string;
	/** Absolute, as the editor names it. */
	readonly named: string;
}

/** Path of a file as the editor knows it. `path`: absolute, or relative to the folder. */
export function toEditorPath({ real, named }: SessionFolder, path: string): string {
	if (path.startsWith(`${real}/`)) return `${named}/${path.slice(real.length + 1)}`;
	return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${named}/${path}`;
}

/** Path relative to the folder, of an absolute path by either name; undefined: it lies elsewhere. */
export function toPathInFolder({ real, named }: SessionFolder, path: string): string | undefined {
	const folder = [named, real].find((each) => path.startsWith(`${each}/`));
	return folder === undefined ? undefined : path.slice(folder.length + 1);
}
