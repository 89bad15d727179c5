/**
 * Content of files as it was brought home last: later changes are compared with it. For a copy it is the whole folder as it
 * was, for a work tree of Git only what differs from the commit: `now/` has the files, `gone/` an empty one for each deletion.
 */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles } from './copy-folder.ts';
import { type FileEntry, readEntry } from './file-entry.ts';
import { MAX_WORKTREE_FILES } from './limits.ts';
import type { WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

/** Paths below the workspace folder. */
export async function listApplied(folder: string, signal: AbortSignal): Promise<string[]> {
	const parts = await Promise.all(
		['now', 'gone'].map((part) => listFiles(join(folder, part), MAX_WORKTREE_FILES, signal)),
	);
	return parts.flatMap(({ files }) => files.map(({ path }) => path));
}

/** `none`: nothing of it was applied yet. */
export async function appliedEntry(folder: string, path: string): Promise<FileEntry | undefined | 'none'> {
	const entry = await readEntry(join(folder, 'now', path));
	if (entry?.kind === 'file' || entry?.kind === 'link') return entry;
	return (await readEntry(join(folder, 'gone', path)))?.kind === 'file' ? undefined : 'none';
}

export async function noteApplied(
	records: WorktreeRecords,
	{ name, kind }: WorktreeRecord,
	path: string,
	entry: FileEntry | undefined,
): Promise<void> {
	const folder = records.baseOf(name);
	const [now, gone] = [join(folder, kind === 'copy' ? '' : 'now', path), join(folder, 'gone', path)];
	await rm(now, { recursive: true, force: true });
	if (kind === 'git') await rm(gone, { recursive: true, force: true });
	if (entry === undefined) {
		if (kind === 'git')
			await writeEntry(gone, { kind: 'file', bytes: Buffer.alloc(0), isExecutable: false, permissions: 0o600 });
	} else {
		await writeEntry(now, entry);
	}
}

async function writeEntry(path: string, entry: FileEntry): Promise<void> {
	await makeParent(path);
	if (entry.kind === 'link') await symlink(entry.target, path);
	else if (entry.kind === 'file') await writeFile(path, entry.bytes, { mode: entry.permissions });
}

/** A file in the way of a folder gives way: both were applied one after the other. */
async function makeParent(path: string): Promise<void> {
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	} catch {
		for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
			if ((await readEntry(at))?.kind !== 'folder') await rm(at, { force: true });
			else break;
		}
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	}
}
