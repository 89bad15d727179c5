/**
 * Resources that the spec files of a process share because they are expensive to start, such as a browser. The first
 * file that needs a resource opens it; no file owns it. The resource ends with the process, also when the process is
 * killed: whatever is opened must then end by itself.
 */

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForProcess } from './open-handles.ts';

/** Name of the folder, below the folder of the process, for temporary files of shared resources. */
export const sharedFolder = 'shared';

/** Opens it once; again only once it is gone. */
export function shared<T>(open: () => Promise<T>, isGone: (opened: T) => boolean): () => Promise<T> {
	let opened: Promise<T> | undefined;
	return async () => {
		if (opened !== undefined && !isGone(await opened)) return opened;
		opened = openShared(open);
		// The next file tries again.
		opened.catch(() => (opened = undefined));
		return opened;
	};
}

/** Opens it, as `shared` does; who it is for says when it is gone. */
export async function openShared<T>(open: () => Promise<T>): Promise<T> {
	const temp = tmpdir();
	const folder = join(temp, sharedFolder);
	mkdirSync(folder, { recursive: true });
	process.env['TMPDIR'] = folder;
	try {
		return await openForProcess(open);
	} finally {
		process.env['TMPDIR'] = temp;
	}
}
