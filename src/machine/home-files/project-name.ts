/** Name of the files in which the home keeps data of a project, derived from the project's folders in their order. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceFolder } from '../../contract/ports/ports.ts';

/** 32 hexadecimal digits. */
export function projectName(folders: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(folders)).digest('hex').slice(0, 32);
}

/** Path of its file in a folder of the home; undefined without a project. */
export function projectFile(folder: string, folders: readonly WorkspaceFolder[]): string | undefined {
	return folders.length === 0 ? undefined : join(folder, `${projectName(folders.map(({ path }) => path))}.json`);
}

/** Name of a project, with links resolved, so that editor and command line mean the same one. */
export function resolveProjectKey(folder: string): string {
	try {
		return folder === '' ? '' : realpathSync.native(folder);
	} catch {
		return folder;
	}
}
