/** The files of a package, in memory: nothing of it touches the disk before all of it was checked. */
import { createHash } from 'node:crypto';
import { ProwessError } from '../protocol/errors/errors.ts';
import { text } from '../protocol/text/text.ts';

export interface PackageFile {
	/** Relative, with slashes. */
	readonly path: string;
	readonly bytes: Buffer;
}

/** The same hash as the one a consent is tied to: over the paths and the content of all files. */
export function contentHash(files: readonly PackageFile[]): string {
	const hash = createHash('sha256');
	for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		hash.update(`${JSON.stringify(path)} ${sha256Of(bytes)}\n`);
	}
	return hash.digest('hex');
}

export function sha256Of(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/** `what` is wrong with `where`: an entry, or the archive itself. */
export function createExtractionError(where: string, what: string, cause?: unknown): ProwessError {
	return new ProwessError(
		'EXTRACTION_FAILED',
		`the package is refused: ${where}: ${what}`,
		{ where, said: text('The package is refused: {where}: {why}', { where, why: what }) },
		cause,
	);
}
