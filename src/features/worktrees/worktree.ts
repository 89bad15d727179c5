/** Types of what is known of a worktree: its record on the disk, and what users see of it. */
import * as z from '../../protocol/text/zod.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';

/** Ways in which something that is not in Git gets into a worktree. */
export const ExtraWay = z.enum(['copy', 'link', 'hide']);
export type ExtraWay = z.infer<typeof ExtraWay>;

export const WorktreeRecord = z.object({
	version: z.literal(1),
	name: z.string(),
	/** Real path of the workspace folder whose work it takes. */
	project: z.string(),
	/** Where the workspace folder lies below the root of its repository; empty: it is the root. */
	prefix: z.string(),
	kind: z.enum(['git', 'copy']),
	/** Undefined for a copy. */
	branch: z.string().optional(),
	/** Commit that it was made from; empty for a copy. */
	base: z.string(),
	/** Git folder that all its worktrees share; empty for a copy. */
	commonDir: z.string(),
	/** Root of the worktree, where the user names a folder for them; absent: beside this record. */
	tree: z.string().optional(),
	/** Changes that the folder had in no commit when it was made; absent: none, or not known. */
	uncommitted: z.int().positive().optional(),
	/** The command that it begins with has not come to its end. */
	isSetUpDue: z.literal(true).optional(),
	/** `making` and `leaving`: a process does that now, or was killed while it did. */
	state: z.enum(['making', 'ready', 'leaving']),
	/** Set while it is leaving: its branch stays. */
	keepsBranch: z.boolean().optional(),
	/** Owner of the changes in the workspace that were applied from it, for their undo. */
	owner: ThreadId,
	createdAt: z.iso.datetime(),
	usedAt: z.iso.datetime(),
	/** Threads that have worked in it, the latest last. */
	threads: z.array(z.string()).max(100),
	/** Entries that are not in Git and were brought along, by its path in the workspace folder. */
	extras: z.array(z.object({ path: z.string(), way: ExtraWay })).max(1_000),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecord>;

type WorktreeState = 'ready' | 'in use' | 'incomplete' | 'damaged';

export interface WorktreeView {
	readonly name: string;
	readonly project: string;
	/** Folder to work in. */
	readonly folder: string;
	readonly state: WorktreeState;
	readonly branch: string | undefined;
	readonly base: string;
	/** Changes that the folder had in no commit when it was made: they are not in it. */
	readonly uncommitted: number;
	readonly createdAt: string;
	readonly usedAt: string;
	/** True when nothing has worked in it for a long time. */
	readonly isStale: boolean;
	readonly threads: readonly string[];
	readonly bytes: number;
	/** More than could be added up. */
	readonly isLarger: boolean;
}

/** A file that differs from the base. */
export interface WorktreeChange {
	/** Relative to the workspace folder, with slashes. */
	readonly path: string;
	readonly kind: 'added' | 'changed' | 'deleted';
}

export interface WorktreeChanges {
	readonly changes: readonly WorktreeChange[];
	/** Submodules with changes, which are brought home in their own repositories. */
	readonly submodules: readonly string[];
	/** Changed files of the repository that lie outside of the workspace folder. */
	readonly outside: readonly string[];
}

export interface ExtraFound {
	readonly path: string;
	readonly isFolder: boolean;
	/** Undefined: nobody has said yet. */
	readonly way: ExtraWay | undefined;
}

/** Result of applying; paths are those of the workspace. */
export interface AppliedChanges {
	readonly written: readonly string[];
	/** Merged with what the workspace holds by now. */
	readonly merged: readonly string[];
	/** Left as they are in the workspace: both sides have changed the same lines. */
	readonly conflicts: readonly string[];
	/** Had been brought home already. */
	readonly same: number;
	readonly submodules: readonly string[];
	readonly outside: readonly string[];
	/** Written files that steer what other programs run. */
	readonly steering: readonly string[];
	/** Whom the changes are undone of. */
	readonly owner: string;
}

/** Losses when a worktree is discarded, or turned into a branch. */
export interface WorktreeLosses {
	/** Changed files that are in no commit. */
	readonly changed: readonly string[];
	/** Commits of its branch that no other branch has. */
	readonly commits: readonly string[];
	/** Ignored by Git, and not brought along unchanged from the workspace; folders end with a slash. */
	readonly ignored: readonly string[];
}

export function isWorktreeName(name: string): boolean {
	return /^[a-z0-9][a-z0-9._-]{0,59}$/i.test(name) && !/\.\.|\.lock$|\.$|\.json$/i.test(name);
}
