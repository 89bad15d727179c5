/**
 * Sub-agents that work in a worktree of their own: it is made before the first turn, what it has changed comes back with each
 * report, and the parent brings that home. A worktree without changes goes with its agent; one with changes stays, and is named.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { AgentReport } from '../../protocol/agents/agent-ops.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { AgentRecord } from '../../trust/gate/access/agent-records.ts';
import { agentLimits } from './limits.ts';

interface AppliedFiles {
	readonly written: readonly string[];
	readonly merged: readonly string[];
	readonly conflicts: readonly string[];
	readonly submodules: readonly string[];
	readonly outside: readonly string[];
}

/** Worktrees of the project. */
export interface AgentWorktrees {
	open(
		wish: { readonly name: string; readonly from: undefined },
		signal: AbortSignal,
	): Promise<Disposable & { readonly folder: string }>;
	noteThread(name: string, threadId: string, signal: AbortSignal): Promise<void>;
	plan(
		name: string,
		paths: readonly string[] | undefined,
		signal: AbortSignal,
	): Promise<{ readonly targets: readonly Located[]; readonly patch: string; readonly fingerprint: string }>;
	applyPlanned(
		name: string,
		wish: { readonly paths: readonly string[] | undefined; readonly planned: string; readonly caller: Caller },
		signal: AbortSignal,
	): Promise<AppliedFiles>;
	show(
		name: string,
		signal: AbortSignal,
	): Promise<{ readonly view: { readonly uncommitted: number }; readonly found: WorktreeFound }>;
	diff(name: string, signal: AbortSignal): Promise<string>;
	losses(
		name: string,
		signal: AbortSignal,
	): Promise<{ readonly changed: readonly string[]; readonly commits: readonly string[] }>;
	discard(name: string, signal: AbortSignal): Promise<void>;
}

interface WorktreeFound {
	readonly changes: readonly { readonly path: string; readonly kind: string }[];
	readonly submodules: readonly string[];
	readonly outside: readonly string[];
}

interface IsolatedAgentsDeps {
	worktrees(): Promise<AgentWorktrees>;
	/** True where a thread works in a worktree already: its sub-agents work there with it. */
	isBeside(threadId: ThreadId): boolean;
	/** Name of a new worktree. */
	nameAfter(words: string, id: ThreadId): string;
	readonly log: Pick<LogPort, 'warn'>;
}

/** Changes of a sub-agent that are ready to be brought home. */
export interface PlannedApply {
	readonly targets: readonly Located[];
	readonly patch: string;
	run(caller: Caller, signal: AbortSignal): Promise<OpResult<'agent.apply'>>;
}

export class IsolatedAgents {
	readonly #deps: IsolatedAgentsDeps;

	constructor(deps: IsolatedAgentsDeps) {
		this.#deps = deps;
	}

	/**
	 * Name of the worktree for a new sub-agent. Undefined: it works where its parent does. `isAsked`: for this one; else it is a
	 * wish for all, which counts where it can. Throws INVALID_STATE where it cannot.
	 */
	nameFor(id: ThreadId, name: string, parent: ThreadId, isAsked: boolean): string | undefined {
		if (!this.#deps.isBeside(parent)) return this.#deps.nameAfter(name, id);
		if (!isAsked) return undefined;
		throw new ProwessError(
			'INVALID_STATE',
			'you work in a worktree: your sub-agents work in it with you; leave isolation out',
			{
				said: text('This thread works in a worktree. Its sub-agents work there, too.'),
			},
		);
	}

	/** Makes the worktree of a sub-agent, or goes on in it. Resolves with its folder. */
	async enter(
		{ id, worktree }: Pick<AgentRecord, 'id' | 'worktree'>,
		signal: AbortSignal,
	): Promise<string | undefined> {
		if (worktree === undefined) return undefined;
		const worktrees = await this.#deps.worktrees();
		const opened = await worktrees.open({ name: worktree, from: undefined }, signal);
		opened.dispose();
		await worktrees.noteThread(worktree, id, signal);
		return opened.folder;
	}

	/** Resolves with what it has changed; undefined: it has no worktree. */
	async report({ worktree }: Pick<AgentRecord, 'worktree'>, signal: AbortSignal): Promise<AgentReport['worktree']> {
		if (worktree === undefined) return undefined;
		const worktrees = await this.#deps.worktrees();
		const { view, found } = await worktrees.show(worktree, signal);
		const { uncommitted } = view;
		const lines = [
			...(uncommitted === 0 ? [] : [`not in it: ${uncommitted} uncommitted in your folder when it began`]),
			...found.changes.slice(0, agentLimits.reportedFiles).map(({ path, kind }) => `${kind}: ${path}`),
			...(found.changes.length > agentLimits.reportedFiles
				? [`… and ${found.changes.length - agentLimits.reportedFiles} more files`]
				: []),
			...[...found.submodules, ...found.outside].map((path) => `elsewhere: ${path}`),
		];
		const patch = found.changes.length === 0 ? '' : await worktrees.diff(worktree, signal);
		const shown =
			patch.length > agentLimits.reportedPatchChars
				? `${patch.slice(0, agentLimits.reportedPatchChars)}\n… cut: the files are in its worktree`
				: patch;
		return { name: worktree, files: found.changes.length, changes: [...lines, shown].join('\n').trim() };
	}

	/** Has no effect. Rejects with INVALID_STATE while the sub-agent works. */
	async plan(
		{ worktree }: Pick<AgentRecord, 'worktree'>,
		paths: readonly string[] | undefined,
		signal: AbortSignal,
	): Promise<PlannedApply> {
		if (worktree === undefined) {
			throw new ProwessError('INVALID_STATE', 'this sub-agent has no worktree: its changes are in the folder already', {
				said: text('This sub-agent works in the folder itself.'),
			});
		}
		const worktrees = await this.#deps.worktrees();
		const { targets, patch, fingerprint } = await worktrees.plan(worktree, paths, signal);
		return {
			targets,
			patch,
			async run(caller, within) {
				const done = await worktrees.applyPlanned(worktree, { paths, planned: fingerprint, caller }, within);
				const { written, merged, conflicts, submodules, outside } = done;
				return {
					worktree,
					written: [...written],
					merged: [...merged],
					conflicts: [...conflicts],
					elsewhere: [...submodules, ...outside],
				};
			},
		};
	}

	/** Removes the worktree of an agent that has ended, unless something in it would be lost. Never rejects. */
	async leave({ worktree }: Pick<AgentRecord, 'worktree'>): Promise<void> {
		if (worktree === undefined) return;
		const { signal } = new AbortController();
		try {
			const worktrees = await this.#deps.worktrees();
			const { changed, commits } = await worktrees.losses(worktree, signal);
			if (changed.length + commits.length === 0) await worktrees.discard(worktree, signal);
		} catch (error) {
			// The worktree is listed, and can be discarded by hand.
			this.#deps.log.warn('the worktree of a sub-agent was not removed', { worktree, error: String(error) });
		}
	}
}
