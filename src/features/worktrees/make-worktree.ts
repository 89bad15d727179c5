/**
 * Makes a worktree: a work tree of the same repository on a branch of its own, or, without Git, a copy of the folder. A kill
 * leaves a record in the state `making`, by which `removeWorktree` finds all that is there.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import { bringExtras, extraWay } from './extra-files.ts';
import { copyFolder } from './copy-folder.ts';
import { MAKE_TIMEOUT_MS, MAX_WORKTREES } from './limits.ts';
import type { UserRepository } from './repository.ts';
import { isWorktreeName, type ExtraFound, type WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

interface WantedWorktree {
	readonly name: string;
	/** Undefined: what is checked out in the workspace. */
	readonly from: string | undefined;
	/** Entries that are not in Git, each with its way. */
	readonly extras: readonly ExtraFound[];
	/** A command is to run in it first. */
	readonly isSetUpDue?: true | undefined;
}

/** For the one who holds the lock of the project. `repository`: that of the project; undefined: it has none. */
export async function makeWorktree(
	records: WorktreeRecords,
	repository: UserRepository | undefined,
	{ name, from, extras, isSetUpDue }: WantedWorktree,
	signal: AbortSignal,
): Promise<WorktreeRecord> {
	await refuseUnfit(records, name);
	const { project } = records;
	// Before the record: a repository without a commit has nothing to begin from, and is copied.
	const base = repository === undefined ? undefined : await findBeginning(repository, from, signal);
	const now = new Date().toISOString();
	const common = { version: 1, name, project, state: 'making', owner: newId('thr') } as const;
	const tree = records.newTree(name);
	const rest = {
		...(tree !== undefined && { tree }),
		...(isSetUpDue && { isSetUpDue }),
		createdAt: now,
		usedAt: now,
		threads: [],
		extras: [],
	};
	if (repository === undefined || base === undefined) {
		if (from !== undefined) {
			throw new ProwessError('NO_REPOSITORY', `${project} has no commits: --from means nothing here`, {
				folder: project,
				said: text('{folder} has no commits to begin from.', { folder: project }),
			});
		}
		const record: WorktreeRecord = { ...common, ...rest, prefix: '', kind: 'copy', base: '', commonDir: '' };
		await records.set(record);
		return await fillCopy(records, record, extras, signal);
	}
	const branch = `prowess/${name}`;
	if ((await repository.tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], signal)).exitCode === 0) {
		throw new ProwessError('INVALID_STATE', `there is a branch ${branch} already; choose another name`, {
			branch,
			said: text('There is a branch {branch} already. Choose another name.', { branch }),
		});
	}
	const { prefix, commonDir } = repository;
	const record: WorktreeRecord = { ...common, ...rest, prefix, kind: 'git', branch, base, commonDir };
	await records.set(record);
	const place = records.treeOf(record);
	await mkdir(dirname(place), { recursive: true, mode: 0o700 });
	const patient = { timeoutMs: MAKE_TIMEOUT_MS };
	await repository.git(['worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', place, base], signal, patient);
	await fillSubmodules(repository, repository.at(place), signal);
	return await finishWorktree(records, record, extras, signal);
}

async function finishWorktree(
	records: WorktreeRecords,
	record: WorktreeRecord,
	extras: readonly ExtraFound[],
	signal: AbortSignal,
): Promise<WorktreeRecord> {
	const work = records.workOf(record);
	if (!existsSync(work)) {
		throw new ProwessError('NOT_FOUND', `${record.prefix} is not in the commit ${record.base}`, {
			said: text('{folder} is not in that commit.', { folder: record.prefix }),
		});
	}
	const brought = await bringExtras(record.project, work, extras, signal);
	const ready: WorktreeRecord = { ...record, state: 'ready', extras: brought };
	await records.set(ready);
	return ready;
}

