/** Runs a command that a person has agreed to beforehand: in the sandbox and through the gate; rules still count. */
import { readShellLine } from '../../protocol/ops/commands/read-shell-line.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import type { Caller } from './caller.ts';
import type { PerformOp } from './perform-op.ts';

interface AgreedCommand {
	/** Words as they are typed into a shell. */
	readonly line: string;
	readonly timeoutMs: number;
	/** In whose name it runs. */
	readonly caller: Caller;
}

/** Rejects only when the signal aborts. */
export async function runAgreedCommand(
	perform: PerformOp,
	{ line, timeoutMs, caller }: AgreedCommand,
	signal: AbortSignal,
): Promise<OpOutcome> {
	const params = { ...readShellLine(line), timeoutMs };
	const origin = { caller, onProgress: () => {}, isNewId: true, isAgreed: true } as const;
	const outcome = await perform({ opId: newId('op'), op: 'shell.run', params }, origin, signal);
	signal.throwIfAborted();
	return outcome;
}
