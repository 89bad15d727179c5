/**
 * Threads of a project that work in a worktree, by the records in the home. Read in the thread of the host and before anything is
 * loaded: each op of a thread asks. A project without worktrees costs one look at a folder that is not there.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectName } from '../../machine/home-files/project-name.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

export interface BoundWorktree {
	readonly name: string;
	/** Folder to work in. */
	readonly folder: string;
}

/** A folder that changed so lately may change once more in the same tick of its clock. */
const SETTLED_MS = 1_000;

export class BoundThreads {
	readonly #folder: string;
	#read: { readonly changedAt: number; readonly threads: ReadonlyMap<string, BoundWorktree> } | undefined;

	/** `project`: real path of the folder whose worktrees they are. */
	constructor(home: string, project: string) {
		this.#folder = join(home, 'worktrees', projectName([project]));
	}

	/** Undefined: it works in the folder of the project. */
	of(threadId: ThreadId): BoundWorktree | undefined {
		const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
		if (changedAt === undefined) return undefined;
		const isFresh = this.#read?.changedAt === changedAt && Date.now() - changedAt > SETTLED_MS;
		if (!isFresh) this.#read = { changedAt, threads: this.#readThreads() };
		return this.#read?.threads.get(threadId);
	}

	#readThreads(): Map<string, BoundWorktree> {
		const threads = new Map<string, BoundWorktree>();
		for (const entry of readdirSync(this.#folder)) {
			const name = /^([^.].*)\.json$/.exec(entry)?.[1];
			if (name === undefined) continue;
			const record = readRecord(join(this.#folder, entry));
			if (record?.['name'] !== name || record['state'] !== 'ready') continue;
			const { tree = join(this.#folder, name), prefix, threads: ids } = record;
			if (typeof tree !== 'string' || typeof prefix !== 'string' || !Array.isArray(ids)) continue;
			for (const id of ids) threads.set(String(id), { name, folder: join(tree, prefix) });
		}
		return threads;
	}
}

/** The words of a name as far as the name of a worktree can have them, and the end of the thread's id, which makes it unique. */
export function worktreeName(words: string, id: ThreadId): string {
	const found = words.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	return `${found.slice(0, 4).join('-').slice(0, 30) || 'work'}-${id.replaceAll('-', '').slice(-8)}`;
}

/** Undefined for one that cannot be read: it is shown as damaged, and nobody works in it. */
function readRecord(path: string): Readonly<Record<string, unknown>> | undefined {
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
	} catch {
		return undefined;
	}
}
