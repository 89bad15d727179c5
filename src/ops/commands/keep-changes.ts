/**
 * Applies the changes of a trial to the workspace: all of them or none. Changes made before one failed are taken back
 * from copies, the last first.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';
import { descriptorPath } from '../../machine/paths/reading/verified-open.ts';
import { removeEmptyFolder, removeFile } from '../../machine/paths/remove-file.ts';
import { writeBytes } from '../../machine/paths/write-file.ts';
import type { TriedChange } from '../../machine/sandbox/copy/workspace-copy.ts';
import type { FileDeps } from '../files/file-deps.ts';

/** `known`: the place as the user and the editor know it. */
export interface KnownChange extends TriedChange {
	readonly known: string;
}

type OpPaths = FileDeps['paths'];
type TakeBack = () => Promise<unknown>;

const NEVER = new AbortController().signal;

/**
 * Rejects when one cannot be done, or `signal` stops it; then the workspace is as it was, or the error names what is not.
 * `own`: a folder outside of the workspace for the copies of what is replaced.
 */
export async function applyTriedChanges(
	paths: OpPaths,
	changes: readonly KnownChange[],
	own: string,
	signal: AbortSignal,
): Promise<void> {
	const done: { readonly known: string; readonly takeBack: TakeBack }[] = [];
	await mkdir(own, { recursive: true, mode: 0o700 });
	try {
		for (const change of orderChanges(changes)) {
			signal.throwIfAborted();
			const takeBack = await doChange(paths, change, join(own, String(done.length)), signal);
			done.push({ known: change.known, takeBack });
		}
	} catch (error) {
		const left: string[] = [];
		for (const { known, takeBack } of done.reverse()) {
			await takeBack().catch(() => left.push(known));
		}
		throw left.length === 0 ? error : notTakenBack(left, error);
	}
}

/**
 * Orders the changes. Deletions come first, from the lowest up, because something else may come in the place of what
 * goes.
 */
function orderChanges(changes: readonly KnownChange[]): readonly KnownChange[] {
	const gone = changes.filter(({ kind }) => kind === 'deleted');
	return [
		...gone.filter(({ entry }) => entry === 'file'),
		...gone.filter(({ entry }) => entry === 'folder').reverse(),
		...changes.filter(({ kind }) => kind !== 'deleted'),
	];
}

async function doChange(paths: OpPaths, change: KnownChange, own: string, signal: AbortSignal): Promise<TakeBack> {
	const { root, path, known, entry, kind, copied } = change;
	const place = { realRoot: root, realPath: path, path: relative(root, path) };
	const locateKnown = () => paths.locate(paths.resolveFound(known));
	if (kind === 'deleted') {
		if (entry === 'folder') return await removeIfEmpty(root, path);
		const before = await keepBefore(path, own);
		await removeFile(place);
		return async () => writeBytes(await locateKnown(), undefined, await keptIn(before), NEVER);
	}
	if (entry === 'folder') {
		await makeFolder(root, path);
		return () => removeEmptyFolder(root, path);
	}
	const after = { bytes: await readFile(copied ?? ''), permissions: (await stat(copied ?? '')).mode & 0o7777 };
	if (kind === 'created') {
		await writeBytes(await locateKnown(), undefined, after, signal);
		return () => removeFile(place);
	}
	const before = await keepBefore(path, own);
	await writeBytes(await locateKnown(), (await keptIn(before)).bytes, after, signal);
	return async () => writeBytes(await locateKnown(), after.bytes, await keptIn(before), NEVER);
}

async function makeFolder(root: string, path: string): Promise<FolderDescriptor> {
	const folder = await FolderDescriptor.enter(root, relative(root, path).split(sep));
	await folder.close();
	return folder;
}

/** Removes a folder. A folder that is not empty stays, because nobody may remove what is in it. */
async function removeIfEmpty(root: string, path: string): Promise<TakeBack> {
	const { mode } = await stat(path);
	const isGone = await removeEmptyFolder(root, path);
	return async () => {
		if (!isGone) return;
		await makeFolder(root, path);
		const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
		try {
			await folder.chmod(mode & 0o7777);
		} finally {
			await folder.close();
		}
	};
}

interface Before {
	readonly copy: string;
	readonly permissions: number;
}

async function keepBefore(path: string, copy: string): Promise<Before> {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		await copyFile(descriptorPath(file), copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
		return { copy, permissions: (await file.stat()).mode & 0o7777 };
	} finally {
		await file.close();
	}
}

async function keptIn({ copy, permissions }: Before) {
	return { bytes: await readFile(copy), permissions };
}

function notTakenBack(left: readonly string[], cause: unknown): ProwessError {
	const files = left.join(', ');
	const why = toErrorMessage(cause);
	return new ProwessError('FILE_CHANGED', `${why}; what was kept before could not be taken back: ${files}`, {
		paths: left,
		said: text(
			'Not everything could be kept: {why}. These stay changed: {files}. To have them back, undo the command.',
			{
				why,
				files,
			},
		),
	});
}
