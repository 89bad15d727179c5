/**
 * Tells hooks of other agents that an op has ended, and makes of their answers what its model reads. An answer allows,
 * refuses and changes nothing: the op is done.
 */
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { cutText } from '../../../../base/text/one-line.ts';
import type { HookedCall } from '../../../../contract/ops/op-implementation.ts';
import type { LogPort } from '../../../../contract/ports/ports.ts';
import { describeOverTime } from '../../../../protocol/ops/commands/over-time.ts';
import type { CommandState } from '../../../../protocol/ops/definitions/commands/shell.ts';
import { MAX_HOOK_NAME } from '../../../../protocol/thread/context.ts';
import type { HookWords, OpOutcome } from '../../../../protocol/turn/broker.ts';
import type { Redactor } from '../../../record/redaction/redactor.ts';
import { HOOK_CONTEXT_CHARS } from '../limits.ts';
import { followsOp, type HookAnswer } from './hook-answer.ts';
import type { ForeignHook, HookEvent } from './read-hook-file.ts';
import type { Agreed, ForeignHookRunner } from './run-foreign-hook.ts';

interface TellingDeps {
	/** Returns the hooks of an event that mean this op. */
	agreedTo(event: HookEvent): Promise<readonly Agreed[]>;
	/** Returns what a hook reads of the op on standard input. */
	toldOf(event: HookEvent, each: Agreed): object;
	readonly runner: Pick<ForeignHookRunner, 'ask'>;
	readonly redactor: Pick<Redactor, 'redact'>;
	readonly log: Pick<LogPort, 'warn'>;
}

/**
 * Runs the hooks of these events one after another. Returns what they say to the model of the op, without secrets, together
 * at most as long as one may be. A hook that fails is logged, and the next is told. Never rejects.
 */
export async function tellOfEnd(
	call: HookedCall,
	outcome: OpOutcome,
	events: readonly HookEvent[],
	{ agreedTo, toldOf, runner, redactor, log }: TellingDeps,
	signal: AbortSignal,
): Promise<readonly HookWords[]> {
	const error = failureWords(call.op, outcome);
	const more = { tool_response: toToolResponse(outcome), ...(error === undefined ? {} : { error }) };
	const heard: HookWords[] = [];
	let left = HOOK_CONTEXT_CHARS;
	const tellHook = async (event: HookEvent, each: Agreed) => {
		const told = { ...toldOf(event, each), ...more };
		const { answer, how } = await runner.ask(each, event, told, call.caller.threadId, signal);
		const words = cutText(redactor.redact(wordsForModel(answer)), left);
		if (!followsOp(event) || words === '') return;
		heard.push({ by: redactor.redact(how).slice(0, MAX_HOOK_NAME), text: words });
		left -= Math.min(left, words.length);
	};
	const logFailure = (failure: unknown) => {
		const why = redactor.redact(toErrorMessage(failure));
		log.warn('a hook after an op failed', { op: call.op, error: why });
	};
	for (const event of events) {
		if (event === 'PostToolUseFailure' && error === undefined) continue;
		try {
			for (const each of await agreedTo(event)) {
				if (event === 'PostToolUse' && !isToldOfEnd(each.hook, error, outcome)) continue;
				await tellHook(event, each).catch(logFailure);
			}
		} catch (failure) {
			logFailure(failure);
		}
	}
	return heard;
}

function wordsForModel({ block, context }: HookAnswer): string {
	return [...(block === undefined ? [] : [`It objects: ${block}`]), ...(context === undefined ? [] : [context])].join(
		'\n',
	);
}

function toToolResponse(outcome: OpOutcome): object {
	return outcome.status === 'done'
		? { success: true, result: outcome.result }
		: { success: false, error: outcome.error.message };
}

/** Returns why the op has failed, as a hook reads it; undefined: it did what it is for. A command that ends otherwise than with 0 has failed, as Claude Code counts it. */
function failureWords(op: string, outcome: OpOutcome): string | undefined {
	if (outcome.status !== 'done') return outcome.error.message;
	const state = op === 'shell.run' ? (outcome.result as CommandState) : undefined;
	if (state?.running !== false || state.exitCode === 0) return undefined;
	return state.timedOut
		? `Command stopped: ${describeOverTime(state.overTime)}`
		: state.exitCode === null
			? `Command ended by ${state.signal ?? 'a signal'}`
			: `Command exited with non-zero status code ${state.exitCode}`;
}

/**
 * True when a hook for `PostToolUse` is told of this end: only of a success. Cursor's events follow whatever was done
 * (a command with any exit code), and Gemini's `AfterTool` follows every call.
 */
function isToldOfEnd({ calledAs, ops: own }: ForeignHook, failure: string | undefined, { status }: OpOutcome): boolean {
	return calledAs === undefined ? failure === undefined : own === undefined || status === 'done';
}
