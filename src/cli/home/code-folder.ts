/**
 * The folder of the code that earlier starts have compiled. Only in a home that is there already and whose place is absolute:
 * code from a folder that somebody else can fill would be theirs.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { existingHome } from './home-folder.ts';

/** Undefined: there is none that may be used. */
export function codeFolder(): string | undefined {
	const home = existingHome(process.env);
	if (home === undefined) {
		return undefined;
	}
	const cache = join(home, 'cache');
	try {
		mkdirSync(cache, { recursive: true, mode: 0o700 });
		// Set the rights again: an earlier version may have made the folder with those that the umask left.
		chmodSync(cache, 0o700);
	} catch {
		// A home that cannot be written, or is somebody else's, gets no code of ours and gives none.
		return undefined;
	}
	return join(cache, 'code');
}
