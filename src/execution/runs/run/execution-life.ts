/**
 * Life of one execution: its status, the events that change it, its time limit, and its single end. `side-execution.ts`
 * performs what these mean.
 */
import { type DerivedSignal, deriveSignal } from '../../../base/time/derived-signal.ts';
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';
import type { ExecutionEnd } from './side-execution-options.ts';

export type ExecutionEvent = 'called' | 'succeeded' | 'failed' | 'timeUp' | 'stopAsked' | 'exited';

const nextStatuses: { readonly [S in ExecutionStatus]: Partial<Record<ExecutionEvent, ExecutionStatus>> } = {
	starting: { called: 'running', failed: 'failed', timeUp: 'timeout', stopAsked: 'stopping', exited: 'failed' },
	running: { succeeded: 'completed', failed: 'failed', timeUp: 'timeout', stopAsked: 'stopping', exited: 'failed' },
	// After the wish to stop, only the exit changes the state.
	stopping: { exited: 'stopped' },
	completed: {},
	failed: {},
	timeout: {},
	stopped: {},
};

/** The same status when the event means nothing there: a terminal one never changes. */
export function applyExecutionEvent(status: ExecutionStatus, event: ExecutionEvent): ExecutionStatus {
	return nextStatuses[status][event] ?? status;
}

export function isTerminal(status: ExecutionStatus): boolean {
	return Object.keys(nextStatuses[status]).length === 0;
}

interface ExecutionLifeOptions {
	readonly executionId: string;
	/** Milliseconds of running time; 0: no limit. */
	readonly timeoutMs: number;
	/** Called once, and not after the end. */
	readonly onTimeUp: () => void;
}

export class ExecutionLife {
	/** Never rejects. */
	readonly ended: Promise<ExecutionEnd>;
	readonly #limit: DerivedSignal;
	#status: ExecutionStatus = 'starting';
	#resolveEnd: (end: ExecutionEnd) => void = () => {};

	constructor({ executionId, timeoutMs, onTimeUp }: ExecutionLifeOptions) {
		this.ended = new Promise((resolve) => {
			this.#resolveEnd = resolve;
		});
		this.#limit = deriveSignal(new AbortController().signal, { what: `execution ${executionId}`, timeoutMs });
		this.#limit.signal.addEventListener('abort', onTimeUp, { once: true });
	}

	get status(): ExecutionStatus {
		return this.#status;
	}

	/** While it waits for a person, its time stands still. */
	wait(isWaiting: boolean): void {
		if (isWaiting) this.#limit.pause();
		else this.#limit.resume();
	}

	/** False when the event means nothing any more. */
	become(event: ExecutionEvent): boolean {
		const after = applyExecutionEvent(this.#status, event);
		const isNew = after !== this.#status;
		this.#status = after;
		return isNew;
	}

	/** False when it is no end: another came before. */
	finish(event: ExecutionEvent, end: ExecutionEnd): boolean {
		if (!this.become(event) || !isTerminal(this.#status)) {
			return false;
		}
		this.#limit.dispose();
		this.#resolveEnd(end);
		return true;
	}
}
