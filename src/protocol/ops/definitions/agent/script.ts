/** Scripts that an agent writes: shown as a whole before anything of them runs, and each of their ops judged by itself. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const MAX_SCRIPT = 100_000;

export const scriptRun = defineOp({
	/** Script as YAML: see docs/scripts.md. */
	params: z.strictObject({ script: z.string().min(1).max(MAX_SCRIPT) }),
	result: z.object({
		name: z.string(),
		/** Results of the steps, in their order; of one with rounds, a list. */
		results: z.array(z.object({ id: z.string(), result: z.unknown() })),
	}),
	risk: 'PRIVILEGED',
	permission: 'user',
	// The effects of its steps are ops of their own.
	effect: 'execute',
	timeoutMs: 0,
	callers: ['agent'],
	tool: 'Run ops in a fixed order, as YAML: name, and steps of {id, op, with, for, after}. The user approves it first.',
	isRare: true,
	title: ({ script }) =>
		text('Run a script: {name}', { name: (/^name:\s*(.+)$/m.exec(script)?.[1] ?? '').slice(0, 80) }),
	present: ({ results }) => `All ${results.length} steps are done.\n${JSON.stringify(results, null, 1)}`,
});
