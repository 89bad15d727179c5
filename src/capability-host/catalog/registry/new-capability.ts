/** Writes a new capability. What is there already stays as it is, and what could not be written whole is taken away again. */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ProwessError } from '../../../protocol/errors.ts';
import { errnoOf, fileError } from '../../machine/paths/file-error.ts';

/**
 * `folder` below `within`, with `files` as texts by their paths. Rejects with ALREADY_EXISTS when something is there, and
 * with PATH_OUTSIDE_WORKSPACE when a link leads out of `within`.
 */
export async function writeNewCapability(
	within: string,
	folder: string,
	files: Readonly<Record<string, string>>,
): Promise<void> {
	try {
		await mkdir(dirname(folder), { recursive: true });
		const way = relative(await realpath(within), await realpath(dirname(folder)));
		if (way === '..' || way.startsWith(`..${sep}`)) {
			const message = `${folder}: a link on the way leads out of ${within}`;
			throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path: folder });
		}
		await mkdir(folder);
	} catch (error) {
		if (errnoOf(error) === 'EEXIST') {
			throw new ProwessError('ALREADY_EXISTS', `${folder} is there already; choose another name`, { path: folder });
		}
		throw fileError('write', folder, error);
	}
	try {
		for (const [path, text] of Object.entries(files)) {
			await mkdir(dirname(join(folder, path)), { recursive: true });
			await writeFile(join(folder, path), text, { flag: 'wx' });
		}
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw fileError('write', folder, error);
	}
}
