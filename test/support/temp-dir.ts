/**
 * Makes a folder for a test, removed when the test ends; a folder made outside of a test (in `before`) is removed when
 * the run ends. Folders that the code under test makes in the system's temporary folder are not ours to remove: they
 * are leaks, see `leaks.ts`.
 */

import { accessSync, constants, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const systemTemp = realpathSync(tmpdir());
const registered = { test: new Set<string>(), run: new Set<string>() };
let current: keyof typeof registered = 'run';

export function tempDir(name = 'test'): string {
	// The real path, because what a watcher or git reports is compared with it.
	return makeDir(systemTemp, name);
}

/**
 * The same in memory, where the system has a place for it: for thousands of transactions whose promise is not that they
 * outlive the machine. Each would wait for the disk.
 */
export function memoryDir(name: string): string {
	return makeDir(isWritable(memory) ? memory : systemTemp, name);
}

const memory = '/dev/shm';

function isWritable(place: string): boolean {
	try {
		accessSync(place, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

function makeDir(place: string, name: string): string {
	const path = mkdtempSync(join(place, `prowess-${name}-`));
	registered[current].add(path);
	return path;
}

/** A folder that lives as long as the process, which removes it itself. */
export function lastingDir(name: string): string {
	return mkdtempSync(join(systemTemp, `prowess-${name}-`));
}

/** For the root hooks only. */
export function enterTest(): void {
	current = 'test';
}

/** For the root hooks only: removes the folders of the test, or at the end those of the run. Returns what could not be removed. */
export function removeTempDirs(of: keyof typeof registered): string[] {
	const left: string[] = [];
	for (const path of registered[of]) {
		try {
			// A process that was just killed may still be closing its files.
			rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		} catch (error) {
			left.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	registered[of].clear();
	current = 'run';
	return left;
}
