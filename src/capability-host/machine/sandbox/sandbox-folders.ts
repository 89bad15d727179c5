/** Folders of the home that sandboxes use: one for each command while it runs, and the caches of each workspace. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../home-files/remove-folder.ts';
import { isRunning } from '../../../store/running-process.ts';
import { removeLeftPlaceholders } from './left/placeholders.ts';

export interface CommandFolders {
	/** Gone soon after the command has ended. */
	readonly root: string;
	readonly temporary: string;
	/** In place of the user's home. */
	readonly home: string;
	/** Stay from command to command, for one workspace. */
	readonly caches: string;
	/** Stands for what is not to be seen. */
	readonly emptyFile: string;
	readonly emptyFolder: string;
}

export class SandboxFolders {
	readonly #root: string;
	readonly #removals = new Set<Promise<void>>();
	#base: { readonly root: string; readonly emptyFile: string; readonly emptyFolder: string } | undefined;

	constructor(home: string) {
		this.#root = join(home, 'sandbox');
	}

	/** For a command in a workspace of these folders. */
	make(workspace: readonly string[]): CommandFolders {
		const base = this.#prepared();
		const root = mkdtempSync(join(base.root, 'commands', `${process.pid}-`));
		const temporary = join(root, 'tmp');
		const home = join(root, 'home');
		mkdirSync(temporary, { mode: 0o700 });
		mkdirSync(home, { mode: 0o700 });
		const name = createHash('sha256').update(workspace.join('\0')).digest('hex').slice(0, 32);
		const caches = join(base.root, 'caches', name);
		mkdirSync(caches, { recursive: true, mode: 0o700 });
		return { root, temporary, home, caches, emptyFile: base.emptyFile, emptyFolder: base.emptyFolder };
	}

	/** Nobody waits for it. What could not be removed is looked at again by the next host. */
	remove({ root }: CommandFolders): void {
		const removal = removeFolder(root);
		this.#removals.add(removal);
		void removal.finally(() => this.#removals.delete(removal));
	}

	/** Resolves when what was to be removed is; never rejects. */
	async close(): Promise<void> {
		await Promise.allSettled(this.#removals);
	}

	#prepared() {
		if (this.#base !== undefined) {
			return this.#base;
		}
		mkdirSync(join(this.#root, 'commands'), { recursive: true, mode: 0o700 });
		const root = realpathSync(this.#root);
		const emptyFile = join(root, 'empty-file');
		const emptyFolder = join(root, 'empty-folder');
		writeFileSync(emptyFile, '', { mode: 0o600 });
		mkdirSync(emptyFolder, { recursive: true, mode: 0o700 });
		void sweep(join(root, 'commands'));
		this.#base = { root, emptyFile, emptyFolder };
		return this.#base;
	}
}

/** A sandbox whose host was killed while it was made may not yet have been bound to the end of that. */
function endLeftSandboxes(folder: string): void {
	for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
		try {
			const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
			if (words.includes(join(folder, 'tmp'))) process.kill(Number(name), 'SIGKILL');
		} catch {
			// Gone, or somebody else's.
		}
	}
}

/** What hosts left that were killed. */
async function sweep(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	const left = names.filter((name) => !isRunning(Number.parseInt(name, 10))).map((name) => join(folder, name));
	for (const path of left) {
		endLeftSandboxes(path);
		removeLeftPlaceholders(path);
	}
	await Promise.all(left.map(removeFolder));
}
