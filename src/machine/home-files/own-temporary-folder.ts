/** A folder among the temporary files of the system that goes with this process, or, where that is killed, with the next one. */
import { lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listLeftBehind, ownName } from '../../store/left-behind.ts';
import { temporaryFolder } from './private-folder.ts';
import { forceRemoveFolder } from './remove-entries.ts';

interface OwnTemporaryFolder {
	/** Real path. */
	readonly path: string;
	/** Removes it, whatever a program has put there. Never rejects. */
	remove(): Promise<void>;
}

/** Resolves when those of killed processes are gone. Rejects with TEMPORARY_FOLDER_UNUSABLE. */
export async function makeOwnTemporaryFolder(prefix: string): Promise<OwnTemporaryFolder> {
	const path = temporaryFolder(`${prefix}${ownName()}`);
	const shared = realpathSync(tmpdir());
	const left = listLeftBehind(shared, prefix).map((name) => join(shared, name));
	await Promise.all(left.filter(isOwnFolder).map((each) => forceRemoveFolder(each)));
	return { path, remove: () => forceRemoveFolder(path) };
}

/** Anybody can put a link or a folder there under such a name. */
function isOwnFolder(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}
