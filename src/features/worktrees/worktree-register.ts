/** Worktrees in the hands of the user: what changes one, or the workspace, is in the ledger as their own act. */
import { realpathSync } from 'node:fs';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { ApplyingDeps } from './apply-changes.ts';
import type { SetUpPorts } from './set-up.ts';
import type { Worktrees } from './worktrees.ts';

export type { OpenWorktree } from './worktrees.ts';
export type { ExtraFound, ExtraWay, WorktreeLosses, WorktreeView } from './worktree.ts';
export type { SetUpEnd, SetUpQuestion } from './set-up.ts';
export type { BroughtHome } from './bring-home.ts';

export interface WorktreeRegister extends Pick<
	Worktrees,
	| 'open'
	| 'noteThread'
	| 'list'
	| 'recorded'
	| 'show'
	| 'diff'
	| 'texts'
	| 'losses'
	| 'apply'
	| 'merge'
	| 'rebase'
	| 'keepBranch'
	| 'discard'
> {}

/** `register`: for the user; `all`: for parts of the host that record what they do themselves. */
export interface OwnedWorktrees {
	readonly register: WorktreeRegister;
	all(): Promise<Worktrees>;
}

export interface WorktreeRegisterParts extends Pick<ApplyingDeps, 'paths'> {
	/** Holder of the variables that commands are run with. */
	readonly commands: Pick<ApplyingDeps, 'environment'>;
	readonly checkpoints: Pick<ApplyingDeps, 'images'>;
	/** Watchers for changes by others: they are told of each that is made here. */
	readonly writers: readonly Pick<ApplyingDeps, 'expect'>[];
	readonly ports: Pick<HostPorts, 'workspace' | 'documents' | 'places' | 'settings'>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly labels: Pick<ApplyingDeps, 'carryMade'>;
	/** A worktree is about to go: whoever works in it in this host ends. */
	leaving(name: string): Promise<void>;
	readonly setUp: SetUpPorts;
}

export function createWorktreeRegister({
	ports,
	ledger,
	paths,
	commands,
	checkpoints,
	writers,
	labels,
	leaving,
	setUp,
}: WorktreeRegisterParts): OwnedWorktrees {
	let loaded: Promise<Worktrees> | undefined;
	const loadWorktrees = async () => {
		const { workspace, places, settings, documents } = ports;
		const { origin, isTrusted } = workspace;
		// In a worktree, those of its project are meant.
		const [folder] = isTrusted ? (origin === undefined ? workspace.folders : [origin]) : [];
		if (folder === undefined) {
			throw new ProwessError('NOT_AVAILABLE_HERE', 'worktrees need a trusted folder', {
				said: text('No folder is open.'),
			});
		}
		const { createWorktrees } = await import('./worktrees.ts');
		return createWorktrees({
			environment: commands.environment,
			paths: origin === undefined ? paths : new WorkspacePaths({ folders: [origin] }),
			images: checkpoints.images,
			expect: (path) => writers.forEach((writer) => writer.expect(path)),
			carryMade: (pairs, signal) => labels.carryMade(pairs, signal),
			documents,
			home: places.home,
			project: realpathSync.native(folder.path),
			leaving,
			...setUp,
			place: settings.current['prowess.worktrees'].folder,
			table: () => settings.current['prowess.worktrees'].files ?? {},
		});
	};
	// Loads for the folder that is open when the first is wanted: another one starts another host.
	const getWorktrees = () =>
		(loaded ??= loadWorktrees().catch((error: unknown) => {
			loaded = undefined;
			throw error;
		}));
	const recordAct = async <T>(
		op: string,
		input: string,
		params: object,
		summary: (done: T) => string,
		work: (all: Worktrees) => Promise<T>,
	): Promise<T> => {
		const all = await getWorktrees();
		return await recordUserAct(ledger, { op: `worktree.${op}`, input, params }, summary, () => work(all));
	};
	const register: WorktreeRegister = {
		open: (wish, signal) =>
			recordAct(
				'open',
				`Work in the worktree ${wish.name}`,
				{ name: wish.name, from: wish.from ?? null },
				({ isNew, folder }) => `${isNew ? 'made' : 'gone on with'}: ${folder}`,
				(all) => all.open(wish, signal),
			),
		noteThread: async (name, threadId, signal) => (await getWorktrees()).noteThread(name, threadId, signal),
		recorded: async () => (await getWorktrees()).recorded(),
		list: async (signal) => (await getWorktrees()).list(signal),
		show: async (name, signal) => (await getWorktrees()).show(name, signal),
		diff: async (name, signal) => (await getWorktrees()).diff(name, signal),
		texts: async (name, signal) => (await getWorktrees()).texts(name, signal),
		losses: async (name, signal) => (await getWorktrees()).losses(name, signal),
		apply: (name, paths, take, signal) =>
			recordAct(
				'apply',
				`Apply the worktree ${name}`,
				{ name, paths: paths ?? null, take: take ?? null },
				({ written, merged, conflicts }) =>
					`${written.length} written, ${merged.length} merged, ${conflicts.length} left`,
				(all) => all.apply(name, paths, take, signal),
			),
		merge: (name, message, signal) =>
			recordAct('merge', `Merge the worktree ${name}`, { name, message: message ?? null }, describeBrought, (all) =>
				all.merge(name, message, signal),
			),
		rebase: (name, message, signal) =>
			recordAct('rebase', `Rebase the worktree ${name}`, { name, message: message ?? null }, describeBrought, (all) =>
				all.rebase(name, message, signal),
			),
		keepBranch: (name, wish, signal) =>
			recordAct(
				'branch',
				`Turn the worktree ${name} into a branch`,
				{ name, ...wish, branch: wish.branch ?? null },
				String,
				(all) => all.keepBranch(name, wish, signal),
			),
		discard: (name, signal) =>
			recordAct(
				'discard',
				`Discard the worktree ${name}`,
				{ name },
				() => 'discarded',
				(all) => all.discard(name, signal),
			),
	};
	return { register, all: getWorktrees };
}

function describeBrought({
	commits,
	conflicts,
}: {
	readonly commits: number;
	readonly conflicts: readonly string[];
}): string {
	return conflicts.length === 0 ? `${commits} commits` : `nothing was changed: ${conflicts.length} files conflict`;
}
