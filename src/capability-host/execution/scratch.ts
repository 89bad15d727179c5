/** The empty folders in which executors work: each for one process, named for its host, gone after it. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../store/running-process.ts';
import { endLeftovers } from './leftover-processes.ts';

/** Private to the user (0700). */
export function makeScratch(root: string): string {
	mkdirSync(root, { recursive: true, mode: 0o700 });
	return realpathSync(mkdtempSync(join(root, `${process.pid}-`)));
}

export function removeScratch(path: string): void {
	try {
		rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
	} catch {
		// It may have made folders that even their owner cannot enter.
		openFolders(path);
		try {
			rmSync(path, { recursive: true, force: true });
		} catch {
			// The next host looks again.
		}
	}
}

function openFolders(path: string): void {
	try {
		chmodSync(path, 0o700);
		for (const entry of readdirSync(path, { withFileTypes: true })) {
			if (entry.isDirectory()) openFolders(join(path, entry.name));
		}
	} catch {
		// Gone, or not ours.
	}
}

/** What hosts left that were killed without a word: folders, and processes that had left the groups of theirs. */
export function sweepScratch(root: string): void {
	let names: string[];
	try {
		names = readdirSync(root);
	} catch {
		// None was ever made.
		return;
	}
	for (const name of names) {
		if (!isRunning(Number.parseInt(name, 10))) {
			endLeftovers(0, join(root, name));
			removeScratch(join(root, name));
		}
	}
}
