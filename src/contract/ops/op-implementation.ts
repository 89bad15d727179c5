/**
 * Implementation of an op, in two steps: `prepare` finds out what exactly would happen, without any effect; the gate
 * judges that; `run` does exactly that and nothing else. So what was approved is what runs.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { EndedTrial, OpDetail } from '../../protocol/approvals/approvals.ts';
import type { HookWords, OpOutcome } from '../../protocol/turn/broker.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { OpName, OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { Text } from '../../protocol/text/text.ts';
import type { Caller } from './caller.ts';
import type { OpTarget } from './target.ts';

/** Content of a file, or where a link leads; `bytes` undefined: it is not known. */
export interface KnownContent {
	readonly bytes: Uint8Array | undefined;
	readonly permissions: number;
	/** Absent: a file. */
	readonly kind?: 'link' | 'folder';
}

export interface SweptFiles {
	readonly caller: Caller;
	/** Files, links and folders. Without `before` or `after` there was, or is, none of that name. */
	readonly files: readonly {
		readonly path: string;
		readonly absolutePath: string;
		readonly before: KnownContent | undefined;
		readonly after: KnownContent | undefined;
		/** False: it changed beside the command, and nothing shows that the command did it. */
		readonly isShown: boolean;
	}[];
}

/** Keeps the before-image of a file that is about to change, for undo. Resolves when it is durable. */
export interface BeforeImages {
	keep(change: {
		readonly caller: Caller;
		readonly path: string;
		readonly absolutePath: string;
		/** Text before, or the mark of what is no text; undefined when the file did not exist. */
		readonly before: string | undefined;
	}): Promise<void>;
	/** Records what our own write left (undefined: removed), so that later changes by others are noticed. */
	written(change: { readonly caller: Caller; readonly absolutePath: string; readonly after: string | undefined }): void;
	/**
	 * Returns the caller that a command acts for when it runs on after its turn: changes from then on belong to the
	 * turn that runs.
	 */
	callerNow(caller: Caller): Caller;
	/** Records files that a command has changed by itself. */
	swept(changes: SweptFiles): Promise<void>;
	/** Hash of what the thread's last write left there, also over restarts; undefined when it has written no such file. */
	lastWritten(threadId: ThreadId, absolutePath: string): Promise<string | undefined>;
	/** Files that are not as the thread left them: the user took a change back, or somebody changed them since. The newest first. */
	changedSince(threadId: ThreadId): Promise<OpResult<'workspace.changes'>['files']>;
}

/** Where programs of the user take part in an op, without being able to allow or change it. */
export interface HookedCall {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
	readonly caller: Caller;
}

/** `asked`: the programs that had a say, each with how it ran, for the ledger. */
export type HookVerdict = { readonly asked: readonly string[] } &
	/** `ask`: why the user is to be asked, whatever would allow it; absent: that is left to the gate. */
	({ readonly kind: 'continue'; readonly ask?: string } | { readonly kind: 'block'; readonly reason: string });

export interface OpHooks {
	/** Resolves when it is known whom an op concerns; before, it may be that each op concerns somebody. Absent: it always is. */
	ready?(): Promise<void>;
	/** Returns true when a program is asked before this op; otherwise nothing waits. */
	concerns(op: string): boolean;
	/** May only stop the op, with a reason for the model. Failing or being late stops it too. */
	before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>;
	/**
	 * Observes; what it throws is logged. Returns what the programs say to the model of the op, without secrets, when that
	 * comes in time and before the signal aborts; it never rejects. Undefined: nothing waits for them.
	 */
	after(call: HookedCall, outcome: OpOutcome, signal: AbortSignal): Promise<readonly HookWords[]> | undefined;
}

export interface OpContext {
	readonly opId: OpId;
	readonly caller: Caller;
	/** Prowess asks for it by itself, in its own words; absent: a model or a capability does. */
	readonly isOurs?: true;
	/** Aborts on stop, on timeout, and when the caller's connection goes. */
	readonly signal: AbortSignal;
	/** At this limit the effect ends itself, and its result says so; 0: none, or none that is its own. */
	readonly limitMs: number;
	/** Streams output while the op runs; redacted on the way out. */
	emit(chunk: string): void;
	/** Shows steps of what the op runs, already redacted; those of an execution that nobody waits for also after its end. */
	showSteps(steps: readonly RunStep[]): void;
	/** Returns true when the gate lets this op touch one more target without a question: the target of a redirect. */
	isAllowed(target: OpTarget): boolean;
	/** For as long as `wait` takes, the op is shown as waiting, its clock stands, and the time does not count as its own. */
	waitForPerson<T>(reason: string, wait: () => Promise<T>): Promise<T>;
	/** The conversation the caller works in, oldest first; empty when there is none. */
	readThread(): Promise<readonly ThreadMessage[]>;
}

/** Before an effect there is nothing to stream, to limit or to wait for. */
export type PrepareContext = Pick<OpContext, 'opId' | 'caller' | 'signal'>;

/** The text a file would get, which the person may change before they say yes. */
export interface Proposal<R = unknown> {
	readonly path: string;
	/** Text of the file when it was proposed; undefined: there is no such file. */
	readonly before: string | undefined;
	readonly after: string;
	/** Prepares the same write with the text of the person, and counts the lines that they changed. */
	withText(text: string): { readonly prepared: Prepared<R>; readonly added: number; readonly removed: number };
	/** Rejects with FILE_CHANGED when the file no longer holds `before`. */
	verify(signal: AbortSignal): Promise<void>;
}

/** A run on a copy of the workspace, for a person who wants to see what comes of it before they say yes. */
export interface TrialRun<R = unknown> {
	/** Resolves at its end. Rejects with what kept it from running; then nothing is left of it. */
	run(signal: AbortSignal): Promise<FinishedTrial<R>>;
}

export interface FinishedTrial<R = unknown> {
	/** Result as it is, secrets included. */
	readonly ended: EndedTrial;
	/** Does to the workspace what was done to the copy. */
	readonly keep: Prepared<R>;
	/** Removes the copy. Never rejects. */
	discard(): Promise<void>;
}

export interface Prepared<R> {
	/** Title that says what exactly would be done, in place of that of the op; may hold words of others. */
	readonly title?: Text;
	readonly targets: readonly OpTarget[];
	/** Detail of the approval: the exact bytes that will be run or written. */
	readonly detail: OpDetail;
	/** With each detail of the kind `diff`. */
	readonly proposal?: Proposal<R>;
	/** Begins, while a person is asked, what `run` would wait for. */
	onAsked?(): void;
	/** Absent: it cannot be tried. */
	readonly trial?: TrialRun<R> | undefined;
	/** Performs exactly what was prepared; rejects with FILE_CHANGED when the world moved in between. */
	run(context: OpContext): Promise<R>;
}

export interface OpImplementation<N extends OpName> {
	/** No effects. Rejects with the error the caller should read when the op cannot be meant (no such file, no match …). */
	prepare(params: OpParams<N>, context: PrepareContext): Promise<Prepared<OpResult<N>>>;
}

/** Implementations of all ops. A missing one does not compile. */
export type OpImplementations = { readonly [N in OpName]: OpImplementation<N> };

/** Error of an op as its caller receives it: INTERNAL for anything unforeseen. */
export function asProwessError(error: unknown, op: string): ProwessError {
	if (isProwessError(error)) return error;
	const message = toErrorMessage(error);
	return new ProwessError('INTERNAL', `${op} failed: ${message}`, {}, error);
}
