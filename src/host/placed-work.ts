/** Shows users the work of a thread (its changes, ways back, commands, pages), wherever the thread works: in the folder or in a worktree. */
import type { ChangeTracker, Restores } from '../contract/changes.ts';
import type { Runs } from '../contract/runs.ts';
import type { WatchedPages } from '../contract/watched-page.ts';
import { ThreadId } from '../protocol/rpc/ids.ts';
import type { ChangeOwner } from '../protocol/approvals/changes.ts';
import { toDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';

interface PlacedWork {
	readonly changes: ChangeTracker;
	readonly restores: Restores;
	readonly runs: Runs;
	/** Pages that agents have open. */
	readonly pages: WatchedPages;
}

interface Places {
	of(threadId: ThreadId | null): Promise<{ readonly base: PlacedWork }> | undefined;
	readonly now: readonly { readonly base: PlacedWork }[];
	readonly onDidCompose: Event<{ readonly base: PlacedWork }>;
}

/** `own`: of the folder. */
export function placedWork(own: PlacedWork, places: Places): PlacedWork {
	type Changed = Parameters<Parameters<ChangeTracker['onDidChange']>[0]>[0];
	const changed = new Emitter<Changed>();
	const tellChange = (change: Changed) => changed.fire(change);
	own.changes.onDidChange(tellChange);
	places.onDidCompose(({ base }) => base.changes.onDidChange(tellChange));
	const findPlace = async (threadId: ThreadId | null) => (await places.of(threadId))?.base ?? own;
	const findChanges = async (owner: ChangeOwner) => (await findPlace(ThreadId.safeParse(owner).data ?? null)).changes;
	return {
		changes: {
			onDidChange: changed.event,
			list: async (owner) => (await findChanges(owner)).list(owner),
			undone: async (owner) => (await findChanges(owner)).undone(owner),
			ofExecutions: () => own.changes.ofExecutions(),
			ofThreads: () => own.changes.ofThreads(),
			before: async (owner, path) => (await findChanges(owner)).before(owner, path),
			hunks: async (owner, path) => (await findChanges(owner)).hunks(owner, path),
			keep: async (owner, paths) => (await findChanges(owner)).keep(owner, paths),
			keepHunk: async (owner, path, hunk) => (await findChanges(owner)).keepHunk(owner, path, hunk),
			undo: async (owner, paths, force, signal) => (await findChanges(owner)).undo(owner, paths, force, signal),
			undoHunk: async (owner, path, hunk, signal) => (await findChanges(owner)).undoHunk(owner, path, hunk, signal),
			redo: async (owner, signal) => (await findChanges(owner)).redo(owner, signal),
			look(paths) {
				own.changes.look(paths);
				for (const { base } of places.now) base.changes.look(paths);
			},
			forget: async (owner) => own.changes.forget(owner),
		},
		restores: {
			preview: async (threadId, turnId) => (await findPlace(threadId)).restores.preview(threadId, turnId),
			restore: async (wish, signal) => (await findPlace(wish.threadId)).restores.restore(wish, signal),
			redo: async (threadId, signal) => (await findPlace(threadId)).restores.redo(threadId, signal),
			last: async (threadId) => (await findPlace(threadId)).restores.last(threadId),
		},
		pages: { watch: async (threadId, signal) => (await findPlace(threadId)).pages.watch(threadId, signal) },
		runs: {
			stop: async (opId, threadId) => (await findPlace(threadId)).runs.stop(opId, threadId),
			continueInBackground: async (opId, threadId) =>
				(await findPlace(threadId)).runs.continueInBackground(opId, threadId),
			follow(opId, threadId, follower) {
				const there = places.of(threadId);
				if (there === undefined) return own.runs.follow(opId, threadId, follower);
				let isOver = false;
				const following = there.then(({ base }) => {
					const listening = base.runs.follow(opId, threadId, follower);
					if (isOver) listening.dispose();
					return listening;
				});
				following.catch(() => {});
				return toDisposable(() => {
					isOver = true;
					void following.then((listening) => listening.dispose()).catch(() => {});
				});
			},
		},
	};
}
