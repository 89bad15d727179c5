/**
 * Worktrees of one project: made, listed, brought home and removed. A single process changes them at a time, and whoever works in
 * one holds it. Loaded when the first is wanted.
 */
import { stat } from 'node:fs/promises';
import type { Disposable } from '../../base/disposable.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import {
	applyChanges,
	type ApplyingDeps,
	carryLabelsHome,
	type PlannedChanges,
	planApplying,
	type TakenSide,
} from './apply-changes.ts';
import { type BroughtHome, keepAsBranch, mergeHome, rebaseWorktree } from './bring-home.ts';
import { listFiles } from './copy-folder.ts';
import type { FileEntry } from './file-entry.ts';
import { type AskAboutExtras, chooseExtras } from './extra-files.ts';
import { DIFF_BYTES, MEASURED_FILES, STALE_MS } from './limits.ts';
import { makeWorktree } from './make-worktree.ts';
import { type AskSetUp, SetUpCommand, type SetUpEnd, type SetUpPorts } from './set-up.ts';
import { removeLeftovers, removeWorktree } from './remove-worktree.ts';
import { UserRepository } from './repository.ts';
import { compareFiles, findChanges, findLosses } from './worktree-changes.ts';
import { formatChanges } from './worktree-patch.ts';
import { type KeptWorktree, WorktreeRecords } from './worktree-records.ts';
import type {
	AppliedChanges,
	ExtraFound,
	ExtraWay,
	WorktreeChanges,
	WorktreeLosses,
	WorktreeRecord,
	WorktreeView,
} from './worktree.ts';

interface WorktreesDeps extends ApplyingDeps, SetUpPorts {
	/** Table of the user's settings. */
	table(): Readonly<Record<string, ExtraWay>>;
	/** A worktree is about to go: whoever works in it in this host ends. */
	leaving(name: string): Promise<void>;
}

export interface WorktreeWish {
	readonly name: string;
	readonly from: string | undefined;
	/** Asked once for a project, about what is not in Git and in no table. Absent: it is left out. */
	readonly askAbout?: AskAboutExtras;
	/** Asked once for a project, and when the command is not what it was; empty: none. Absent: nobody is there to agree. */
	readonly askSetUp?: AskSetUp;
}

export interface ChangedText {
	readonly path: string;
	readonly before: string;
	/** Undefined: it was deleted. */
	readonly now: string | undefined;
}

export interface OpenWorktree extends Disposable {
	readonly record: WorktreeRecord;
	readonly folder: string;
	readonly isNew: boolean;
	/** Not in Git, and left out. */
	readonly hidden: readonly string[];
	/** Files of the workspace with changes that no commit has: they are not in a new worktree. */
	readonly uncommitted: number;
	/** The command that it begins with; undefined: there is none, or it has run before. */
	readonly setUp: SetUpEnd | undefined;
}

export class Worktrees {
	readonly #deps: WorktreesDeps;
	readonly #setUp: SetUpCommand;

	constructor(deps: WorktreesDeps) {
		this.#deps = deps;
		this.#setUp = new SetUpCommand(deps);
	}

