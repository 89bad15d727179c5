/** Ops that were done and whose result is a failure all the same: what follows in a script must not run. */
import { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { ExecutionState } from '../../protocol/ops/definitions/agent/capabilities.ts';

/** Undefined: it did what it is for. */
export function failedResult(op: string, result: unknown): string | undefined {
	if (op === 'shell.run') {
		const state = CommandState.safeParse(result).data;
		const isEnded = state !== undefined && !state.running;
		return isEnded && (state.exitCode !== 0 || state.timedOut)
			? `the command ended with ${state.timedOut ? 'its time limit' : (state.signal ?? `exit code ${state.exitCode}`)}`
			: undefined;
	}
	const execution = op === 'capability.start' ? ExecutionState.safeParse(result).data : undefined;
	return execution?.success === false
		? `the capability ended as ${execution.status}: ${execution.error?.message ?? 'no reason was given'}`
		: undefined;
}
