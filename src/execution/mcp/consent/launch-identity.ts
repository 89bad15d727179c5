/**
 * Identity of a server's launch, which the user agrees to before it starts: its entry, where the entry comes from, and
 * the project's files that it runs.
 */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { canonicalJson, sha256 } from '../../../trust/record/store/chain/canonical-json.ts';
import { readCapabilityFiles } from '../../../catalog/capability-files.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import { LAUNCHED_FILE_BYTES } from '../limits.ts';
import type { McpServer } from '../server.ts';

export interface LaunchIdentity {
	/** SHA-256 in hexadecimal. */
	readonly hash: string;
	/** Files of the workspace whose content is part of it, absolute. */
	readonly files: readonly string[];
}

/** `isKeptIn`: whether a sandbox keeps it in here and now, which is part of it too. */
export async function launchIdentity(
	{ name, source, folder, launch, pluginRoot }: McpServer,
	folders: readonly string[],
	isKeptIn: boolean,
): Promise<LaunchIdentity> {
	const words = launch.kind === 'stdio' ? [launch.command, ...launch.args] : [];
	const cwd = launch.kind === 'stdio' ? launch.cwd : '';
	const found = await Promise.all(
		words.map((word) => hashWorkspaceFile(isAbsolute(word) ? word : join(cwd, word), folders)),
	);
	const files = found.filter((each) => each !== undefined);
	// Any file of a plugin may be run by another.
	const plugin = pluginRoot === undefined ? {} : { plugin: (await readCapabilityFiles(pluginRoot)).hash };
	const hash = sha256(canonicalJson({ name, source, folder: folder ?? null, launch, isKeptIn, files, ...plugin }));
	return { hash, files: files.map(({ path }) => path) };
}

/**
 * Undefined: the word names no file of the workspace. A file that is too large to be read counts by its size, its number
 * on the disk and the time of its last change, which nobody can set.
 */
async function hashWorkspaceFile(
	path: string,
	folders: readonly string[],
): Promise<{ readonly path: string; readonly hash: string } | undefined> {
	try {
		const real = await realpath(path);
		const roots = await Promise.all(folders.map((folder) => realpath(folder)));
		const isInside = roots.some(
			(root) => !/^\.\.(?:[/\\]|$)/.test(relative(root, real)) && !isAbsolute(relative(root, real)),
		);
		const stats = await lstat(real);
		if (!isInside || !stats.isFile()) {
			return undefined;
		}
		const hash =
			stats.size > LAUNCHED_FILE_BYTES
				? `${stats.size} ${stats.ino} ${stats.ctimeMs}`
				: sha256(await readRegularFile(real, LAUNCHED_FILE_BYTES));
		return { path: real, hash };
	} catch {
		// No file by that name: the word is an ordinary argument.
		return undefined;
	}
}