	/** Makes it, or goes on in the one of that name; held until it is disposed. Rejects with INVALID_STATE while another works in it. */
	async open(wish: WorktreeWish, signal: AbortSignal): Promise<OpenWorktree> {
		const opened = await this.#open(wish, signal);
		try {
			// Takes minutes, maybe: others make theirs meanwhile.
			return { ...opened, setUp: await this.#setUp.run(opened.record, wish.askSetUp, signal) };
		} catch (error) {
			opened.dispose();
			throw error;
		}
	}

	async #open(wish: WorktreeWish, signal: AbortSignal): Promise<Omit<OpenWorktree, 'setUp'>> {
		const { records } = this.#deps;
		const { name, from } = wish;
		return await this.#alone(async () => {
			const kept = (await records.list()).find((each) => each.name === name);
			if (kept !== undefined && from !== undefined) {
				throw new ProwessError('INVALID_STATE', `there is a worktree ${name} already: --from begins another one`, {
					name,
					said: text('There is a worktree {name} already. Choose another name.', { name }),
				});
			}
			const isNew = kept === undefined;
			const repository = isNew ? await UserRepository.open(records.project, this.#deps.environment, signal) : undefined;
			// Both walk all files of a repository: on two cores the count costs no time of its own.
			const [counted, making] = await Promise.allSettled([
				repository?.countUncommitted(signal),
				isNew ? this.#make(wish, repository, signal) : undefined,
			]);
			if (making.status === 'rejected') throw making.reason;
			if (counted.status === 'rejected') throw counted.reason;
			const { made, extras = [] } = making.value ?? {};
			const uncommitted = (made?.kind === 'git' && counted.value) || 0;
			const record = made ?? (await records.get(name));
			const lock = await this.hold(name);
			const left = uncommitted > 0 ? { uncommitted } : {};
			await records.set({ ...record, ...left, usedAt: new Date().toISOString() });
			const hidden = extras.filter(({ way }) => way === undefined || way === 'hide').map(({ path }) => path);
			return {
				record,
				folder: records.workOf(record),
				isNew: made !== undefined,
				hidden,
				uncommitted,
				dispose: () => lock.dispose(),
			};
		}, signal);
	}

	/** Asks what is to be asked before anything is made. */
	async #make(
		wish: WorktreeWish,
		repository: UserRepository | undefined,
		signal: AbortSignal,
	): Promise<{ readonly made: WorktreeRecord; readonly extras: readonly ExtraFound[] }> {
		const { name, from } = wish;
		const extras = await chooseExtras(this.#deps, repository, wish.askAbout, signal);
		const isSetUpDue = (await this.#setUp.agree(wish.askSetUp)) ? (true as const) : undefined;
		const made = await makeWorktree(this.#deps.records, repository, { name, from, extras, isSetUpDue }, signal);
		return { made, extras };
	}

	/** A thread has worked in it. */
	async noteThread(name: string, threadId: string, signal: AbortSignal): Promise<void> {
		const { records } = this.#deps;
		await records.alone(async () => {
			const record = await records.get(name);
			await records.bind(name, [...record.threads, threadId]);
			const threads = [...record.threads.filter((id) => id !== threadId), threadId].slice(-100);
			await records.set({ ...record, threads, usedAt: new Date().toISOString() });
		}, signal);
	}

	async list(signal: AbortSignal): Promise<WorktreeView[]> {
		const { records } = this.#deps;
		if (!records.exist) return [];
		await records.ifAlone(() => removeLeftovers(this.#deps, signal));
		return await Promise.all((await records.list()).map((kept) => this.#view(kept, signal)));
	}

	/** Returns what is recorded of each: no file of them is looked at. A damaged one is left out. */
	async recorded(): Promise<Pick<WorktreeRecord, 'name' | 'threads' | 'createdAt' | 'usedAt'>[]> {
		return (await this.#deps.records.list()).flatMap(({ record }) => record ?? []);
	}

	async show(
		name: string,
		signal: AbortSignal,
	): Promise<{ readonly view: WorktreeView; readonly found: WorktreeChanges }> {
		const record = await this.#ready(name);
		return { view: await this.#view({ name, record }, signal), found: await findChanges(this.#deps, record, signal) };
	}

	/** Returns a patch; texts that may hold secrets, and bytes, are only named. */
	async diff(name: string, signal: AbortSignal): Promise<string> {
		const record = await this.#ready(name);
		const { files } = await compareFiles(this.#deps, record, signal);
		return formatChanges(files, DIFF_BYTES);
	}

	/** The same for an editor: the text on both sides, undefined where there is no such file. */
	async texts(name: string, signal: AbortSignal): Promise<ChangedText[]> {
		const record = await this.#ready(name);
		const { files } = await compareFiles(this.#deps, record, signal);
		return files.map(({ path, base, now }) => ({ path, before: readableIn(base), now: now && readableIn(now) }));
	}

	async losses(name: string, signal: AbortSignal): Promise<WorktreeLosses> {
		const { records } = this.#deps;
		const record = (await records.list()).find((each) => each.name === name)?.record;
		const isThere = record !== undefined && (await stat(records.treeOf(record)).catch(() => undefined)) !== undefined;
		return isThere && record.state === 'ready'
			? await findLosses(this.#deps, record, signal)
			: { changed: [], commits: [], ignored: [] };
	}

	async apply(
		name: string,
		paths: readonly string[] | undefined,
		take: TakenSide | undefined,
		signal: AbortSignal,
	): Promise<AppliedChanges> {
		return await this.#with(name, (record) => applyChanges(this.#deps, record, { paths, take }, signal), signal);
	}

	/** For the thread of an agent, as its own changes. Rejects with FILE_CHANGED where the changes are not as planned. */
	async applyPlanned(
		name: string,
		wish: { readonly paths: readonly string[] | undefined; readonly planned: string; readonly caller: Caller },
		signal: AbortSignal,
	): Promise<AppliedChanges> {
		return await this.#with(name, (record) => applyChanges(this.#deps, record, wish, signal), signal);
	}

	/** Resolves with what `apply` would write. Rejects with INVALID_STATE while somebody works in it. */
	async plan(name: string, paths: readonly string[] | undefined, signal: AbortSignal): Promise<PlannedChanges> {
		return await this.#with(name, (record) => planApplying(this.#deps, record, paths, signal), signal);
	}

	async merge(name: string, message: string | undefined, signal: AbortSignal): Promise<BroughtHome> {
		return await this.#with(
			name,
			async (record) => {
				await this.#carryLabels(record, signal);
				return await mergeHome(this.#deps, record, message, signal);
			},
			signal,
		);
	}

	async rebase(name: string, message: string | undefined, signal: AbortSignal): Promise<BroughtHome> {
		return await this.#with(name, (record) => rebaseWorktree(this.#deps, record, message, signal), signal);
	}

	/** Resolves with the branch; the worktree is gone. */
	async keepBranch(
		name: string,
		wish: { readonly branch: string | undefined; readonly message: string | undefined },
		signal: AbortSignal,
	): Promise<string> {
		return await this.#with(
			name,
			async (record) => {
				await this.#carryLabels(record, signal);
				const kept = await keepAsBranch(this.#deps, record, wish, signal);
				await this.#deps.leaving(name);
				await removeWorktree(this.#deps, name, kept.record, signal);
				return kept.branch;
			},
			signal,
		);
	}

	/** All that `losses` names is gone. Rejects with INVALID_STATE while somebody works in it. */
	async discard(name: string, signal: AbortSignal): Promise<void> {
		const { records } = this.#deps;
		await this.#alone(async () => {
			const kept = (await records.list()).find((each) => each.name === name);
			// Says which there are.
			if (kept === undefined) await records.get(name);
			(await this.hold(name)).dispose();
			await this.#deps.leaving(name);
			await removeWorktree(this.#deps, name, kept?.record, signal);
		}, signal);
	}

	async #with<T>(name: string, work: (record: WorktreeRecord) => Promise<T>, signal: AbortSignal): Promise<T> {
		return await this.#alone(async () => {
			const record = await this.#ready(name);
			const lock = await this.hold(name);
			try {
				return await work(record);
			} finally {
				lock.dispose();
			}
		}, signal);
	}

	async #alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
		return await this.#deps.records.alone(async () => {
			await removeLeftovers(this.#deps, signal);
			return await work();
		}, signal);
	}

	async #ready(name: string): Promise<WorktreeRecord> {
		const record = await this.#deps.records.get(name);
		const isThere = (await stat(this.#deps.records.workOf(record)).catch(() => undefined))?.isDirectory() === true;
		if (record.state !== 'ready' || !isThere) {
			throw new ProwessError('INVALID_STATE', `the worktree ${name} is incomplete: discard it`, {
				name,
				said: text('The worktree {name} is incomplete. Discard it.', { name }),
			});
		}
		return record;
	}

	/** For as long as somebody works in it. Rejects with INVALID_STATE while another does. */
	async hold(name: string): Promise<Disposable> {
		const lock = await this.#deps.records.hold(name);
		if (lock === undefined) {
			throw new ProwessError('INVALID_STATE', `another run works in the worktree ${name}; wait until it has ended`, {
				name,
				said: text('Another run works in the worktree {name}. Wait until it has ended.', { name }),
			});
		}
		return lock;
	}

	/** For work that Git brings home, now or when the branch is checked out. */
	async #carryLabels(record: WorktreeRecord, signal: AbortSignal): Promise<void> {
		const { changes } = await findChanges(this.#deps, record, signal);
		const coming = changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
		await carryLabelsHome(this.#deps, record, coming, signal);
	}

	async #view({ name, record }: KeptWorktree, signal: AbortSignal): Promise<WorktreeView> {
		const { records } = this.#deps;
		const tree = records.treeOf(record ?? { name });
		const { files, isCut } = await listFiles(tree, MEASURED_FILES, signal);
		const bytes = files.reduce((sum, { size }) => sum + size, 0);
		const isHeld = await records.isHeld(name);
		const usedAt = record?.usedAt ?? new Date(0).toISOString();
		return {
			name,
			project: records.project,
			folder: record === undefined ? tree : records.workOf(record),
			state: isHeld ? 'in use' : record === undefined ? 'damaged' : record.state === 'ready' ? 'ready' : 'incomplete',
			branch: record?.branch,
			base: record?.base ?? '',
			uncommitted: record?.uncommitted ?? 0,
			createdAt: record?.createdAt ?? usedAt,
			usedAt,
			isStale: !isHeld && Date.now() - Date.parse(usedAt) > STALE_MS,
			threads: record?.threads ?? [],
			bytes,
			isLarger: isCut,
		};
	}
}

/** Empty for what is not a text: then the editor shows the file itself. */
function readableIn(entry: FileEntry | undefined): string {
	return entry?.kind === 'file' && !entry.bytes.includes(0) ? entry.bytes.toString('utf8') : '';
}

interface ProjectPlace extends Omit<WorktreesDeps, 'records'> {
	readonly home: string;
	/** Folder that the user names for worktrees; undefined: in the home. */
	readonly place: string | undefined;
	/** Real path of the folder. */
	readonly project: string;
}

export function createWorktrees({ home, project, place, ...deps }: ProjectPlace): Worktrees {
	return new Worktrees({ ...deps, records: new WorktreeRecords(home, project, place) });
}
