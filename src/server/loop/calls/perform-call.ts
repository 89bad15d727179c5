/** Carries a tool call from the journal to its result: recorded, asked of the host, watched, and ended exactly once. */
import { markOutside, withHookWords } from '../../host/request-op.ts';
import { deriveSignal, TimeoutError } from '../../../base/time/derived-signal.ts';
import { CallWaits } from './call-waits.ts';
import { escapeHidden } from '../../../base/text/hidden-characters.ts';
import { isHeld, type OpError, type OpOutcome, type OpProgress } from '../../../protocol/turn/broker.ts';
import { textForModel } from '../../../protocol/errors/error-text.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { ItemId, OpId } from '../../../protocol/rpc/ids.ts';
import { type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef, TodoItem } from '../../../protocol/ops/define-op.ts';
import type { ExecutionState } from '../../../protocol/capability/capability-ops.ts';
import type { CommandState } from '../../../protocol/ops/definitions/commands/shell.ts';
import { missingWriteForModel } from '../../../protocol/ops/definitions/agent/mcp.ts';
import { FileDiff } from '../../../protocol/ops/definitions/files/files.ts';
import { ANSWER_GRACE_MS, callLimitMs, longestLimit, settingLimitMs } from '../../../protocol/op-table/time-limits.ts';
import { receiptsOfOp } from '../../../protocol/receipts/op-receipts.ts';
import type { ToolPatch } from '../../../protocol/thread/items.ts';
import { historyLimits } from '../../history/limits.ts';
import { resultId } from '../../history/stored-texts.ts';
import type { LoadedSection } from '../../history/told-sections.ts';
import { resolveOpFate, type OpFate } from '../../host/settle-op.ts';
import { loopLimits } from '../limits.ts';
import { waitBeforeRetry } from '../../models/failover/failover.ts';
import type { ToolResultPart } from '../../models/model-port.ts';
import type { ReadCall } from './read-call.ts';
import type { Loop, LoopDeps } from '../loop.ts';
import { inEnglish } from '../../../protocol/text/text.ts';

type ReadOpCall = Extract<ReadCall, { kind: 'op' }>;

interface PerformedCall {
	/** In full; the caller cuts it to the window. */
	readonly result: ToolResultPart;
	/** Undefined when the host did not say what became of it. */
	readonly outcome: OpOutcome | undefined;
	readonly isDenied: boolean;
	readonly instructions?: LoadedSection;
}

