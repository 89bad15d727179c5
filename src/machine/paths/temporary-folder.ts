/** A new folder of ours among the temporary files of the system, private to the user. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';

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
