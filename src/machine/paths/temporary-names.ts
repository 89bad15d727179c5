/**
 * Names of what is about to take the place of a file, a link or a folder in one step. A host that is killed before that step
 * leaves it behind; whoever goes on removes it.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { isProcessRunning } from '../../store/running-process.ts';
import { FolderDescriptor } from './folder-descriptor.ts';
import type { LocatedEntry } from './workspace-paths.ts';

const TEMPORARY = /^\..{1,40}\.(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/s;

export function temporaryName(name: string): string {
	return `.${name.slice(0, 40)}.${process.pid}-${randomUUID()}.tmp`;
}

/** Removes what killed hosts have left in a folder. Never rejects: what stays is in nobody's way but a folder's end. */
export async function removeLeftTemporaries({
	realRoot,
	realPath,
}: Pick<LocatedEntry, 'realRoot' | 'realPath'>): Promise<void> {
	const names = relative(realRoot, realPath)
		.split(sep)
		.filter((name) => name !== '');
	try {
		const folder = await FolderDescriptor.reach(realRoot, names);
		try {
			for (const name of await readdir(folder.at('.'))) {
				const pid = TEMPORARY.exec(name)?.[1];
				if (pid !== undefined && !isProcessRunning(Number(pid))) await removeTemporary(folder.at(name));
			}
		} finally {
			await folder.close();
		}
	} catch {
		// The folder is gone: somebody else was quicker.
	}
}

async function removeTemporary(path: string): Promise<void> {
	try {
		await ((await lstat(path)).isDirectory() ? rmdir(path) : unlink(path));
	} catch {
		// Somebody else was quicker, or has put something in it.
	}
}
