/**
 * Records of worktrees, in the home: `worktrees/<project>/<name>.json` beside the folder `<name>`. The record is there before
 * the folder and goes after it, so that nothing of a worktree lies anywhere without being listed.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { readIfThere, replaceDurably } from '../../machine/home-files/durable-file.ts';
import { holdLock, withLock } from '../../machine/home-files/file-lock.ts';
import { makePrivateFolder } from '../../machine/home-files/private-folder.ts';
import { projectName } from '../../machine/home-files/project-name.ts';
import { threadsPath } from './bound-threads.ts';
import { ExtraWay, isWorktreeName, WorktreeRecord } from './worktree.ts';

const PinnedSetUp = z.object({
	/** Empty: the user wants none. */
	line: z.string().max(4_096),
	/** Hashes of what it ran when the user agreed to it. */
	scripts: z.record(z.string().max(1_024), z.string().max(100)),
});
export type PinnedSetUp = z.infer<typeof PinnedSetUp>;

/** Choices of the user for a project: kept for its next worktrees. */
const ProjectChoices = z.object({
	files: z.record(z.string().max(1_024), ExtraWay),
	/** Command that each new worktree of the project begins with; absent: nobody was asked. */
	setup: PinnedSetUp.optional(),
});
type ProjectChoices = z.infer<typeof ProjectChoices>;

export type KeptWorktree =
	| { readonly name: string; readonly record: WorktreeRecord }
	| { readonly name: string; readonly record: undefined };

export class WorktreeRecords {
	readonly #home: string;
	/** Real path of the project. */
	readonly project: string;
	readonly #folder: string;

	/** Folder that the user names for worktrees. */
	readonly #place: string | undefined;

	/** Throws INVALID_PARAMS for a named folder that cannot hold worktrees. */
	constructor(home: string, project: string, place?: string) {
		this.#place = place === undefined ? undefined : checkPlace(place, project);
		this.#home = home;
		this.project = project;
		this.#folder = join(home, 'worktrees', projectName([project]));
	}

