/**
 * Implementation of an op, in two steps: `prepare` finds out what exactly would happen, without any effect; the gate
 * judges that; `run` does exactly that and nothing else. So what was approved is what runs.
 */
import type { EndedTrial, OpDetail } from '../../protocol/approvals/approvals.ts';
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import type { OpId } from '../../protocol/ids.ts';
import type { OpName, OpParams, OpResult } from '../../protocol/ops.ts';
import type { Caller } from './caller.ts';
import type { OpTarget } from './target.ts';

export interface OpContext {
	readonly opId: OpId;
	readonly caller: Caller;
	/** Aborts on stop, on timeout, and when the caller's connection goes. */
	readonly signal: AbortSignal;
	/** At this limit the effect ends itself, and its result says so; 0: none, or none that is its own. */
	readonly limitMs: number;
	/** Streams output while the op runs; redacted on the way out. */
	emit(chunk: string): void;
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
