/**
 * Evidence of what an op did, by kind. Receipts are made from ops, their params and their outcomes only, never from what a
 * model or a program says of itself.
 */
import * as z from '../text/zod.ts';

/**
 * Act of a command. `read`: it changes nothing. `files`: it changes files that other receipts name, and nothing else.
 * `other`: nobody knows, so it may have changed or sent anything.
 */
export const RunAct = z.enum(['read', 'files', 'test', 'build', 'lint', 'install', 'commit', 'push', 'other']);
export type RunAct = z.infer<typeof RunAct>;

/** Closing line of a test run. `failed` counts errors too. */
export const TestCounts = z.object({
	passed: z.int().nonnegative(),
	failed: z.int().nonnegative(),
	skipped: z.int().nonnegative().optional(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** `stopped`: by the user. `unknown`: it was begun, and its end was not recorded or lies behind another command's. */
const RunEnd = z.enum(['exit', 'signal', 'timeLimit', 'stopped', 'running', 'unknown']);

const paths = z.array(z.string());
const common = {
	/** Name of the op, such as `fs.edit`. */
	op: z.string(),
	/** The op was begun and its outcome is not known: the effect may have come about. */
	isInDoubt: z.literal(true).optional(),
};

export const EffectReceipt = z.discriminatedUnion('kind', [
	/** Paths as they were asked for; none where the op reads something else, such as a page or a process. */
	z.object({ ...common, kind: z.literal('read'), paths }),
	/** Paths relative to the workspace, `/` between names. A database that was changed is named by its path or its name. */
	z.object({ ...common, kind: z.literal('created'), paths }),
	z.object({ ...common, kind: z.literal('edited'), paths, beyond: z.int().positive().optional() }),
	z.object({ ...common, kind: z.literal('deleted'), paths }),
	z.object({ ...common, kind: z.literal('moved'), from: z.string(), to: z.string() }),
	/** Command of a line, one of several. */
	z.object({
		...common,
		kind: z.literal('ran'),
		act: RunAct,
		/** Base name in lower case: `npm`. */
		program: z.string(),
		/** Word that chooses what the program does, as `install` of npm, or the script of `npm run`; empty: none. */
		verb: z.string(),
		end: RunEnd,
		/** Null unless `end` is `exit`. */
		exitCode: z.int().nullable(),
		tests: TestCounts.optional(),
		/** Names a run in the background. */
		commandId: z.string().optional(),
	}),
	z.object({ ...common, kind: z.literal('asked') }),
	/** Something left for another program or machine: `to` is a host, or `server/tool` of MCP. */
	z.object({ ...common, kind: z.literal('sent'), to: z.string() }),
	z.object({ ...common, kind: z.literal('remembered') }),
	z.object({ ...common, kind: z.literal('forgot') }),
	z.object({ ...common, kind: z.literal('scheduled') }),
	/** Handed to a capability, a script, a goal or another agent, which may have done anything. */
	z.object({ ...common, kind: z.literal('delegated'), to: z.string() }),
	/** The op did not come about, or not to its end; `code` as in its error. */
	z.object({ ...common, kind: z.literal('failed'), code: z.string() }),
]);
export type EffectReceipt = z.infer<typeof EffectReceipt>;

export type RanReceipt = Extract<EffectReceipt, { kind: 'ran' }>;

/** Paths that the receipt says were changed: old and new ones of a move. */
export function changedPaths(receipt: EffectReceipt): readonly string[] {
	switch (receipt.kind) {
		case 'created':
		case 'edited':
		case 'deleted':
			return receipt.paths;
		case 'moved':
			return [receipt.from, receipt.to];
		default:
			return [];
	}
}

/** True when something that the receipt shows may have changed files, also files that it does not name. */
export function mayHaveEdited(receipt: EffectReceipt): boolean {
	switch (receipt.kind) {
		case 'delegated':
			return true;
		case 'edited':
			return receipt.beyond !== undefined;
		case 'ran':
			return ['build', 'install', 'other'].includes(receipt.act);
		// A tool of another program may write into the workspace.
		case 'sent':
			return receipt.op === 'mcp.call';
		default:
			return false;
	}
}

/** True of a run that came to its end well, or whose end nobody knows. */
export function mayHaveSucceeded({ end, exitCode }: Pick<RanReceipt, 'end' | 'exitCode'>): boolean {
	return end === 'unknown' || end === 'running' || exitCode === 0;
}

/** True when the run shows that tests pass: it ended with 0, or its closing line says so and its end is not known. */
export function hasPassed({ act, end, exitCode, tests }: RanReceipt): boolean {
	if (act !== 'test' || (tests !== undefined && tests.failed > 0)) {
		return false;
	}
	return exitCode === 0 || (end === 'unknown' && tests !== undefined && tests.passed > 0);
}
