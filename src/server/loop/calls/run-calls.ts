/** The tool calls of one response: neighbouring reads and sub-agents side by side, everything else alone, results in the order of the calls. */
import { inParallelGroups } from '../../../base/parallel-groups.ts';
import type { OpError } from '../../../protocol/broker.ts';
import { textForModel } from '../../../protocol/errors/error-text.ts';
import { newId } from '../../../protocol/ids.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { ops } from '../../../protocol/ops.ts';
import { type AheadQuestions, askAhead } from './asked-ahead.ts';
import type { SettledCall } from '../guards/guidance.ts';
import type { LoopGuard } from '../guards/loop-guard.ts';
import { formatMendedNote, performCall } from './perform-call.ts';
import type { ReadCall } from './read-call.ts';
import type { Loop, LoopDeps } from '../loop.ts';
import type { Receipts } from '../guards/receipts.ts';
import { inEnglish } from '../../../protocol/text/text.ts';

/** State that the calls of a loop are checked against. */
export interface CallWatch {
	readonly guard: LoopGuard;
	readonly receipts: Receipts;
}

export async function runCalls(
	calls: readonly ReadCall[],
	loop: Pick<Loop, 'journal'>,
	watch: CallWatch,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<SettledCall[]> {
	const ahead = askAhead(calls, deps.host, watch.guard, signal);
	const settled = await inParallelGroups(calls, chooseParallelGroup, async (call) => {
		signal.throwIfAborted();
		return await runCall(call, loop, watch, ahead, deps, signal);
	}).finally(() => ahead.dispose());
	signal.throwIfAborted();
	return settled.map((each) => {
		if (each.status === 'rejected') {
			throw each.reason;
		}
		return each.value;
	});
}

/**
 * Returns the name of the group in which a call may run in parallel; undefined: the call runs alone. The model's own
 * group comes first, then the op's `runsBeside`; all other calls without an effect share one group.
 */
function chooseParallelGroup(call: ReadCall): string | undefined {
	const { group } = call.call;
	const beside = call.kind === 'op' ? (ops[call.op] as OpDef).runsBeside : undefined;
	return group ?? beside ?? (call.kind !== 'op' || call.isRead ? 'reads' : undefined);
}

async function runCall(
	read: ReadCall,
	loop: Pick<Loop, 'journal'>,
	watch: CallWatch,
	ahead: AheadQuestions,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<SettledCall> {
	const { callId, tool } = read.call;
	switch (read.kind) {
		case 'op':
			return runGuardedCall(read, loop, watch, ahead, deps, signal);
		case 'own': {
			const itemId = loop.journal.startTool({ opId: newId('op'), callId, tool, title: read.title, input: read.input });
			const result = await read.run(signal);
			loop.journal.endTool(itemId, { status: result.isError ? 'failed' : 'done' }, result.text);
			return { result: { callId, tool, ...result, text: result.text + formatMendedNote(read) }, isDenied: false };
		}
		case 'repeated':
			return {
				result: {
					callId,
					tool,
					text: 'The same call stands before this one; it was run once. See its result.',
					isError: false,
				},
				isDenied: false,
			};
		case 'bad':
			watch.guard.failed();
			return refuseCall(read, { code: read.code, message: read.message, facts: { ...read.facts } }, loop);
	}
}

async function runGuardedCall(
	read: Extract<ReadCall, { kind: 'op' }>,
	loop: Pick<Loop, 'journal'>,
	watch: CallWatch,
	ahead: AheadQuestions,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<SettledCall> {
	const { guard, receipts } = watch;
	const verdict = guard.check(read);
	if (verdict.kind !== 'allow') {
		deps.beginStep?.('Guard', { call: inEnglish(read.title) })(verdict.kind);
	}
	if (verdict.kind === 'block') {
		guard.blocked();
		return refuseCall(read, { code: 'CALL_REPEATED', message: verdict.said, facts: {} }, loop);
	}
	const { result, outcome, isDenied, instructions } = await performCall(read, ahead.opIdOf(read), loop, deps, signal);
	receipts.note(read.op, read.params, outcome);
	const notes = [verdict.kind === 'warn' ? verdict.said : '', guard.settled(read, result)].filter(
		(note) => note !== '',
	);
	const text = [result.text, ...notes].join('\n');
	return { result: { ...result, text }, isDenied, ...(instructions === undefined ? {} : { instructions }) };
}

/** Records a call that is not run; the user and the model read why. */
function refuseCall(
	{ call, input, title }: Exclude<ReadCall, { kind: 'repeated' }>,
	error: OpError,
	loop: Pick<Loop, 'journal'>,
): SettledCall {
	const { callId, tool } = call;
	const opId = newId('op');
	const text = textForModel(error);
	const itemId = loop.journal.startTool({ opId, callId, tool, title, input });
	loop.journal.endTool(itemId, { status: 'failed', error }, text);
	return { result: { callId, tool, text, isError: true }, isDenied: error.code === 'DENIED_BY_RULE' };
}
