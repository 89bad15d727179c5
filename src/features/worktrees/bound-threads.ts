/**
 * Threads of a project that work in a worktree, by the records in the home. Read in the thread of the host and before anything is
 * loaded: each op of a thread asks. A project without worktrees costs one look at a folder that is not there.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainData } from '../../base/text/lenient.ts';
import { projectName } from '../../machine/home-files/project-name.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

export interface BoundWorktree {
	readonly name: string;
	/** Folder to work in. */
	readonly folder: string;
}

/** `folder` undefined: its record cannot be read, or says that it is half made or half removed. Nobody works in it. */
type KeptBinding = BoundWorktree | { readonly name: string; readonly folder: undefined };

/** A folder that changed so lately may change once more in the same tick of its clock. */
const SETTLED_MS = 1_000;

export class BoundThreads {
	readonly #folder: string;
	#read: { readonly changedAt: number; readonly threads: ReadonlyMap<string, KeptBinding> } | undefined;

	/** `project`: real path of the folder whose worktrees they are. */
	constructor(home: string, project: string) {
		this.#folder = join(home, 'worktrees', projectName([project]));
	}

	/** Undefined: it works in the folder of the project. */
	of(threadId: ThreadId): KeptBinding | undefined {
		const changedAt = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
		if (changedAt === undefined) return undefined;
		const isFresh = this.#read?.changedAt === changedAt && Date.now() - changedAt > SETTLED_MS;
		if (!isFresh) this.#read = { changedAt, threads: this.#readThreads() };
		return this.#read?.threads.get(threadId);
	}

	#readThreads(): Map<string, KeptBinding> {
		const threads = new Map<string, KeptBinding>();
		const names = readdirSync(this.#folder).map((entry) => /^(?:([^.].*)\.json|\.(.+)\.threads)$/.exec(entry));
		for (const name of new Set(names.flatMap((found) => found?.[1] ?? found?.[2] ?? []))) {
			const record = readRecord(join(this.#folder, `${name}.json`));
			const folder = this.#folderOf(name, record);
			const noted = Array.isArray(record?.['threads']) ? record['threads'].map(String) : [];
			for (const id of new Set([...noted, ...readThreadIds(threadsPath(this.#folder, name))])) {
				const known = threads.get(id);
				// The latest work may be in the one that cannot be read.
				if (known === undefined || known.folder !== undefined) threads.set(id, { name, folder });
			}
		}
		return threads;
	}

	#folderOf(name: string, record: Readonly<Record<string, unknown>> | undefined): string | undefined {
		if (record?.['name'] !== name || record['state'] !== 'ready') return undefined;
		const { tree = join(this.#folder, name), prefix } = record;
		return typeof tree === 'string' && typeof prefix === 'string' ? join(tree, prefix) : undefined;
	}
}

/** File with the ids of all threads that have worked in a worktree: they stay bound to it when its record is damaged. */
export function threadsPath(folder: string, name: string): string {
	return join(folder, `.${name}.threads`);
}

/** Empty where there is no such file. */
function readThreadIds(path: string): readonly string[] {
	const written = statSync(path, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(path, 'utf8');
	return written.split('\n').filter((id) => id !== '');
}

/** The words of a name as far as the name of a worktree can have them, and the end of the thread's id, which makes it unique. */
export function worktreeName(words: string, id: ThreadId): string {
	const found = words.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	return `${found.slice(0, 4).join('-').slice(0, 30) || 'work'}-${id.replaceAll('-', '').slice(-8)}`;
}

/** Undefined for one that cannot be read: it is shown as damaged, and nobody works in it. */
function readRecord(path: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const record: unknown = JSON.parse(readFileSync(path, 'utf8'));
		return isPlainData(record) ? record : undefined;
	} catch {
		return undefined;
	}
}
