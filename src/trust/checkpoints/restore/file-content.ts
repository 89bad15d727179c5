/**
 * Content of what has a name in the workspace: a file, byte for byte, with its permissions; a link, as it leads; or a folder:
 * to be kept, compared and put back.
 */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { findErrno } from '../../../machine/paths/file-error.ts';
import { contentIn, FOLDER_MARK, linkMark, readLinkTarget } from '../../../machine/paths/reading/read-content.ts';
import { readBytes } from '../../../machine/paths/reading/read-file.ts';
import type { ReplacedEntry } from '../../../machine/paths/replace-entry.ts';
import type { LocatedEntry } from '../../../machine/paths/workspace-paths.ts';
import { NO_FILE_STATE, type TurnImage } from '../../record/store/image-rows.ts';

export interface FileContent {
	/** `NO_FILE_STATE`; hash and permissions of a file; `link` and where it leads; `folder` and its permissions. */
	readonly state: string;
	/** Bytes of a file. Undefined: there is no file, or they have not been read yet. */
	readonly bytes?: Buffer | undefined;
}

export const noContent: FileContent = { state: NO_FILE_STATE };

const ALL_PERMISSIONS = 0o7777;
export const USUAL_PERMISSIONS = 0o644;
const USUAL_FOLDER_PERMISSIONS = 0o755;
/** Permissions that the owner has in each folder that comes back. */
const OWNER_ACCESS = 0o700;
const LINK_STATE = 'link ';
const FOLDER_STATE = 'folder ';

/** Rejects with FILE_TOO_LARGE, and where neither a file, a link nor a folder is there. */
export async function readFileContent(located: LocatedEntry, signal: AbortSignal): Promise<FileContent> {
	switch (located.kind) {
		case 'missing':
			return noContent;
		case 'link':
			return linkContent(await readLinkTarget(located));
		case 'folder':
			return folderContent((await readEntryPermissions(located)) ?? USUAL_FOLDER_PERMISSIONS);
		default: {
			const bytes = await readBytes({ ...located, kind: located.kind }, signal);
			return createFileContent(bytes, (await readEntryPermissions(located)) ?? USUAL_PERMISSIONS);
		}
	}
}

export function createFileContent(bytes: Buffer, permissions: number): FileContent {
	return { state: `${createHash('sha256').update(bytes).digest('hex')} ${permissions.toString(8)}`, bytes };
}

export function linkContent(target: string): FileContent {
	return { state: `${LINK_STATE}${target}` };
}

export function folderContent(permissions: number): FileContent {
	return { state: `${FOLDER_STATE}${(permissions | OWNER_ACCESS).toString(8)}` };
}

/** Kind of what is in that state. */
export function kindOfState(state: string): ReplacedEntry['kind'] {
	if (state === NO_FILE_STATE) return 'none';
	return state.startsWith(LINK_STATE) ? 'link' : state.startsWith(FOLDER_STATE) ? 'folder' : 'file';
}

/** Splits the state of an existing file into its hash and its permissions. */
export function parseFileState(state: string): { readonly hash: string; readonly permissions: number } {
	const [hash = '', permissions = ''] = state.split(' ');
	return { hash, permissions: Number.parseInt(permissions, 8) || USUAL_PERMISSIONS };
}

/** False where somebody else has changed the permissions since the images of the file. */
export function isModeOfOwner(images: readonly TurnImage[], now: Pick<FileContent, 'state'>): boolean {
	const left = images.at(-1)?.after ?? NO_FILE_STATE;
	return kindOfState(left) !== 'file' || parseFileState(left).permissions === parseFileState(now.state).permissions;
}

/** True where the file is as the last of its images left it, and has other permissions or bytes than before the first. */
export function isOtherFile(images: readonly TurnImage[], now: Pick<FileContent, 'state'>): boolean {
	const first = images[0]?.before ?? NO_FILE_STATE;
	const areFiles = [first, now.state].every((state) => kindOfState(state) === 'file');
	return areFiles && first !== now.state && images.at(-1)?.after === now.state;
}

/** Undefined: the bytes of the file are not known. */
export function toFileEntry({ state, bytes }: FileContent): ReplacedEntry | undefined {
	const kind = kindOfState(state);
	switch (kind) {
		case 'none':
			return { kind };
		case 'link':
			return { kind, target: state.slice(LINK_STATE.length) };
		case 'folder':
			return { kind, permissions: Number.parseInt(state.slice(FOLDER_STATE.length), 8) };
		case 'file':
			return bytes === undefined ? undefined : { kind, bytes, permissions: parseFileState(state).permissions };
	}
}

/** Text of it, or the mark that stands for it; undefined: there is none, or its bytes are not known. */
export function toContentMark({ state, bytes }: FileContent, usualEncoding: string | undefined): string | undefined {
	switch (kindOfState(state)) {
		case 'none':
			return undefined;
		case 'link':
			return linkMark(state.slice(LINK_STATE.length));
		case 'folder':
			return FOLDER_MARK;
		case 'file':
			return bytes === undefined ? undefined : contentIn(bytes, usualEncoding);
	}
}

async function readEntryPermissions({ realPath }: LocatedEntry): Promise<number | undefined> {
	try {
		return (await lstat(realPath)).mode & ALL_PERMISSIONS;
	} catch (error) {
		if (findErrno(error) === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
}
