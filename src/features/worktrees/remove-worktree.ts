/** Removes a worktree with all that belongs to it, however far it was made or removed: a killed one is gone on with. */
import { existsSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readFileStart } from '../../machine/paths/reading/read-regular-file.ts';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { UserRepository } from './repository.ts';
import type { WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

/** Bytes that are read of a file which holds one path. */
const POINTER_BYTES = 4_096;

interface Removing {
	readonly records: WorktreeRecords;
	/** Variables of commands. */
	readonly environment: Readonly<Record<string, string>>;
}

/** For the one who holds the lock of the project. `record` undefined: only its folders are known. */
export async function removeWorktree(
	deps: Removing,
	name: string,
	record: WorktreeRecord | undefined,
	signal: AbortSignal,
): Promise<void> {
	const { records } = deps;
	const isWhole = record !== undefined && record.state !== 'making';
	if (isWhole) await records.set({ ...record, state: 'leaving' });
	const tree = records.treeOf(record ?? { name });
	const common = record?.commonDir === '' ? undefined : (record?.commonDir ?? (await findCommonDir(tree)));
	await forceRemoveFolder(tree);
	if (common !== undefined) await forgetInRepository(common, tree, name);
	if (record?.branch !== undefined && record.keepsBranch !== true) await deleteBranch(deps, record, signal);
	await forceRemoveFolder(records.baseOf(name));
	await forceRemoveFolder(records.scratchOf(name));
	// Git of a killed process may still be at it: then it stays listed, for the next command to remove.
	if (!existsSync(tree)) await records.forget(name);
}

/** Removes what killed processes have left half made or half removed. */
export async function removeLeftovers(deps: Removing, signal: AbortSignal): Promise<void> {
	await deps.records.removeDrafts();
	for (const { name, record } of await deps.records.list()) {
		if (record !== undefined && record.state !== 'ready') await removeWorktree(deps, name, record, signal);
	}
}

async function findCommonDir(tree: string): Promise<string | undefined> {
	const pointer = await readPointer(join(tree, '.git'));
	return /^gitdir: (.+)[/\\]worktrees[/\\][^/\\]+\s*$/.exec(pointer ?? '')?.[1];
}

/** Undefined where there is no plain file. */
async function readPointer(path: string): Promise<string | undefined> {
	try {
		return (await readFileStart(join(await realpath(dirname(path)), basename(path)), POINTER_BYTES)).toString('utf8');
	} catch {
		return undefined;
	}
}

/** Takes just this one away: pruning would also forget worktrees of the user on a disk that is not there now. */
async function forgetInRepository(commonDir: string, tree: string, name: string): Promise<void> {
	const all = join(commonDir, 'worktrees');
	for (const entry of await readdir(all).catch(() => [])) {
		const folder = join(all, entry);
		const pointer = await readPointer(join(folder, 'gitdir'));
		const isOurs = pointer?.trim() === join(tree, '.git');
		// Killed before Git wrote where it lies: Git names it like the folder and locks it until it is whole.
		const isHalf =
			pointer === undefined && new RegExp(String.raw`^\d*$`).test(entry.slice(name.length)) && entry.startsWith(name);
		if (isOurs || isHalf) await rm(folder, { recursive: true, force: true });
	}
}

async function deleteBranch({ environment }: Removing, record: WorktreeRecord, signal: AbortSignal): Promise<void> {
	const { branch = '', project, base, state } = record;
	const repository = await UserRepository.open(project, environment, signal).catch(() => undefined);
	const found = await repository?.tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], signal);
	const tip = found?.stdout.toString('utf8').trim() ?? '';
	// A worktree that was half made has nothing of anybody on its branch; another commit there is somebody else's.
	const isOurs = state !== 'making' || tip === base;
	if (tip !== '' && isOurs) await repository?.git(['branch', '--quiet', '-D', branch], signal);
}