/** `waitMs`: how long it waits before it runs, which the user sees. Rejects only when the turn's signal aborts. */
export async function performCall(
	call: ReadOpCall,
	{ opId, waitMs }: { readonly opId: OpId; readonly waitMs: number },
	loop: Pick<Loop, 'journal'>,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<PerformedCall> {
	const { journal } = loop;
	const { callId, tool } = call.call;
	const itemId = journal.startTool({ opId, callId, tool, title: call.title, input: call.input });
	await journal.stored();
	if (waitMs > 0) {
		journal.patchTool(itemId, { paced: { until: new Date(Date.now() + waitMs).toISOString() } });
		await waitBefore(waitMs, itemId, loop, deps, signal);
	}
	const settingMs = settingLimitMs(ops[call.op], deps.settings());
	const timeoutMs = callLimitMs(ops[call.op], call.params, settingMs);
	const longest = longestLimit(ops[call.op], timeoutMs, ANSWER_GRACE_MS);
	const limited = deriveSignal(signal, { what: inEnglish(call.title), timeoutMs, ...longest });
	const onProgress = (progress: OpProgress) => {
		// Steps say nothing about whether the op itself waits.
		if (progress.kind === 'steps') {
			journal.addSteps(itemId, progress.steps);
			return;
		}
		if (progress.kind === 'output') limited.renew();
		waits.note(progress);
		if (isHeld(progress)) {
			limited.pause();
		} else if (progress.kind === 'running') {
			limited.resume();
		}
		showProgress(progress, itemId, loop);
	};
	const waits = new CallWaits(() => performance.now());
	const endCall = ({ patch, text, isError, media = [] }: PresentedOutcome): ToolResultPart => {
		const images = media.flatMap(({ data, name }) => journal.keepImage(Buffer.from(data, 'base64'), name) ?? []);
		journal.endTool(itemId, { ...patch, ...waits.end(), ...(images.length === 0 ? {} : { images }) }, text);
		const isLong = text.length > historyLimits.shortenedChars;
		return {
			callId,
			tool,
			text: text + formatMendedNote(call),
			isError,
			...(images.length === 0 ? {} : { images }),
			...(isLong ? { readOn: { id: resultId(opId), from: 0 } } : {}),
		};
	};
	try {
		const request = { opId, op: call.op, params: call.params };
		const outcome = await deps.host.perform(request, onProgress, limited.signal);
		const presented = withTestCounts(presentOutcome(call.op, outcome), call, outcome);
		if (presented.todos !== undefined) {
			journal.setTodos(presented.todos);
		}
		const { instructions } = presented;
		return {
			result: endCall(presented),
			outcome,
			isDenied: isDeniedOutcome(presented),
			...(instructions === undefined ? {} : { instructions }),
		};
	} catch (error) {
		// The host was told to stop; what it did until then is the truth, if it says so soon.
		const fate = await resolveOpFate(deps.host, opId, loopLimits.outcomeAfterStopMs, deps.closing);
		const presented = presentFate(call.op, fate) ?? presentUnsettledCall(fate, error, signal);
		const result = endCall(presented);
		signal.throwIfAborted();
		return {
			result,
			outcome: fate.kind === 'settled' ? fate.outcome : undefined,
			isDenied: isDeniedOutcome(presented),
		};
	} finally {
		limited.dispose();
	}
}

/** A stop in the wait ends the call, which was not run. */
async function waitBefore(
	waitMs: number,
	itemId: ItemId,
	{ journal }: Pick<Loop, 'journal'>,
	{ wait = waitBeforeRetry }: Pick<LoopDeps, 'wait'>,
	signal: AbortSignal,
): Promise<void> {
	try {
		await wait(waitMs, signal);
	} catch (error) {
		const stopped: OpError = { code: 'CANCELLED', message: 'stopped by the user', facts: {} };
		journal.endTool(itemId, { status: 'cancelled', error: stopped }, textForModel(stopped));
		throw error;
	}
}

/**
 * Returns a note for the model about the parts of a call that were read in another way. The user does not need it: the
 * card shows what was run.
 */
export function formatMendedNote({ mended }: { readonly mended: string }): string {
	return mended === '' ? '' : `\n[read: ${mended}]`;
}

/** The card of a test run says what its receipt says. */
function withTestCounts(presented: PresentedOutcome, { op, params }: ReadOpCall, outcome: OpOutcome): PresentedOutcome {
	if (op !== 'shell.run') {
		return presented;
	}
	const tests = receiptsOfOp({ op, params, outcome })
		.flatMap((receipt) => (receipt.kind === 'ran' && receipt.tests !== undefined ? receipt.tests : []))
		.at(-1);
	return tests === undefined ? presented : { ...presented, patch: { ...presented.patch, tests } };
}

export interface PresentedOutcome {
	readonly patch: ToolPatch;
	readonly text: string;
	readonly isError: boolean;
	/** Pictures and sounds in the result, in base64. */
	readonly media?: readonly { readonly data: string; readonly name: string }[];
	/** Instructions that the agent follows from then on; absent: none. */
	readonly instructions?: LoadedSection;
	/** Plan of the agent from now on; absent: as it was. */
	readonly todos?: readonly TodoItem[];
}

/**
 * Returns the outcome of an op that the host knows to have ended; undefined when it has not ended, or the host cannot
 * say.
 */
export function presentFate(op: OpName, fate: OpFate): PresentedOutcome | undefined {
	switch (fate.kind) {
		case 'settled':
			return presentOutcome(op, fate.outcome);
		case 'recorded': {
			const status = fate.status === 'timeout' ? 'failed' : fate.status;
			const text = escapeHidden(`${fate.summary}\n[${fate.status}; the whole result was not kept]`);
			return { patch: { status }, text, isError: fate.status !== 'done' };
		}
		default:
			return undefined;
	}
}

/** An outcome as the card shows it and as the model reads it. */
function presentOutcome(op: OpName, outcome: OpOutcome): PresentedOutcome {
	const durationMs = outcome.durationMs;
	const def: OpDef = ops[op];
	if (outcome.status !== 'done') {
		const refused = describeUserRefusal(def, outcome);
		if (refused !== undefined) {
			return {
				patch: { status: 'denied', error: outcome.error, durationMs },
				text: escapeHidden(withHookWords(refused, outcome)),
				isError: false,
			};
		}
		const status = outcome.status === 'timeout' ? 'failed' : outcome.status;
		const missing = missingWriteForModel(outcome.error.facts);
		const remedy = missing === undefined ? '' : `\n${missing}`;
		return {
			patch: { status, error: outcome.error, durationMs, ...readLackedWrite(op, outcome.error.facts) },
			text: escapeHidden(withHookWords(textForModel(outcome.error) + remedy, outcome)),
			isError: true,
		};
	}
	const parsed = def.result.safeParse(outcome.result);
	if (!parsed.success) {
		const error: OpError = { code: 'INTERNAL', message: `the result of ${op} has not the declared shape`, facts: {} };
		return { patch: { status: 'failed', error, durationMs }, text: textForModel(error), isError: true };
	}
	const media = def.media?.(parsed.data);
	const instructions = def.instructions?.(parsed.data);
	const drawn = def.drawn?.(parsed.data);
	const diff = FileDiff.safeParse(parsed.data);
	const { exitCode, sandboxed, running, stoppedByUser } = parsed.data as Partial<CommandState>;
	const goesOn = running === true || (op === 'capability.start' && isUnfinishedRun(parsed.data as ExecutionState));
	const lacks = readLackedWrite(op, parsed.data);
	const said = withSimulation(def.present(parsed.data), outcome.simulation);
	const read = instructions === undefined ? markOutside(said, outcome.outside) : said;
	return {
		patch: {
			status: stoppedByUser === true ? 'cancelled' : 'done',
			durationMs,
			...(goesOn ? { inBackground: true } : {}),
			...(diff.success ? { diff: diff.data } : {}),
			...(drawn === undefined ? {} : { drawn }),
			...readFailedRun(op, parsed.data),
			...(exitCode === undefined ? {} : { exitCode }),
			...(sandboxed === undefined ? {} : { sandboxed }),
			...lacks,
		},
		text: escapeHidden(withHookWords(read, outcome)),
		isError: false,
		...(def.todos === undefined ? {} : { todos: def.todos(parsed.data) }),
		...(media === undefined ? {} : { media }),
		...(instructions === undefined ? {} : { instructions }),
	};
}

/** The call came to its end, and what it ran did not: the card shows that as its failure. */
function readFailedRun(op: OpName, said: unknown): Pick<ToolPatch, 'status' | 'error'> {
	const { success, error, stoppedByUser } = said as Partial<ExecutionState>;
	return op === 'capability.start' && success === false && stoppedByUser !== true && error !== undefined
		? { status: 'failed', error }
		: {};
}

/** The agent goes on while it runs: it has no result yet, and there is one to come. */
function isUnfinishedRun({ success, instructions }: Pick<ExecutionState, 'success' | 'instructions'>): boolean {
	return success === undefined && instructions === undefined;
}

/** Folder that an MCP server could not change, for the card. */
function readLackedWrite(op: OpName, said: unknown): Pick<ToolPatch, 'lacks'> {
	const { server, lacks, keptFrom } = said as Readonly<Record<string, unknown>>;
	if (op !== 'mcp.call' || typeof server !== 'string') return {};
	if (typeof lacks === 'string') return { lacks: { server, path: lacks } };
	return typeof keptFrom === 'string' ? { lacks: { server, path: keptFrom, isOffered: false } } : {};
}

/** Undefined unless the user themselves said no, to an op for which that is an answer. */
function describeUserRefusal(
	def: OpDef,
	{ status, error }: Exclude<OpOutcome, { status: 'done' }>,
): string | undefined {
	if (status !== 'denied' || error.code !== 'DENIED_BY_USER') {
		return undefined;
	}
	const { reason } = error.facts;
	return def.refused?.(typeof reason === 'string' ? reason : undefined);
}

/** Appended, for the model to compare with what happened (S0-17). */
function withSimulation(text: string, simulation: string | undefined): string {
	return simulation === undefined ? text : `${text}\n[ANTICIPATORY SIMULATION]: ${simulation}`;
}

/** A no that leaves nothing to do but something else. */
function isDeniedOutcome({ patch, isError }: PresentedOutcome): boolean {
	return patch.status === 'denied' && isError;
}

export function asOpError(error: unknown): OpError {
	if (isProwessError(error)) {
		return { code: error.code, message: error.message, facts: { ...error.facts } };
	}
	return error instanceof TimeoutError
		? { code: 'TIMEOUT', message: error.message, facts: { limitMs: error.timeoutMs } }
		: { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), facts: {} };
}

