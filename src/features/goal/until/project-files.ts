/** Files at the top of a project that name its commands, and scripts that they name. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextOrEmpty } from '../../../machine/paths/reading/read-regular-file.ts';

export const MANIFEST = 'package.json';

const MOST_PROJECT_FILE_BYTES = 1_000_000;

/** Scripts of `package.json`; none where it cannot be read. */
export function readManifestScripts(folder: string): Readonly<Record<string, string>> {
	try {
		const { scripts } = JSON.parse(readProjectFile(folder, MANIFEST)) as { readonly scripts?: unknown };
		const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
		return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
	} catch {
		// A manifest that cannot be read names no command.
		return {};
	}
}

/** Empty where there is none, one that lies elsewhere, or a larger one than people write. */
export function readProjectFile(folder: string, name: string): string {
	return readTextOrEmpty(join(folder, name), MOST_PROJECT_FILE_BYTES, [folder]);
}

export function isProjectFile(path: string): boolean {
	const found = statSync(path, { throwIfNoEntry: false });
	return found?.isFile() === true && found.size <= MOST_PROJECT_FILE_BYTES;
}