	/** Root of the worktree, and of the repository in it. */
	treeOf({ name, tree }: Pick<WorktreeRecord, 'name' | 'tree'>): string {
		return tree ?? join(this.#folder, name);
	}

	/** Root of one that is about to be made; undefined: beside its record. */
	newTree(name: string): string | undefined {
		return this.#place && join(this.#place, basename(this.#folder), name);
	}

	/** Folder to work in. */
	workOf(record: Pick<WorktreeRecord, 'name' | 'tree' | 'prefix'>): string {
		return join(this.treeOf(record), record.prefix);
	}

	/** Content that later changes are compared with, by path in the workspace folder: what was applied last, or a whole copy. */
	baseOf(name: string): string {
		return join(this.#folder, `.${name}.base`);
	}

	/** Folder for what only one command needs; removed with it. */
	scratchOf(name: string): string {
		return join(this.#folder, `.${name}.scratch`);
	}

	/** True when the project ever had one. */
	get exist(): boolean {
		return existsSync(this.#folder);
	}

	/** Makes the folder; rejects with INVALID_STATE when something else lies there. */
	prepare(): void {
		makePrivateFolder(join(this.#home, 'worktrees'));
		makePrivateFolder(this.#folder);
	}

	/** Does one change of the project's worktrees at a time, of all processes. */
	async alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
		this.prepare();
		return await withLock(join(this.#folder, '.lock.db'), work, signal);
	}

	/** The same when nobody else is at it; undefined: somebody is. */
	async ifAlone<T>(work: () => Promise<T>): Promise<T | undefined> {
		const lock = await holdLock(join(this.#folder, '.lock.db'));
		try {
			return lock === undefined ? undefined : await work();
		} finally {
			lock?.dispose();
		}
	}

	/** Held by whoever works in it. Undefined: somebody does. */
	async hold(name: string): Promise<Disposable | undefined> {
		return await holdLock(this.#holdPath(name));
	}

	async isHeld(name: string): Promise<boolean> {
		const lock = await this.hold(name);
		lock?.dispose();
		return lock === undefined;
	}

	async set(record: WorktreeRecord): Promise<void> {
		await replaceDurably(this.#recordPath(record.name), `${JSON.stringify(record, null, '\t')}\n`);
	}

	/** Rejects with NOT_FOUND, naming those that there are. */
	async get(name: string): Promise<WorktreeRecord> {
		const all = await this.list();
		const record = all.find((each) => each.name === name)?.record;
		if (record === undefined) {
			const names = all.map((each) => each.name).join(', ') || 'none';
			throw new ProwessError('NOT_FOUND', `there is no worktree ${name} of ${this.project}; there are: ${names}`, {
				name,
				said:
					all.length === 0
						? text('There is no worktree {name} here. This folder has none.', { name })
						: text('There is no worktree {name} here. There are: {names}', { name, names }),
			});
		}
		return record;
	}

	/** All, by name. Without a record: it cannot be read, or only its folder is there, or threads are bound to it. */
	async list(): Promise<KeptWorktree[]> {
		const entries = await readdir(this.#folder, { withFileTypes: true }).catch(() => []);
		const named = entries.flatMap((entry) =>
			entry.isFile() ? (/^(?:(.+)\.json|\.(.+)\.threads)$/.exec(entry.name)?.slice(1) ?? []) : entry.name,
		);
		const names = new Set(named.filter((name) => name !== undefined && isWorktreeName(name)));
		const kept = [...names]
			.sort()
			.map(async (name): Promise<KeptWorktree> => ({ name, record: await this.#read(name) }));
		return await Promise.all(kept);
	}

	/** Removes records that killed processes had not finished to write; for the one who holds the lock. */
	async removeDrafts(): Promise<void> {
		for (const name of await readdir(this.#folder).catch(() => [])) {
			if (name.endsWith('.tmp')) await rm(join(this.#folder, name), { force: true });
		}
	}

	/** Binds threads to the worktree, also for when its record is damaged or has no room for them. */
	async bind(name: string, threads: readonly string[]): Promise<void> {
		const path = threadsPath(this.#folder, name);
		const bound = ((await readIfThere(path)) ?? '').split('\n').filter((id) => id !== '');
		const all = new Set([...bound, ...threads]);
		if (all.size > bound.length) await replaceDurably(path, `${[...all].join('\n')}\n`);
	}

	/** The record goes last: until then what is left of the worktree is listed. */
	async forget(name: string): Promise<void> {
		await rm(this.#holdPath(name), { force: true });
		await rm(threadsPath(this.#folder, name), { force: true });
		await rm(this.#recordPath(name), { force: true });
	}

	async choices(): Promise<ProjectChoices> {
		const kept = await readIfThere(join(this.#folder, '.project.json'));
		return kept === undefined ? { files: {} } : ProjectChoices.parse(JSON.parse(kept));
	}

	async choose(choices: ProjectChoices): Promise<void> {
		this.prepare();
		await replaceDurably(join(this.#folder, '.project.json'), `${JSON.stringify(choices, null, '\t')}\n`);
	}

	async #read(name: string): Promise<WorktreeRecord | undefined> {
		try {
			const record = WorktreeRecord.parse(JSON.parse(await readFile(this.#recordPath(name), 'utf8')));
			return record.name === name ? record : undefined;
		} catch {
			// Shown as damaged, and can be discarded.
			return undefined;
		}
	}

	#recordPath(name: string): string {
		return join(this.#folder, `${name}.json`);
	}

	#holdPath(name: string): string {
		return join(this.#folder, `.${name}.lock.db`);
	}
}

/** The folder lies neither in the project nor around it: else a worktree would be a part of the other. */
function checkPlace(place: string, project: string): string {
	const isInside = (path: string, folder: string) => !relative(folder, path).split(sep).includes('..');
	if (!isAbsolute(place) || isInside(place, project)) {
		throw new ProwessError(
			'INVALID_PARAMS',
			`prowess.worktrees: folder: ${place} is not an absolute path outside of the project`,
			{
				path: place,
				said: text('{path} cannot hold worktrees. Name an absolute path outside of the project in prowess.worktrees.', {
					path: place,
				}),
			},
		);
	}
	return place;
}