function presentUnsettledCall(fate: OpFate, error: unknown, signal: AbortSignal): PresentedOutcome {
	if (signal.aborted) {
		const stopped: OpError = { code: 'CANCELLED', message: 'stopped by the user', facts: {} };
		return { patch: { status: 'cancelled', error: stopped }, text: textForModel(stopped), isError: true };
	}
	const opError = asOpError(error);
	const status = fate.kind === 'inDoubt' ? 'inDoubt' : 'failed';
	return { patch: { status, error: opError }, text: textForModel(opError), isError: true };
}

function showProgress(
	progress: Exclude<OpProgress, { kind: 'steps' }>,
	itemId: ItemId,
	{ journal }: Pick<Loop, 'journal'>,
): void {
	switch (progress.kind) {
		case 'paced': {
			const { limit, until } = progress;
			journal.patchTool(itemId, { paced: { limit, until } });
			break;
		}
		case 'titled': {
			const { said } = progress;
			journal.patchTool(itemId, { title: inEnglish(said), said });
			break;
		}
		case 'waiting':
			journal.patchTool(itemId, { status: 'waiting' });
			break;
		case 'running':
			journal.patchTool(itemId, {
				status: 'running',
				startedAt: new Date().toISOString(),
				...(progress.allowedBy === undefined ? {} : { allowedBy: progress.allowedBy }),
			});
			break;
		case 'output':
			journal.appendOutput(itemId, progress.chunk);
			break;
		case 'hooks':
			break;
	}
}
