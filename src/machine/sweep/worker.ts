/** Entry of the sweep worker: looks at the files of workspace folders, one folder after the other, for as long as its host lives. */
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../threads/answer-calls.ts';
import { FolderCopy } from './folder-copy.ts';
import { sweepName } from './folder-journal.ts';
import { isNotedAsLarge, noteLargeFolder, TooManyFiles } from './large-folders.ts';
import { UNUSED_COPY_DAYS } from './limits.ts';
import type { SweepCalls, SweepRequest, SweepResult, SweepStart } from './swept-change.ts';

const { folder } = workerData as SweepStart;
const copies = new Map<string, FolderCopy>();

/**
 * Sweeps a folder. Throws when its copy cannot be read or written, after deleting the copy, so that the next sweep
 * makes a new one.
 */
function sweepFolder(request: SweepRequest): SweepResult {
	const { root, maxFiles } = request;
	const notePath = join(folder, `${sweepName(root)}.large`);
	if (isNotedAsLarge(notePath, root, maxFiles)) throw new TooManyFiles(root, maxFiles);
	try {
		return openFolderCopy(root).sweep(request);
	} catch (error) {
		copies.get(root)?.close();
		copies.delete(root);
		for (const suffix of ['', '-wal', '-shm']) {
			rmSync(`${resolveCopyPath(root)}${suffix}`, { force: true });
		}
		if (error instanceof TooManyFiles) noteLargeFolder(notePath, root, maxFiles);
		throw error;
	}
}

function openFolderCopy(root: string): FolderCopy {
	const known = copies.get(root);
	if (known !== undefined) {
		return known;
	}
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	dropUnused();
	const copy = new FolderCopy(realpathSync(root), resolveCopyPath(root));
	const now = new Date();
	utimesSync(resolveCopyPath(root), now, now);
	copies.set(root, copy);
	return copy;
}

function resolveCopyPath(root: string): string {
	return join(folder, `${sweepName(root)}.db`);
}

function dropUnused(): void {
	const before = Date.now() - UNUSED_COPY_DAYS * 86_400_000;
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) < before) {
			rmSync(path, { force: true });
		}
	}
}

if (parentPort !== null) answerCalls<SweepCalls>(parentPort, { sweep: sweepFolder });
