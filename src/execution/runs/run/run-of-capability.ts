/** A run of a capability as its followers see it: a process of its own, or a call of a worker. */
import type { ExecutionStatus, LeftProcess } from '../../../protocol/execution/execution.ts';
import type { ExecutionEnd } from './side-execution-options.ts';

export interface RunOfCapability {
	readonly id: string;
	readonly status: ExecutionStatus;
	readonly pid: number | undefined;
	readonly output: string;
	readonly leftovers: readonly LeftProcess[];
	/** The one terminal result. Never rejects. */
	readonly ended: Promise<ExecutionEnd>;
	/** Resolves when nothing of it is left. Never rejects. */
	readonly closed: Promise<void>;
	/** Resolves when it has ended, within three seconds whatever it does. */
	stop(reason: string): Promise<void>;
}