/** A copy to work in, and one that stays as it is for comparisons. */
async function fillCopy(
	records: WorktreeRecords,
	record: WorktreeRecord,
	extras: readonly ExtraFound[],
	signal: AbortSignal,
): Promise<WorktreeRecord> {
	const { name, project } = record;
	const isLeftOut = (path: string) => {
		const way = extraWay(Object.fromEntries(extras.map((each) => [each.path, each.way ?? 'copy'])), path);
		return way === 'hide' || way === 'link';
	};
	await copyFolder(project, records.baseOf(name), isLeftOut, signal);
	await mkdir(dirname(records.treeOf(record)), { recursive: true, mode: 0o700 });
	await copyFolder(records.baseOf(name), records.treeOf(record), () => false, signal);
	return await finishWorktree(
		records,
		record,
		extras.filter(({ way }) => way === 'link'),
		signal,
	);
}

async function refuseUnfit(records: WorktreeRecords, name: string): Promise<void> {
	if (!isWorktreeName(name)) {
		throw new ProwessError('INVALID_PARAMS', `"${name}" is not a name for a worktree: letters, digits, "-", "_", "."`, {
			name,
			said: text('"{name}" is not a valid name: use letters, digits, "-", "_" and ".".', { name }),
		});
	}
	const all = await records.list();
	if (all.length >= MAX_WORKTREES) {
		const oldest = all
			.flatMap(({ record }) => record ?? [])
			.sort((one, other) => one.usedAt.localeCompare(other.usedAt))
			.slice(0, 3)
			.map((record) => record.name)
			.join(', ');
		const message = `${records.project} has ${MAX_WORKTREES} worktrees, which is the most; discard one first, for example ${oldest}`;
		throw new ProwessError('INVALID_STATE', message, {
			limit: MAX_WORKTREES,
			said: text('There are {n} worktrees, which is the most. Discard one first, for example {names}.', {
				n: MAX_WORKTREES,
				names: oldest,
			}),
		});
	}
}

/** Undefined: there is no commit yet. */
async function findBeginning(
	repository: UserRepository,
	from: string | undefined,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (from !== undefined) return await repository.commitOf(from, signal);
	const head = await repository.tryGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal);
	return head.exitCode === 0 ? head.stdout.toString('utf8').trim() : undefined;
}

/**
 * Fills the submodules that the workspace has, from its own copies of their repositories: nothing is fetched. Submodules of
 * submodules are filled, too.
 */
async function fillSubmodules(from: UserRepository, to: UserRepository, signal: AbortSignal): Promise<void> {
	if (!existsSync(join(to.root, '.gitmodules'))) return;
	const listed = await to.tryGit(['config', '--file', '.gitmodules', '--null', '--get-regexp', '\\.path$'], signal);
	const modules = listed.stdout
		.toString('utf8')
		.split('\0')
		.filter((each) => each !== '');
	for (const line of modules) {
		const [key = '', path = ''] = line.split('\n');
		const name = key.replace(/^submodule\./, '').replace(/\.path$/, '');
		const source = await from.tryGit(['-C', path, 'rev-parse', '--absolute-git-dir'], signal);
		const folder = source.stdout.toString('utf8').trim();
		const isOwn = source.exitCode === 0 && folder !== '' && existsSync(join(from.root, path, '.git'));
		if (!isOwn || /[=\n]/.test(name)) continue;
		const url = (await from.tryGit(['config', '--get', `submodule.${name}.url`], signal)).stdout
			.toString('utf8')
			.trim();
		const here = {
			settings: [`submodule.${name}.url=${folder}`, 'protocol.file.allow=always', 'protocol.allow=never'],
			environment: { GIT_ALLOW_PROTOCOL: 'file' },
			timeoutMs: MAKE_TIMEOUT_MS,
		};
		await to.git(['submodule', '--quiet', 'update', '--init', '--checkout', '--', path], signal, here);
		const inside = to.at(join(to.root, path));
		if (url !== '') await inside.git(['remote', 'set-url', 'origin', url], signal);
		await fillSubmodules(from.at(join(from.root, path)), inside, signal);
	}
}
