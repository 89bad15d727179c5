/**
 * The one owner of attempts: asks the models of a line for one answer until one has given it. No layer below retries
 * (C34). Failover has no effect of its own: it repeats the request, with the conversation as it stands (C15).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { modelLimits } from '../limits.ts';
import type { ModelPort } from '../model-port.ts';
import { FailoverMachine, type FailoverTransition } from './failover-machine.ts';
import { judgeFault } from './judge-fault.ts';
import { type ModelLine, parseProviderId } from './model-line.ts';

/** Events that the caller may listen to. */
export interface FailoverNews {
	/** Before each wait, so that the user sees it; `switchToNextModel` would be asked instead of waiting. */
	onWait?(wait: { readonly error: unknown; readonly waitMs: number; readonly next: string | undefined }): void;
	/** Another model takes over. */
	onNext?(change: { readonly failed: ModelPort; readonly error: unknown; readonly next: ModelPort }): void;
	/** A model of the list cannot be used at all; `id`: which. */
	onUnusable?(error: unknown, id: string): void;
	/** Reports the steps of the machine, when more than one attempt was made. */
	onSteps?(steps: readonly FailoverTransition[]): void;
}

/** Waits before a retry; tests pass a function that does not wait. */
export type Wait = (waitMs: number, signal: AbortSignal) => Promise<void>;

interface FailoverDeps extends FailoverNews {
	readonly wait?: Wait | undefined;
	readonly skips?: WaitSkips | undefined;
}

/** `attempt` calls `onOutput` when it gives on the first part of an answer. Rejects with the last model's error. */
export async function withFailover<T>(
	line: ModelLine,
	attempt: (model: ModelPort, onOutput: () => void) => Promise<T>,
	deps: FailoverDeps,
	signal: AbortSignal,
): Promise<T> {
	const machine = new FailoverMachine({ candidates: line.left + 1, retries: modelLimits.maxRetries });
	machine.take('Start');
	machine.take('ProviderSuccess', line.current.id);
	try {
		for (;;) {
			const outcome = await tryCurrentModel(line, attempt, signal);
			if (outcome.kind === 'answered') {
				machine.take('ProviderSuccess');
				return outcome.answer;
			}
			await prepareNextAttempt(line, machine, outcome, deps, signal);
		}
	} catch (error) {
		if (signal.aborted) {
			machine.take('UserAbort');
		}
		throw error;
	} finally {
		if (machine.steps.length > STEPS_WITHOUT_FAULT) {
			deps.onSteps?.(machine.steps);
		}
	}
}

const STEPS_WITHOUT_FAULT = 3;

interface FailedAttempt {
	readonly kind: 'failed';
	readonly error: unknown;
	readonly hasOutput: boolean;
}

async function tryCurrentModel<T>(
	line: ModelLine,
	attempt: (model: ModelPort, onOutput: () => void) => Promise<T>,
	signal: AbortSignal,
): Promise<{ readonly kind: 'answered'; readonly answer: T } | FailedAttempt> {
	signal.throwIfAborted();
	const provider = parseProviderId(line.current.id);
	let hasOutput = false;
	try {
		const answer = await attempt(line.current, () => {
			hasOutput = true;
		});
		line.breakers.answered(provider);
		return { kind: 'answered', answer };
	} catch (error) {
		signal.throwIfAborted();
		return { kind: 'failed', error, hasOutput };
	}
}

/** Leaves the machine attempting again, or rejects with the error that ends it. */
async function prepareNextAttempt(
	line: ModelLine,
	machine: FailoverMachine,
	{ error, hasOutput }: FailedAttempt,
	deps: FailoverDeps,
	signal: AbortSignal,
): Promise<void> {
	const retry = modelLimits.maxRetries - machine.retriesLeft + 1;
	const verdict = judgeFault(error, { retry, hasOutput, stretch: chooseWaitStretch(line.retrySpread) });
	if (verdict.kind === 'fatal') {
		machine.take('FatalError', readFaultCode(error));
		throw error;
	}
	line.breakers.failed(parseProviderId(line.current.id));
	machine.take(verdict.kind === 'again' ? 'RetryableError' : 'Timeout', readFaultCode(error));
	const { waitMs } = verdict;
	const hasOther = machine.candidatesLeft > 0;
	if (waitMs !== undefined && machine.retriesLeft > 0 && (verdict.kind === 'again' || !hasOther)) {
		deps.onWait?.({ error, waitMs, next: hasOther ? line.nextId : undefined });
		if (!(await waitUnlessSkipped(waitMs, deps, signal)) || !hasOther) {
			machine.take('RetryableError', `after ${Math.ceil(waitMs / 1000)} s`);
			return;
		}
	}
	machine.take(machine.retriesLeft > 0 ? 'Timeout' : 'RetryableError');
	await switchToNextModel(line, machine, error, deps, signal);
}

/** Requests that failed together, such as those of sub-agents, are not to come back together. `spread` in percent. */
function chooseWaitStretch(spread: number): number {
	return 1 + (spread / 100) * (2 * Math.random() - 1);
}

/** True when the user did not want to wait. */
async function waitUnlessSkipped(
	waitMs: number,
	{ wait = waitBeforeRetry, skips }: FailoverDeps,
	signal: AbortSignal,
): Promise<boolean> {
	const skip = skips?.begin();
	try {
		await wait(waitMs, skip === undefined ? signal : AbortSignal.any([signal, skip.signal]));
		return false;
	} catch (error) {
		if (signal.aborted || skip?.signal.aborted !== true) {
			throw error;
		}
		return true;
	} finally {
		skip?.over();
	}
}

async function switchToNextModel(
	line: ModelLine,
	machine: FailoverMachine,
	error: unknown,
	deps: FailoverDeps,
	signal: AbortSignal,
): Promise<void> {
	const failed = line.current;
	while (machine.candidatesLeft > 0) {
		const id = line.nextId ?? '';
		machine.take('ProviderSuccess', id);
		try {
			const taken = await line.takeOver(signal);
			if (taken !== undefined) {
				deps.onNext?.({ failed, error, next: taken });
				return;
			}
		} catch (unusable) {
			signal.throwIfAborted();
			deps.onUnusable?.(unusable, id);
			machine.take('Timeout', readFaultCode(unusable));
		}
		if (machine.state === 'Attempting') {
			machine.take('Timeout');
		}
		machine.take('Timeout');
	}
	machine.take('FatalError');
	throw error;
}

function readFaultCode(error: unknown): string {
	return isProwessError(error) ? error.code : 'INTERNAL';
}

/** Ends at once when the signal does, with its reason. */
export async function waitBeforeRetry(waitMs: number, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	try {
		await delay(waitMs, undefined, { signal });
	} catch (error) {
		signal.throwIfAborted();
		throw error;
	}
}

/** Ends the wait of a turn before a retry, because the user would rather have the next model now. */
export class WaitSkips {
	#waiting: AbortController | undefined;

	/** Aborts when somebody has had enough of this wait; `over` is called when it has passed. */
	begin(): { readonly signal: AbortSignal; over(): void } {
		const waiting = new AbortController();
		this.#waiting = waiting;
		return {
			signal: waiting.signal,
			over: () => {
				this.#waiting = this.#waiting === waiting ? undefined : this.#waiting;
			},
		};
	}

	/** Does nothing where nothing waits. */
	skip(): void {
		this.#waiting?.abort();
	}
}
