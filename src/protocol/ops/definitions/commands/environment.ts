/** Where the agent works, as it stands now. */
import { PermissionLevel } from '../../permission-level.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

export const workspaceEnvironment = defineOp({
	params: z.strictObject({}),
	result: z.object({
		/** System of the machine, such as `linux`. */
		platform: z.string(),
		/** Day where the user is: `YYYY-MM-DD`. */
		date: z.string(),
		/** Folders of the workspace with their absolute paths. */
		folders: z.array(z.object({ name: z.string(), path: z.string() })),
		/** State of the repository of the first folder; absent: it is in none, or Git did not answer in time. */
		git: z
			.object({
				/** Null: no branch is checked out. */
				branch: z.string().nullable(),
				changedFiles: z.int().nonnegative(),
				/** More than that have changed. */
				isMore: z.boolean(),
			})
			.optional(),
		/** Names at the top of the first folder; folders end with a slash. */
		top: z.array(z.string()),
		/** Names that are not in `top`. */
		more: z.int().nonnegative(),
		level: PermissionLevel,
		/** Nobody is asked here: what would need an approval is denied. */
		isUnattended: z.literal(true).optional(),
		/** Rules of the user allow more than the level. */
		hasRules: z.literal(true).optional(),
		/** Mode of the thread that only reads, whatever its level; absent: it is at Agent. */
		mode: z.enum(['ask', 'plan']).optional(),
		/** Capabilities that came since this thread began, as `type/name`; absent: none. */
		newCapabilities: z.array(z.string()).optional(),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 10_000,
	callers: ['agent'],
	isHousekeeping: true,
	title: () => text('See where the agent works'),
	present: ({ folders }) => folders.map(({ path }) => path).join('\n') || 'No folder is open.',
});
