/**
 * `prowess replay THREAD[:TURN] --from STEP`: a recorded turn goes on live from one of its steps, as a thread of its own in a
 * new worktree, with another model or prompt, and with the gate, sandbox and questions of any run.
 */
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { type ContextRef, MAX_PASTED_CHARS } from '../../protocol/thread/context.ts';
import { cutText } from '../../base/text/one-line.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import type { trustedWorkspace } from '../invocation/workspace-option.ts';
import type { withHost } from '../ports/cli-host.ts';
import type { ReplayHost } from '../replay/replay-host.ts';
import type { ReachedStep } from '../replay/replays.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { visibleLine } from '../terminal/visible.ts';
import type { runPrompt } from './run-prompt.ts';
import type { openRunWorktree } from './run-worktree.ts';

/** Parts of the command line, which this gets because it is a bundle of its own. */
export interface StepHost {
	readonly replay: ReplayHost;
	readonly withHost: typeof withHost;
	readonly trustedWorkspace: typeof trustedWorkspace;
	readonly openRunWorktree: typeof openRunWorktree;
	/** `prowess run`. */
	readonly runPrompt: typeof runPrompt;
	/** True for an op that changes something; one that only reads, or talks to the user, does not. */
	isChange(op: string): boolean;
}

/** Changes of files that can be made again from what was recorded of them. */
const REPEATED_OPS: ReadonlySet<string> = new Set(['fs.write', 'fs.edit', 'fs.move', 'fs.delete', 'fs.makeFolder']);
/** Done again, too: a model replaces no text that it has not read. */
const READING_OP = 'fs.read';
const FROM_HERE = 'Go on with the work from here.';
const SHOWN_CHANGE_CHARS = 100;

/** Resolves with the exit code of the run; 1 where the recorded turn does not come to the step any more. */
export async function goOnFromStep(host: StepHost, invocation: Invocation, context: CommandContext): Promise<number> {
	const { terminal, signal } = context;
	const [wanted = '', given] = invocation.operands;
	const project = host.trustedWorkspace(invocation, context, 'replay');
	const { replayToStep, formatReplayed } = await import('../replay/replays.ts');
	const reached = await replayToStep(host.replay, wanted, invocation.values['from'] ?? '', context);
	if (!('step' in reached)) {
		terminal.err(formatReplayed(reached, { end: 'cut', asking: [] }));
		return exitCodes.failed;
	}
	const prompt = given ?? (reached.isFirst ? reached.prompt : FROM_HERE);
	const { from: _step, ...others } = invocation.values;
	const values = { ...others, worktree: 'new' };
	const worktree = await host.openRunWorktree({ ...invocation, values }, context, { project, prompt });
	if (worktree === undefined) return exitCodes.failed;
	const thread = reached.copy && newId('thr');
	let missing: readonly string[];
	try {
		missing = await prepareStep(host, { reached, thread, folder: worktree.folder }, invocation, context);
		const createTitle = (before: string) => `${before} (step ${reached.step})`;
		// Last: a thread without what the host knows of it must not be there.
		if (thread !== undefined) reached.copy?.({ id: thread, title: createTitle, workspace: worktree.folder });
	} finally {
		// The run takes the worktree itself.
		worktree.dispose();
	}
	for (const line of missing) terminal.err(`Not done again: ${visibleLine(line)}\n`);
	terminal.err(`Goes on live from step ${reached.step}.\n`);
	signal.throwIfAborted();
	const named = {
		...values,
		worktree: worktree.record.name,
		mode: reached.mode,
		...(thread !== undefined && { thread }),
	};
	return await host.runPrompt({ ...invocation, operands: [prompt], values: named }, context, tellMissing(missing));
}

/**
 * The model has read that all of it was done. Not among the words of the user: a model wrote it, and what it names with @ is
 * not the user's wish.
 */
function tellMissing(missing: readonly string[]): readonly ContextRef[] {
	if (missing.length === 0) return [];
	const lines = missing.map((line) => `- ${line}`).join('\n');
	const told = `This folder is another one than before. What was done there and not here:\n${lines}`;
	return [{ kind: 'pasted', text: cutText(told, MAX_PASTED_CHARS) }];
}

interface StepInFolder {
	readonly reached: ReachedStep;
	readonly thread: ThreadId | undefined;
	readonly folder: string;
}

/**
 * Hands on what the host knows of the thread, and changes files as they were changed before the step, in the name of its agent:
 * rules that refuse a change to the agent refuse it here. Resolves with a line for each change that was not made.
 */
async function prepareStep(
	host: StepHost,
	{ reached, thread, folder }: StepInFolder,
	invocation: Invocation,
	context: CommandContext,
): Promise<readonly string[]> {
	const changes = reached.ops.filter(({ op }) => host.isChange(op));
	if (thread === undefined) return changes.map(describeChange);
	// Nobody is asked: changes of files that can be undone pass.
	const options = { workspace: folder, approvalMode: 'edit' } as const;
	return await host.withHost(invocation, { ...context, server: undefined }, options, async (opened) => {
		const base = await opened.trustedBase();
		await base.handOnLabel(reached.threadId as ThreadId, thread, context.signal);
		base.beginThread(thread);
		const caller = { kind: 'agent', threadId: thread, turnId: newId('trn') } as const;
		const origin = { caller, isNewId: true, onProgress: () => {} } as const;
		const missing: string[] = [];
		for (const done of reached.ops) {
			const { op, params } = done;
			const isChange = host.isChange(op);
			if (isChange && !REPEATED_OPS.has(op)) {
				missing.push(describeChange(done));
			} else if (isChange || op === READING_OP) {
				const outcome = await base.perform({ opId: newId('op'), op, params }, origin, context.signal);
				if (isChange && outcome.status !== 'done') missing.push(`${describeChange(done)}: ${outcome.error.message}`);
			}
		}
		return missing;
	});
}

function describeChange({ op, params }: ReachedStep['ops'][number]): string {
	return cutText(`${op} ${JSON.stringify(params)}`, SHOWN_CHANGE_CHARS);
}
