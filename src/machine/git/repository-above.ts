/**
 * Check for a repository that Git would find. Starting Git only to hear that there is none takes longer than the rest
 * of an op.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** In this folder or above it. True also where that cannot be told: then Git says what it finds. */
export async function hasRepositoryAbove(folder: string): Promise<boolean> {
	const folders = [folder];
	for (let at = dirname(folder); at !== folders.at(-1); at = dirname(at)) {
		folders.push(at);
	}
	const found = await Promise.all(folders.map((each) => mayBeThere(join(each, '.git'))));
	return found.includes(true);
}

async function mayBeThere(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code !== 'ENOENT' && code !== 'ENOTDIR';
	}
}
