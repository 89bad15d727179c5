/** Folders of ours that only the user may enter: below PROWESS_HOME for programs, or among the temporary files of the system. */
import { lstatSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
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

/**
 * Creates a temporary folder and returns its real path. Throws TEMPORARY_FOLDER_UNUSABLE when the system's folder for
 * such files is missing or cannot be written.
 */
export function temporaryFolder(prefix: string): string {
	const path = tmpdir();
	try {
		return realpathSync(mkdtempSync(join(path, prefix)));
	} catch (error) {
		const message = `nothing can be created in the folder for temporary files, ${path}: ${toErrorMessage(error)}`;
		throw new ProwessError('TEMPORARY_FOLDER_UNUSABLE', message, { path }, error);
	}
}
