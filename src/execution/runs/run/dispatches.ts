/** The ops that one execution has asked for. Each gets exactly one answer, whatever becomes of it; a one-way op gets none. */
import { cleanReport } from '../../../protocol/ops/clean-report.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { deriveSignal, TimeoutError } from '../../../base/time/derived-signal.ts';
import type { OpOutcome, OpProgress } from '../../../protocol/turn/broker.ts';
import { isProwessError, type ProwessError } from '../../../protocol/errors/errors.ts';
import {
	type DispatchError,
	type FailedOp,
	frameLimits,
	type HostFrame,
	ONE_WAY_OPS,
} from '../../../protocol/execution/execution.ts';
import { progressReport } from '../../../protocol/ops/definitions/agent/interaction.ts';
import { newId, type OpId } from '../../../protocol/rpc/ids.ts';
import { DISPATCH_CEILING_MS, DISPATCH_GRACE_MS, MAX_DISPATCHES, MAX_REPORTS_HELD } from '../../processes/limits.ts';

interface Dispatch {
	readonly dispatchId: string;
	readonly op: string;
	readonly params: unknown;
	readonly stream?: boolean;
}

/** Performs an op as this execution. The broker is one; a spec may have another. */
export type PerformDispatch = (
	asked: { readonly opId: OpId; readonly op: string; readonly params: unknown },
	onProgress: (progress: OpProgress) => void,
	signal: AbortSignal,
) => Promise<OpOutcome>;

interface RunReport {
	readonly message: string;
	/** From 0 to 1. */
	readonly fraction?: number;
}

interface DispatchesOptions {
	readonly perform: PerformDispatch;
	/** The pieces of a dispatch that asked for them, then its one result. */
	readonly answer: (frame: Extract<HostFrame, { type: 'dispatch_output' | 'dispatch_result' }>) => void;
	/** A person is being asked, or is not any more: the time of the execution stands still. */
	readonly onWaiting: (isWaiting: boolean) => void;
	/** Receives what a one-way op says, for the person. */
	readonly onReport: (report: RunReport) => void;
	readonly ceilingMs?: number;
}

/** Options of a run that concern what it dispatches. */
interface DispatchingRun {
	readonly perform: PerformDispatch;
	readonly onProgress: (progress: RunReport) => void;
	readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
	readonly dispatchCeilingMs?: number | undefined;
}

/** Creates the dispatches of a run whose time stands still while a person is asked. */
export function createRunDispatches(
	{ perform, onProgress, onWaiting, dispatchCeilingMs = DISPATCH_CEILING_MS }: DispatchingRun,
	life: { wait(isWaiting: boolean): void },
	answer: DispatchesOptions['answer'],
): Dispatches {
	return new Dispatches({
		perform,
		answer,
		onWaiting: (isWaiting) => {
			life.wait(isWaiting);
			onWaiting?.(isWaiting);
		},
		onReport: onProgress,
		ceilingMs: dispatchCeilingMs,
	});
}

type DispatchAnswer = { readonly ok: unknown } | { readonly error: DispatchError };

export class Dispatches {
	readonly #options: DispatchesOptions;
	readonly #asked = new Set<string>();
	readonly #stop = new AbortController();
	#inFlight = 0;
	#waiting = 0;
	#failed: FailedOp | undefined;
	/** Reports that wait for their turn. */
	readonly #reports: Dispatch[] = [];
	/** Report that is asked for, as long as it was not told. */
	#report: Dispatch | undefined;
	#isReporting = false;

	constructor(options: DispatchesOptions) {
		this.#options = options;
	}

	/** The op that was answered last, when it was not done. */
	get failed(): FailedOp | undefined {
		return this.#failed;
	}

