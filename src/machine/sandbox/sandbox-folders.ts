/** Folders of the home that sandboxes use: one for each command while it runs, and the caches of each workspace. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { forceRemoveFolder } from '../home-files/remove-entries.ts';
import { listLeftBehind, ownName } from '../../store/left-behind.ts';
import { homeContents, type HomeContents, homeIn, makeHome, type PlacedLink } from './mounts/home-contents.ts';
import type { OpenedLink } from './mounts/mounts.ts';
import { listOpenedLinks } from './mounts/opened-links.ts';
import { removeLeftPlaceholders } from './left/placeholders.ts';
import { READY_FOLDERS } from './limits.ts';
import { isUntouched, madeFolder, type MadeFolder } from './left/made-folder.ts';

export interface CommandFolders {
	/** Gone soon after the command has ended, or another command's then, if this one left it as it was. */
	readonly root: string;
	readonly temporary: string;
	/** Names in `/tmp` in which the home or the workspace is shown. */
	readonly inTemporary: readonly string[];
	/** Links in `/tmp` by which the workspace was opened, by name. */
	readonly linksInTemporary: readonly PlacedLink[];
	/** All links by which the workspace was opened. */
	readonly opened: readonly OpenedLink[];
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

interface ReadyFolder {
	/** Contents for which the folder was made. */
	readonly contents: string;
	readonly made: Promise<MadeFolder>;
}

interface UsedFolder {
	readonly contents: string;
	readonly made: MadeFolder;
	/** When its command first started a program. */
	since: number;
}

export class SandboxFolders {
	readonly #root: string;
	readonly #openedBy: readonly string[];
	readonly #removals = new Set<Promise<void>>();
	/** Folders that are as they were made: no command has used them, or left a trace in them. */
	#ready: readonly ReadyFolder[] = [];
	/** Folders of running commands, by root. */
	readonly #used = new Map<string, UsedFolder>();
	#isClosed = false;
	#base: { readonly root: string; readonly emptyFile: string; readonly emptyFolder: string } | undefined;

	/** `openedBy`: other paths by which the user has opened the workspace. */
	constructor(home: string, openedBy: readonly string[] = []) {
		this.#root = join(home, 'sandbox');
		this.#openedBy = openedBy;
	}

