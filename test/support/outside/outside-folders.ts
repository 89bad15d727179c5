/** Folders of this machine, each for one run, in which attempts find what is not in the home. */
import { mkdtempSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Where each is made; the first that this user can write to. */
export interface OutsideParents {
	/** Outside of every home; nothing in it is secret. */
	readonly elsewhere: readonly string[];
	/** A home that is not the one of the attempts. */
	readonly otherHome: readonly string[];
	/** Where programs of the user wait at sockets. */
	readonly run: readonly string[];
}

export class OutsideFolders {
	readonly elsewhere: string;
	readonly otherHome: string;
	readonly run: string;

	constructor(parents: OutsideParents = ownParents()) {
		this.elsewhere = firstWritable(parents.elsewhere);
		this.otherHome = firstWritable(parents.otherHome);
		this.run = firstWritable(parents.run);
	}
}

function ownParents(): OutsideParents {
	const { homedir, uid } = userInfo();
	const tools = join(import.meta.dirname, '../../../.tools');
	return {
		elsewhere: ['/srv', '/opt', '/var/lib', tools],
		otherHome: [homedir, '/var/mail', tools],
		run: ['/run', `/run/user/${uid}`, tools],
	};
}

function firstWritable(folders: readonly string[]): string {
	for (const folder of folders) {
		try {
			return mkdtempSync(join(folder, 'prowess-escapes-'));
		} catch {
			// The next one.
		}
	}
	throw new Error(`nothing can be made in ${folders.join(', ')}`);
}
