/** Report of `prowess capability test --json`, which the editor reads. */
import * as z from '../text/zod.ts';

const JudgedCase = z.object({
	name: z.string(),
	/** Relative to the capability: `tests/name.yaml`. */
	file: z.string(),
	tookMs: z.number(),
	/** Expectations that were not met, each with its line in the case, from 1. None: it has passed. */
	failures: z.array(z.object({ message: z.string(), line: z.int() })).readonly(),
	/** Names of the ops that the capability asked for. */
	ops: z.array(z.string()).readonly(),
	tool: z.string().optional(),
});
export type JudgedCase = z.infer<typeof JudgedCase>;

export const TestedCapability = z.object({
	/** Folder of the capability. */
	path: z.string(),
	type: z.string(),
	name: z.string(),
	cases: z.array(JudgedCase).readonly(),
	/** Faults of the capability and of the files of cases, as `file:line: what`. */
	problems: z.array(z.string()).readonly(),
	/** Tools that no case calls. */
	untestedTools: z.array(z.string()).readonly(),
	/** Permissions of the manifest that no case has needed. */
	unusedPermissions: z.array(z.string()).readonly(),
});
export type TestedCapability = z.infer<typeof TestedCapability>;