	/**
	 * For a command with this environment in a workspace of these folders; the next one finds its own made ready.
	 * `named`: the folders by the paths by which the user opened them.
	 */
	async make(
		workspace: readonly string[],
		environment: Readonly<Record<string, string>>,
		named: readonly string[] = [],
	): Promise<CommandFolders> {
		const { root: base, emptyFile, emptyFolder } = this.#prepared();
		const opened = listOpenedLinks([...named, ...this.#openedBy], homeIn(environment));
		const contents = homeContents(environment, workspace, opened);
		const name = createHash('sha256').update(workspace.join('\0')).digest('hex').slice(0, 32);
		const caches = join(base, 'caches', name);
		const cachesElsewhere = join(base, 'caches', `${name}-elsewhere`);
		makeMissing(caches, contents.caches);
		makeMissing(cachesElsewhere, contents.cachesElsewhere);
		const wanted = JSON.stringify(contents);
		const [ready, ...others] = this.#ready.filter((each) => each.contents === wanted);
		void Promise.all(this.#discard(this.#ready.filter((each) => each.contents !== wanted)));
		this.#ready = others;
		const made = await (ready?.made.catch(() => this.#fill(contents)) ?? this.#fill(contents));
		const { root } = made;
		this.#used.set(root, { contents: wanted, made, since: Infinity });
		setImmediate(() => this.#makeReady(contents));
		const [temporary, home] = [join(root, 'tmp'), join(root, 'home')];
		const inTemporary = [...new Set(contents.inTemporary.map((path) => path.split('/')[0] ?? ''))];
		const linksInTemporary = contents.linksInTemporary.filter(({ at }) => !at.includes('/'));
		const links = { linksInTemporary, opened };
		return { root, temporary, inTemporary, ...links, home, caches, cachesElsewhere, emptyFile, emptyFolder };
	}

	/** A program of the command that has these may change them from now on. */
	started({ root }: Pick<CommandFolders, 'root'>): void {
		const used = this.#used.get(root);
		if (used !== undefined) used.since = Math.min(used.since, Date.now());
	}

	/**
	 * Removes the folder, or keeps it for another command when it is untouched. Callers do not wait for the removal;
	 * the next host removes folders that could not be removed.
	 */
	remove({ root }: Pick<CommandFolders, 'root'>): void {
		const used = this.#used.get(root);
		this.#used.delete(root);
		const isKept = used !== undefined && !this.#isClosed && this.#ready.length < READY_FOLDERS && isUntouched(used);
		if (isKept) this.#ready = [...this.#ready, { contents: used.contents, made: Promise.resolve(used.made) }];
		else this.#removeNow(root);
	}

	/** Takes away what killed hosts left here and in workspaces, now rather than with the next command. Nobody waits for it. */
	removeLeft(): void {
		const removal = removeLeftFolders(join(this.#root, 'commands'));
		this.#removals.add(removal);
		void removal.finally(() => this.#removals.delete(removal));
	}

	/** Returns the folders of all running commands, whatever their host, and of hosts that were killed. */
	ofCommands(): readonly string[] {
		const folder = join(this.#root, 'commands');
		try {
			return readdirSync(folder).map((name) => join(folder, name));
		} catch {
			// No command has run yet.
			return [];
		}
	}

	/** A folder with an empty `tmp` in it, for several commands. */
	async makeTemporary(): Promise<string> {
		const root = await mkdtemp(join(this.#prepared().root, 'commands', ownName()));
		await mkdir(join(root, 'tmp'), { mode: 0o700 });
		return root;
	}

	/** Nobody waits for it. */
	removeTemporary(root: string): void {
		this.#removeNow(root);
	}

	#removeNow(root: string): void {
		const removal = forceRemoveFolder(root);
		this.#removals.add(removal);
		void removal.finally(() => this.#removals.delete(removal));
	}

	/** Resolves when what was to be removed is; never rejects. */
	async close(): Promise<void> {
		this.#isClosed = true;
		const ready = this.#ready;
		this.#ready = [];
		await Promise.all(this.#discard(ready));
		await Promise.allSettled(this.#removals);
	}

	/** Beside the command that has just got its own, so that the next one need not wait for the disk. */
	#makeReady(contents: HomeContents): void {
		if (this.#isClosed || this.#ready.length > 0) {
			return;
		}
		const made = this.#fill(contents);
		// The command that takes a failed folder makes another, and hears why that fails.
		made.catch(() => undefined);
		this.#ready = [{ contents: JSON.stringify(contents), made }];
	}

	#discard(ready: readonly ReadyFolder[]): Promise<void>[] {
		return ready.map(async ({ made }) => {
			const root = (await made.catch(() => undefined))?.root;
			if (root !== undefined) this.#removeNow(root);
		});
	}

	async #fill(contents: HomeContents): Promise<MadeFolder> {
		const root = await mkdtemp(join(this.#prepared().root, 'commands', ownName()));
		const home = join(root, 'home');
		const temporary = join(root, 'tmp');
		await Promise.all([mkdir(temporary, { mode: 0o700 }), mkdir(home, { mode: 0o700 })]);
		// Otherwise bubblewrap would make them, as the command.
		for (const path of contents.inTemporary) await mkdir(join(temporary, path), { recursive: true });
		for (const { at, to } of contents.linksInTemporary) await symlink(to, join(temporary, at));
		await makeHome(home, contents);
		return madeFolder(root);
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
			if (['tmp', 'home'].some((name) => words.includes(join(folder, name)))) process.kill(Number(name), 'SIGKILL');
		} catch {
			// Gone, or somebody else's.
		}
	}
}

/** Removes the remains of hosts that were killed. */
async function removeLeftFolders(folder: string): Promise<void> {
	const left = listLeftBehind(folder).map((name) => join(folder, name));
	for (const path of left) {
		endLeftSandboxes(path);
		removeLeftPlaceholders(path);
	}
	await Promise.all(left.map(forceRemoveFolder));
}
