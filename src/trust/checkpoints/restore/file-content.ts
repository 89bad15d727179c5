/** Content of a file, byte for byte, and its permissions: to be kept, compared and put back. */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { findErrno } from '../../../machine/paths/file-error.ts';
import { readBytes } from '../../../machine/paths/reading/read-file.ts';
import type { Located } from '../../../machine/paths/workspace-paths.ts';
import { NO_FILE_STATE } from '../../record/store/image-rows.ts';

export interface FileContent {
	/** `NO_FILE_STATE`, or hash and permissions. */
	readonly state: string;
	/** Undefined: there is no file, or they have not been read yet. */
	readonly bytes?: Buffer | undefined;
}

export const noContent: FileContent = { state: NO_FILE_STATE };

const PERMISSION_BITS = 0o7777;
const USUAL_PERMISSIONS = 0o644;

/** Rejects with FILE_TOO_LARGE, and where something else than a file is there. */
export async function readFileContent(located: Located, signal: AbortSignal): Promise<FileContent> {
	if (located.kind === 'missing') {
		return noContent;
	}
	const bytes = await readBytes(located, signal);
	return createFileContent(bytes, await readFilePermissions(located));
}

export function createFileContent(bytes: Buffer, permissions: number): FileContent {
	return { state: `${createHash('sha256').update(bytes).digest('hex')} ${permissions.toString(8)}`, bytes };
}

/** Splits the state of an existing file into its hash and its permissions. */
export function parseFileState(state: string): { readonly hash: string; readonly permissions: number } {
	const [hash = '', permissions = ''] = state.split(' ');
	return { hash, permissions: Number.parseInt(permissions, 8) || USUAL_PERMISSIONS };
}

async function readFilePermissions({ realPath }: Located): Promise<number> {
	try {
		return (await lstat(realPath)).mode & PERMISSION_BITS;
	} catch (error) {
		if (findErrno(error) === 'ENOENT') {
			return USUAL_PERMISSIONS;
		}
		throw error;
	}
}
