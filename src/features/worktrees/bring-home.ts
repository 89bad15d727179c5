/** Brings the work of a worktree home by Git: merged, rebased, or as a branch. A merge that would conflict is not begun. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { MAKE_TIMEOUT_MS } from './limits.ts';
import { UserRepository } from './repository.ts';
import { openTree } from './worktree-changes.ts';
import type { WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

interface Bringing {
	readonly records: WorktreeRecords;
	/** Variables of commands. */
	readonly environment: Readonly<Record<string, string>>;
}

/** Either it is done, or these files have changed on both sides and everything is as it was. */
export interface BroughtHome {
	readonly conflicts: readonly string[];
	/** Commits that came home, or were rebased; 0: there was nothing to do. */
	readonly commits: number;
}

/** Merges the branch, with all that is uncommitted in the worktree, into what is checked out in the workspace. */
export async function mergeHome(
	deps: Bringing,
	record: WorktreeRecord,
	message: string | undefined,
	signal: AbortSignal,
): Promise<BroughtHome> {
	const { tree, home } = await openBoth(deps, record, signal);
	await tree.commitAll(message ?? `Work of the worktree ${record.name}`, signal);
	const work = await tree.commitOf('HEAD', signal);
	const commits = await countCommits(home, 'HEAD', work, signal);
	if (commits === 0) return { conflicts: [], commits };
	// Since Git 2.38; an older one says so, and nothing has happened.
	const tried = await home.tryGit(
		['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', 'HEAD', work],
		signal,
	);
	if (tried.exitCode === 1) {
		return {
			conflicts: tried.stdout
				.toString('utf8')
				.split('\0')
				.slice(1)
				.filter((each) => each !== ''),
			commits,
		};
	}
	if (tried.exitCode !== 0) throw gitFailed(home, tried.stderr);
	const settings = ['commit.gpgSign=false', ...(await home.identity(signal))];
	const words = [
		'merge',
		'--quiet',
		'--no-edit',
		'--no-verify',
		'-m',
		message ?? `Merge the worktree ${record.name}`,
		work,
	];
	const merged = await home.tryGit(words, signal, { settings, timeoutMs: MAKE_TIMEOUT_MS });
	if (merged.exitCode !== 0) {
		// Refused before it began, as where files of the workspace have uncommitted changes; else it is taken back.
		await home.tryGit(['merge', '--abort'], new AbortController().signal);
		throw gitFailed(home, merged.stderr);
	}
	return { conflicts: [], commits };
}

/** Puts the work of the worktree on top of what is checked out in the workspace. */
export async function rebaseWorktree(
	deps: Bringing,
	record: WorktreeRecord,
	message: string | undefined,
	signal: AbortSignal,
): Promise<BroughtHome> {
	const { records } = deps;
	const { tree, home } = await openBoth(deps, record, signal);
	const onto = await home.commitOf('HEAD', signal);
	await tree.commitAll(message ?? `Work of the worktree ${record.name}`, signal);
	const commits = await countCommits(tree, record.base, 'HEAD', signal);
	const settings = ['commit.gpgSign=false', 'rebase.autoStash=false', ...(await tree.identity(signal))];
	const words = ['rebase', '--quiet', '--no-verify', '--onto', onto, record.base];
	const rebased = await tree.tryGit(words, signal, { settings, timeoutMs: MAKE_TIMEOUT_MS });
	if (rebased.exitCode !== 0) {
		const conflicts = await tree.names(['diff', '--name-only', '--diff-filter=U', '-z'], signal);
		await tree.tryGit(['rebase', '--abort'], new AbortController().signal);
		if (conflicts.length === 0) throw gitFailed(tree, rebased.stderr);
		return { conflicts, commits };
	}
	// Changes that were uncommitted may be in that commit.
	const { uncommitted: _was, ...rest } = record;
	await records.set({ ...rest, base: onto, usedAt: new Date().toISOString() });
	// Later changes are compared with the new commit from now on.
	await forceRemoveFolder(records.baseOf(record.name));
	return { conflicts: [], commits };
}

/** Commits what is uncommitted and gives the branch its name. The worktree is removed by the caller. */
export async function keepAsBranch(
	deps: Bringing,
	record: WorktreeRecord,
	{ branch, message }: { readonly branch: string | undefined; readonly message: string | undefined },
	signal: AbortSignal,
): Promise<{ readonly record: WorktreeRecord; readonly branch: string }> {
	const { records } = deps;
	const { tree } = await openBoth(deps, record, signal);
	const before = (await tree.tryGit(['symbolic-ref', '--short', '-q', 'HEAD'], signal)).stdout.toString('utf8').trim();
	if (branch !== undefined) {
		const isFree =
			(await tree.tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], signal)).exitCode !== 0;
		const isName = (await tree.tryGit(['check-ref-format', '--branch', branch], signal)).exitCode === 0;
		if (!isName || !isFree) {
			throw new ProwessError(
				'INVALID_PARAMS',
				`${branch}: ${isName ? 'there is such a branch' : 'not a name for a branch'}`,
				{
					branch,
					said: isName
						? text('There is a branch {branch} already. Choose another name.', { branch })
						: text('"{branch}" is not a name for a branch.', { branch }),
				},
			);
		}
	}
	await tree.commitAll(message ?? `Work of the worktree ${record.name}`, signal);
	// Without a branch checked out, the commits get one.
	if (before === '') await tree.git(['switch', '--quiet', '-c', branch ?? `${record.branch}-kept`], signal);
	else if (branch !== undefined) await tree.git(['branch', '-m', before, branch], signal);
	const name = (await tree.git(['symbolic-ref', '--short', 'HEAD'], signal)).trim();
	const leaving: WorktreeRecord = { ...record, branch: name, state: 'leaving', keepsBranch: true };
	await records.set(leaving);
	return { record: leaving, branch: name };
}

async function openBoth(
	deps: Bringing,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<{ readonly tree: UserRepository; readonly home: UserRepository }> {
	const tree = await openTree(deps, record, signal);
	const home = await UserRepository.open(record.project, deps.environment, signal);
	if (tree === undefined || home === undefined) {
		throw new ProwessError('NO_REPOSITORY', `the worktree ${record.name} is a copy without Git: apply it`, {
			name: record.name,
			said: text('This worktree is a copy without Git. Apply its changes instead.'),
		});
	}
	return { tree, home: home.at(home.root) };
}

async function countCommits(
	repository: UserRepository,
	from: string,
	to: string,
	signal: AbortSignal,
): Promise<number> {
	return Number((await repository.git(['rev-list', '--count', `${from}..${to}`], signal)).trim());
}

function gitFailed({ root }: UserRepository, why: string): ProwessError {
	return new ProwessError('IO_ERROR', `git failed in ${root}: ${why}`, {
		folder: root,
		said: text('Git failed in {folder}: {why}', { folder: root, why }),
	});
}
