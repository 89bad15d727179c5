/** Folders of the home that sandboxes use: one for each command while it runs, and the caches of each workspace. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../home-files/remove-folder.ts';
import { isRunning } from '../../../store/running-process.ts';
import { homeContents, type HomeContents, makeHome } from './mounts/home-contents.ts';
import { removeLeftPlaceholders } from './left/placeholders.ts';

export interface CommandFolders {
	/** Gone soon after the command has ended. */
	readonly root: string;
	readonly temporary: string;
	/** In place of the user's home. */
	readonly home: string;
	/** Stay from command to command, for one workspace. Commands write to this folder as they like. */
	readonly caches: string;
	/** The same for caches outside of the home. Each is mounted by itself, so that no command puts a link in place of one. */
	readonly cachesElsewhere: string;
	/** Stands for what is not to be seen. */
	readonly emptyFile: string;
	readonly emptyFolder: string;
}

export class SandboxFolders {
	readonly #root: string;
	readonly #removals = new Set<Promise<void>>();
	/** Nobody has used it. */
	#ready: { readonly contents: string; readonly root: Promise<string> } | undefined;
	#isClosed = false;
	#base: { readonly root: string; readonly emptyFile: string; readonly emptyFolder: string } | undefined;

	constructor(home: string) {
		this.#root = join(home, 'sandbox');
	}

	/** For a command with this environment in a workspace of these folders; the next one finds its own made ready. */
	async make(workspace: readonly string[], environment: Readonly<Record<string, string>>): Promise<CommandFolders> {
		const { root: base, emptyFile, emptyFolder } = this.#prepared();
		const contents = homeContents(environment, workspace);
		const name = createHash('sha256').update(workspace.join('\0')).digest('hex').slice(0, 32);
		const caches = join(base, 'caches', name);
		const cachesElsewhere = join(base, 'caches', `${name}-elsewhere`);
		makeMissing(caches, contents.caches);
		makeMissing(cachesElsewhere, contents.cachesElsewhere);
		const wanted = JSON.stringify(contents);
		const ready = this.#ready?.contents === wanted ? this.#ready : undefined;
		if (ready !== undefined) this.#ready = undefined;
		const root = await (ready?.root.catch(() => this.#fill(contents)) ?? this.#fill(contents));
		setImmediate(() => this.#makeReady(contents));
		const [temporary, home] = [join(root, 'tmp'), join(root, 'home')];
		return { root, temporary, home, caches, cachesElsewhere, emptyFile, emptyFolder };
	}

	/** Nobody waits for it. What could not be removed is looked at again by the next host. */
	remove({ root }: Pick<CommandFolders, 'root'>): void {
		const removal = removeFolder(root);
		this.#removals.add(removal);
		void removal.finally(() => this.#removals.delete(removal));
	}

	/** Resolves when what was to be removed is; never rejects. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#discardReady();
		await Promise.allSettled(this.#removals);
	}

	/** Beside the command that has just got its own, so that the next one need not wait for the disk. */
	#makeReady(contents: HomeContents): void {
		const wanted = JSON.stringify(contents);
		if (this.#isClosed || this.#ready?.contents === wanted) {
			return;
		}
		void this.#discardReady();
		const root = this.#fill(contents);
		// Whoever takes it makes one of their own then, and hears why that fails.
		root.catch(() => undefined);
		this.#ready = { contents: wanted, root };
	}

	async #discardReady(): Promise<void> {
		const ready = this.#ready;
		this.#ready = undefined;
		const root = await ready?.root.catch(() => undefined);
		if (root !== undefined) this.remove({ root });
	}

	async #fill(contents: HomeContents): Promise<string> {
		const root = await mkdtemp(join(this.#prepared().root, 'commands', `${process.pid}-`));
		const home = join(root, 'home');
		await Promise.all([mkdir(join(root, 'tmp'), { mode: 0o700 }), mkdir(home, { mode: 0o700 })]);
		await makeHome(home, contents);
		return root;
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

function makeMissing(folder: string, names: readonly string[]): void {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const there = new Set(readdirSync(folder));
	for (const name of names.filter((each) => !there.has(each))) {
		mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
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
