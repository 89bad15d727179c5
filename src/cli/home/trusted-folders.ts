/**
 * The folders the user has said to trust: `trust.json` in PROWESS_HOME, by real path. A folder inside a trusted one is
 * another folder. No file of a folder is read to decide this.
 */
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { worktreeOrigin } from '../../features/worktrees/worktree-origin.ts';
import { readJsonObject, replaceFile } from './json-file.ts';

/** A file of another version is read, and never written. */
const FORMAT_VERSION = 1;

/** The folder as it really is: links resolved. */
export function realFolder(path: string): string {
	const absolute = resolve(path);
	try {
		const real = realpathSync.native(absolute);
		if (statSync(real).isDirectory()) {
			return real;
		}
	} catch (error) {
		throw new ProwessError(
			'NOT_FOUND',
			`--workspace ${absolute}: ${error instanceof Error ? error.message : String(error)}`,
			{
				path: absolute,
			},
		);
	}
	throw new ProwessError('NOT_A_FOLDER', `--workspace ${absolute}: it is not a folder`, { path: absolute });
}

/** A worktree of ours is as trusted as the folder whose work it takes. */
export function isTrusted(home: string, folder: string): boolean {
	const trusted = readTrustedFolders(home);
	return trusted.includes(folder) || trusted.includes(worktreeOrigin(home, folder)?.project ?? '');
}

export function trustFolder(home: string, folder: string): void {
	const folders = readTrustedFolders(home);
	if (!folders.includes(folder)) {
		const { version = FORMAT_VERSION } = readJsonObject(trustFilePath(home)) ?? {};
		if (version !== FORMAT_VERSION) {
			throw new ProwessError(
				'STORE_NEWER',
				`${trustFilePath(home)} was written by a later version (${JSON.stringify(version)}, known ${FORMAT_VERSION})`,
				{ file: trustFilePath(home) },
			);
		}
		const kept = { version: FORMAT_VERSION, folders: [...folders, folder] };
		replaceFile(trustFilePath(home), `${JSON.stringify(kept, null, 2)}\n`);
	}
}

/** Returns their real paths, also of folders that are gone. */
export function readTrustedFolders(home: string): string[] {
	const { folders = [] } = readJsonObject(trustFilePath(home)) ?? {};
	if (!Array.isArray(folders) || !folders.every((each) => typeof each === 'string')) {
		throw new ProwessError('INVALID_PARAMS', `${trustFilePath(home)}: folders: expected a list of paths`, {
			path: trustFilePath(home),
		});
	}
	return folders;
}

function trustFilePath(home: string): string {
	return join(home, 'trust.json');
}
