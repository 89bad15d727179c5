/** Puts the files of a task into a folder in which an agent may have worked: nothing it left leads a file elsewhere. */
import { copyFile, cp, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { evalLimits } from './limits.ts';
import type { TaskFile } from './task.ts';

/** Whatever stands at the place of a file, or of a folder above it, and is none, is removed. */
export async function layFiles(files: readonly TaskFile[], folder: string): Promise<void> {
	for (const { path, source, replaced } of files) {
		await makeRealFolder(folder, dirname(path));
		const target = join(folder, path);
		await rm(target, { recursive: true, force: true });
		if (replaced === undefined) {
			await copyFile(source, target);
		} else {
			const text = (await readRegularFile(source, evalLimits.fileBytes)).toString('utf8');
			await writeFile(target, text.replaceAll(...replaced));
		}
	}
}

async function makeRealFolder(folder: string, path: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	let at = folder;
	for (const name of path.split('/').filter((part) => part !== '.')) {
		at = join(at, name);
		const found = await lstat(at).catch(() => undefined);
		if (found?.isDirectory() === true) continue;
		await rm(at, { recursive: true, force: true });
		await mkdir(at);
	}
}

/** Copies the work of an agent: files, folders and links as they are; pipes, sockets and devices are left out. */
export async function copyWork(from: string, to: string): Promise<void> {
	await cp(from, to, {
		recursive: true,
		verbatimSymlinks: true,
		filter: async (path) => {
			const stats = await lstat(path).catch(() => undefined);
			return stats !== undefined && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink());
		},
	});
}

/** The tests of the task that the agent has changed or removed. */
export async function listChangedTests(
	tests: readonly string[],
	files: readonly TaskFile[],
	folder: string,
): Promise<string[]> {
	const changed: string[] = [];
	for (const path of tests) {
		const source = files.find((file) => file.path === path)?.source ?? '';
		const target = join(folder, path);
		const expected = await readRegularFile(source, evalLimits.fileBytes);
		const found = await readRegularFile(target, evalLimits.fileBytes).catch(() => undefined);
		if (found?.equals(expected) !== true) changed.push(path);
	}
	return changed;
}
