/** States of an execution and the events that change them. Pure; `side-execution.ts` performs what they mean. */
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';

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