	/** Takes a dispatch. Returns the problem with its id; undefined when the op is under way or was refused. */
	take(dispatch: Dispatch): string | undefined {
		const { dispatchId, op } = dispatch;
		if (this.#asked.has(dispatchId)) {
			return `dispatch ${dispatchId} was asked before`;
		}
		this.#asked.add(dispatchId);
		if (ONE_WAY_OPS.has(op)) {
			const { message, fraction } = (dispatch.params ?? {}) as {
				readonly message?: unknown;
				readonly fraction?: unknown;
			};
			const { report } = cleanReport(message, fraction);
			if (report !== undefined && this.#asked.size <= MAX_DISPATCHES) this.#hold({ ...dispatch, params: report });
			return undefined;
		}
		const sendAnswer = (end: DispatchAnswer) => {
			this.#failed = 'error' in end ? failedOp(op, end.error) : undefined;
			this.#options.answer({ type: 'dispatch_result', dispatchId, ...end });
		};
		if (this.#inFlight >= frameLimits.dispatchesInFlight) {
			const message = `${op}: ${this.#inFlight} ops are under way, the limit is ${frameLimits.dispatchesInFlight}. Wait for some of them`;
			sendAnswer({ error: { code: 'TOO_MANY_DISPATCHES', message } });
		} else if (this.#asked.size > MAX_DISPATCHES) {
			const message = `${op}: this execution has asked for ${MAX_DISPATCHES} ops, which is its limit`;
			sendAnswer({ error: { code: 'TOO_MANY_DISPATCHES', message } });
		} else {
			this.#inFlight += 1;
			void this.#answerOf(dispatch).then((end) => {
				this.#inFlight -= 1;
				sendAnswer(end);
			});
		}
		return undefined;
	}

	/** Stops what is under way; the answers still come. Reports that came before are told first: the last one says how far it got. */
	stop(reason: ProwessError): void {
		for (const report of [this.#report, ...this.#reports.splice(0)]) {
			this.#tell(report);
		}
		this.#report = undefined;
		this.#stop.abort(reason);
	}

	/** Tells reports one after the other, in their order. Drops older ones of a capability that reports faster than they are recorded. */
	#hold(report: Dispatch): void {
		this.#reports.push(report);
		if (this.#reports.length > MAX_REPORTS_HELD) this.#reports.shift();
		if (!this.#isReporting) void this.#tellReports();
	}

	#tell(report: Dispatch | undefined): void {
		const { data: { message, fraction } = {} } = progressReport.params.safeParse(report?.params);
		if (message !== undefined) this.#options.onReport({ message, ...(fraction === undefined ? {} : { fraction }) });
	}

	async #tellReports(): Promise<void> {
		this.#isReporting = true;
		for (;;) {
			this.#report = this.#reports.shift();
			if (this.#report === undefined) break;
			await this.#answerOf(this.#report);
		}
		this.#isReporting = false;
	}

	/** Never rejects, and comes some time after the stop at the latest: an op may not notice it. */
	#answerOf({ dispatchId, op, params, stream = false }: Dispatch): Promise<DispatchAnswer> {
		const ceilingMs = this.#options.ceilingMs ?? DISPATCH_CEILING_MS;
		const limit = deriveSignal(this.#stop.signal, { what: op, timeoutMs: ceilingMs });
		let isWaiting = false;
		const setWaiting = (now: boolean) => {
			if (now !== isWaiting) {
				isWaiting = now;
				if (now) limit.pause();
				else limit.resume();
				this.#count(now ? 1 : -1);
			}
		};
		return new Promise((resolve) => {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const settle = (answer: DispatchAnswer) => {
				clearTimeout(timer);
				left = 0;
				limit.signal.removeEventListener('abort', settleAfterGrace);
				setWaiting(false);
				limit.dispose();
				resolve(answer);
			};
			let left: number = stream ? frameLimits.outputChars : 0;
			const sendOutput = (chunk: string) => {
				const text = chunk.slice(0, left);
				left -= text.length;
				if (text !== '') this.#options.answer({ type: 'dispatch_output', dispatchId, text });
			};
			const settleAfterGrace = () => {
				timer = setTimeout(() => settle(createFailedAnswer(op, limit.signal.reason)), DISPATCH_GRACE_MS);
			};
			limit.signal.addEventListener('abort', settleAfterGrace, { once: true });
			this.#perform(op, params, { waits: setWaiting, says: sendOutput }, limit.signal).then(
				(outcome) => settle(outcome.status === 'done' ? { ok: outcome.result ?? null } : { error: outcome.error }),
				(error: unknown) => settle(createFailedAnswer(op, error)),
			);
		});
	}

	/** Performs an op; `async`, so that an op that throws at once rejects, too. */
	async #perform(
		op: string,
		params: unknown,
		{ waits, says }: { waits(isWaiting: boolean): void; says(chunk: string): void },
		signal: AbortSignal,
	): Promise<OpOutcome> {
		return await this.#options.perform(
			{ opId: newId('op'), op, params },
			(progress) => {
				waits(progress.kind === 'waiting');
				if (progress.kind !== 'output') return;
				if (!ONE_WAY_OPS.has(op)) {
					says(progress.chunk);
				} else if (this.#report !== undefined) {
					const report = this.#report;
					this.#report = undefined;
					this.#tell(report);
				}
			},
			signal,
		);
	}

	#count(by: 1 | -1): void {
		const before = this.#waiting;
		this.#waiting += by;
		if (before === 0 || this.#waiting === 0) {
			this.#options.onWaiting(this.#waiting > 0);
		}
	}
}

function createFailedAnswer(op: string, error: unknown): DispatchAnswer {
	const code = isProwessError(error) ? error.code : error instanceof TimeoutError ? 'TIMEOUT' : 'INTERNAL';
	return { error: { code, message: `${op} failed: ${toErrorMessage(error)}` } };
}

function failedOp(op: string, { code, facts = {} }: DispatchError): FailedOp {
	const { unattended } = facts;
	return { op, code, ...(unattended === undefined ? {} : { facts: { unattended } }) };
}
