/** The tool calls of one response: neighbouring reads and sub-agents side by side, everything else alone, results in the order of the calls. */
import type { Disposable } from '../../../base/disposable.ts';
import { inParallelGroups } from '../../../base/parallel-groups.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { MAX_ASKED_AHEAD, type OpError, type OpOutcome } from '../../../protocol/turn/broker.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { textForModel } from '../../../protocol/errors/error-text.ts';
import { newId, type OpId } from '../../../protocol/rpc/ids.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { LoadedSection } from '../../history/told-sections.ts';
import type { OpHost } from '../../host/host-broker.ts';
import type { ToolResultPart } from '../../models/model-port.ts';
import type { LoopGuard } from '../guards/loop-guard.ts';
import type { AskedRepeats } from '../guards/progress.ts';
import { formatMendedNote, performCall } from './perform-call.ts';
import type { ReadCall } from './read-call.ts';
import type { Loop, LoopDeps } from '../loop.ts';
import type { Receipts } from '../guards/receipts.ts';
import { inEnglish } from '../../../protocol/text/text.ts';

/** A call of an answer, after it was run or refused. */
export interface SettledCall {
	readonly result: ToolResultPart;
	/** A person or a rule said no. */
	readonly isDenied: boolean;
	/** Instructions that came with the result; absent: none. */
	readonly instructions?: LoadedSection;
}

/** State that the calls of a loop are checked against. */
export interface CallWatch {
	readonly guard: LoopGuard;
	readonly receipts: Receipts;
	readonly asked: AskedRepeats;
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
		return await runCall(call, { loop, watch, ahead, deps }, signal);
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

/** Surroundings that the calls of one response share. */
interface CallRound {
	readonly loop: Pick<Loop, 'journal'>;
	readonly watch: CallWatch;
	readonly ahead: AheadQuestions;
	readonly deps: LoopDeps;
}

async function runCall(read: ReadCall, round: CallRound, signal: AbortSignal): Promise<SettledCall> {
	const { loop, watch } = round;
	const { callId, tool } = read.call;
	switch (read.kind) {
		case 'op':
			return runGuardedCall(read, round, signal);
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
	{ loop, watch: { guard, receipts }, ahead, deps }: CallRound,
	signal: AbortSignal,
): Promise<SettledCall> {
	const verdict = guard.check(read);
	if (verdict.kind !== 'allow') {
		deps.beginStep?.('Guard', { call: inEnglish(read.title) })(verdict.kind);
	}
	if (verdict.kind === 'block') {
		return refuseCall(read, { code: 'CALL_REPEATED', message: verdict.said, facts: {} }, loop);
	}
	const waitMs = verdict.kind === 'pace' ? verdict.waitMs : 0;
	const performed = await performCall(read, { opId: ahead.opIdOf(read), waitMs }, loop, deps, signal);
	const { result, outcome, isDenied, instructions } = performed;
	receipts.note(read.op, read.params, outcome);
	if (waitMs > 0) guard.waited();
	const tookMs = outcome?.durationMs ?? 0;
	const remark = guard.settled(read, result, { isDenied, tookMs, goesOn: leavesRunning(outcome) });
	const text = remark === '' ? result.text : `${result.text}\n${remark}`;
	return { result: { ...result, text }, isDenied, ...(instructions === undefined ? {} : { instructions }) };
}

/** A command, or an execution, that goes on without the agent. */
function leavesRunning(outcome: OpOutcome | undefined): boolean {
	const result = outcome?.status === 'done' ? outcome.result : undefined;
	return typeof result === 'object' && result !== null && 'running' in result && result.running === true;
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

const FAILED = 'Do not invent what a failed call would have given.';

const DENIED_GUIDANCE = 'Do not repeat a denied call or get around it.';

/** Advice for the model, added once behind the results of an answer's calls; empty when every call came through. */
export function guidanceAfter(calls: readonly SettledCall[]): string {
	const said = [
		...(calls.some(({ result }) => result.isError) ? [FAILED] : []),
		...(calls.some(({ isDenied }) => isDenied) ? [DENIED_GUIDANCE] : []),
	];
	return said.length === 0 ? '' : `\n[${said.join(' ')}]`;
}

type AskableCall = Extract<ReadCall, { kind: 'op' }>;

/** Lets the person answer for all calls of an answer at once that change or run something, before the first of them runs. */
interface AheadQuestions extends Disposable {
	/** Under which the host knows the call. */
	opIdOf(call: AskableCall): OpId;
}

/** Dispose takes back what is left of the questions. */
function askAhead(
	calls: readonly ReadCall[],
	host: Pick<OpHost, 'askAhead'>,
	guard: Pick<LoopGuard, 'isNew'>,
	signal: AbortSignal,
): AheadQuestions {
	const asked = calls
		// A call that was made before may be refused as a circle when its turn comes, so it is not asked about ahead.
		.filter((call): call is AskableCall => call.kind === 'op' && hasEffect(call.op) && guard.isNew(call))
		.slice(0, MAX_ASKED_AHEAD);
	const ids = new Map(asked.map((call) => [call, newId('op')]));
	const resolveOpId = (call: AskableCall) => ids.get(call) ?? newId('op');
	if (asked.length < 2) {
		return { opIdOf: resolveOpId, dispose: () => {} };
	}
	const life = deriveSignal(signal);
	const list = asked.map((call) => ({ opId: resolveOpId(call), op: call.op, params: call.params }));
	// Whatever becomes of it, each call is judged in its turn.
	void host.askAhead(list, life.signal).catch(() => undefined);
	return {
		opIdOf: resolveOpId,
		dispose: () => {
			life.abort(new ProwessError('CANCELLED', 'the calls have ended'));
			life.dispose();
		},
	};
}

function hasEffect(op: OpName): boolean {
	const { effect }: OpDef = ops[op];
	return effect === 'write' || effect === 'execute';
}
