/** Runs ops and writes answers in the place of a model: for fast paths and strategies. */
import { toolName } from '../../protocol/op-table/op-tool.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { type OpInput, type OpName, type OpResult, ops } from '../../protocol/op-table/ops.ts';
import { createExcerpt } from '../history/excerpt.ts';
import { hostOfTurn, type OpHost } from '../host/host-broker.ts';
import { requestHostOp } from '../host/request-op.ts';
import { readCalls } from '../loop/calls/read-call.ts';
import { runCalls } from '../loop/calls/run-calls.ts';
import { LoopGuard } from '../loop/guards/loop-guard.ts';
import { Receipts } from '../loop/guards/receipts.ts';
import type { ToolCallPart } from '../models/model-port.ts';
import { toolSplit } from '../tools/tool-split.ts';
import { promptLimits } from '../prompt/limits.ts';
import { readSurroundings } from '../tools/surroundings.ts';
import type { LoopJournal } from '../turn/journal.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

interface RunOp<N extends OpName> {
	/** Absent: it failed, or was denied. */
	readonly result: OpResult<N> | undefined;
	/** The user said no to it. */
	readonly isRefused: boolean;
	/** Result in the form that a model reads. */
	readonly text: string;
}

/** Runs an op as if a model had called it: with a card in the chat, and in the history that later models read. */
export async function runJournaledOp<N extends OpName>(
	op: N,
	params: OpInput<N>,
	turn: Turn,
	deps: TurnDeps,
	signal: AbortSignal,
): Promise<RunOp<N>> {
	const { journal } = turn;
	const call: ToolCallPart = {
		kind: 'toolCall',
		callId: newId('op'),
		tool: toolName(op),
		inputText: JSON.stringify(params),
	};
	journal.say({ role: 'assistant', parts: [call] });
	const listening = keepingResult(op, hostOfTurn(deps.host, turn));
	const watch = { guard: new LoopGuard(1), receipts: new Receipts([]), asked: { times: 1, isUntil: false } };
	const read = readCalls([call], toolSplit(turn.mode, readSurroundings(deps)));
	const settled = await runCalls(read, turn, watch, { ...deps, host: listening.host }, signal);
	const results = settled.map(({ result }) => result);
	const kept = results.map((result) => ({
		...result,
		text: createExcerpt(result.text, promptLimits.contextRefChars).text,
	}));
	journal.say({ role: 'tool', results: kept });
	const isError = results.some((result) => result.isError);
	const result = isError ? undefined : listening.result();
	return { result, isRefused: listening.isRefused(), text: results.map(({ text }) => text).join('\n') };
}

/** The same host; remembers what the op gave. */
function keepingResult<N extends OpName>(
	op: N,
	host: OpHost,
): { readonly host: OpHost; readonly result: () => OpResult<N> | undefined; readonly isRefused: () => boolean } {
	let result: OpResult<N> | undefined;
	let isRefused = false;
	return {
		host: {
			async perform(asked, onProgress, signal) {
				const outcome = await host.perform({ ...asked, isOurs: true }, onProgress, signal);
				isRefused = outcome.status === 'denied' && outcome.error.code === 'DENIED_BY_USER';
				if (outcome.status === 'done') {
					result = ops[op].result.safeParse(outcome.result).data as OpResult<N> | undefined;
				}
				return outcome;
			},
			askAhead: (asked, signal) => host.askAhead(asked, signal),
			outcome: (opId, signal) => host.outcome(opId, signal),
			redacted: (value, signal) => host.redacted(value, signal),
		},
		result: () => result,
		isRefused: () => isRefused,
	};
}

/** Runs a read-only op that the user does not see. Rejects where the op fails or is denied: then the model answers. */
export async function runSilentOp<N extends OpName>(
	op: N,
	params: OpInput<N>,
	{ threadId, turnId }: Turn,
	{ host }: TurnDeps,
	signal: AbortSignal,
): Promise<OpResult<N>> {
	const read = await requestHostOp(op, params, { host, threadId, turnId }, signal);
	signal.throwIfAborted();
	if (!read.ok) {
		throw new Error(read.text);
	}
	return read.result;
}

/**
 * Writes an answer of ours, in the thread and in the history where a model's would be. `said` is for the history, where
 * it need not repeat what a result says already.
 */
export function writeAnswer(journal: LoopJournal, shown: string, said = shown): void {
	journal.together('process', () => {
		const itemId = journal.startText('text');
		journal.appendText(itemId, shown);
		journal.endText(itemId);
		journal.say({ role: 'assistant', parts: [{ kind: 'text', text: said }] });
	});
}
