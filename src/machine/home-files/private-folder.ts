/** A folder below PROWESS_HOME that only the user may enter, and that programs are given. */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

/**
 * Creates the folder if it is missing and returns its real path. Throws INVALID_STATE when something else lies there,
 * such as a link.
 */
export function makePrivateFolder(path: string): string {
	mkdirSync(path, { recursive: true, mode: 0o700 });
	if (!lstatSync(path).isDirectory()) {
		throw new ProwessError('INVALID_STATE', `${path} is a link, or no folder; move it away`, {
			path,
			said: text('{path} is a link, or no folder. Move it away.', { path }),
		});
	}
	return realpathSync(path);
}
