/** Git, read only and hardened: nothing a repository configures is run (security: hooks, filters, pagers, fsmonitor). */
import { nameInList } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp, notForModels } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

export const gitStatus = defineOp({
	params: z.strictObject({}),
	result: z.object({
		branch: z.string().nullable(),
		files: z.array(z.object({ path: z.string(), index: z.string().max(1), worktree: z.string().max(1) })),
		truncated: z.boolean(),
	}),
	risk: 'MONITORED',
	permission: 'git',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Branch and changed files.',
	title: () => text('Read git status'),
	present: (r) =>
		`On ${r.branch ?? 'no branch'}\n${r.files.map((f) => `${f.index}${f.worktree} ${nameInList(f.path)}`).join('\n') || 'Nothing changed.'}` +
		(r.truncated ? '\n[more files not shown]' : ''),
});

/** Hash of a commit, whole or its beginning. */
export const CommitHash = z.string().regex(/^[0-9a-f]{7,64}$/);

export const gitDiff = defineOp({
	params: z.strictObject({
		path: z.string().min(1).max(4096).optional(),
		staged: z.boolean().default(false),
		/** Instead of what is uncommitted: this commit, its message first. */
		commit: CommitHash.optional().meta(notForModels),
		/** Leaves out what submodules, and other repositories in the folder, show. */
		isAlone: z.boolean().optional().meta(notForModels),
	}),
	result: z.object({ patch: z.string(), truncated: z.boolean() }),
	risk: 'MONITORED',
	permission: 'git',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Uncommitted changes as a diff.',
	title({ path, staged, commit }) {
		if (commit !== undefined) {
			const hash = commit.slice(0, 8);
			return path === undefined
				? text('Read commit {hash}', { hash })
				: text('Read commit {hash} of {path}', { hash, path });
		}
		if (path === undefined) {
			return staged ? text('Read staged diff') : text('Read diff');
		}
		return staged ? text('Read staged diff of {path}', { path }) : text('Read diff of {path}', { path });
	},
	present: (r) => (r.patch || 'No difference.') + (r.truncated ? '\n[diff cut]' : ''),
});
