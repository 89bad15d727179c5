/** Runs of capabilities: their input, what their followers see, and the ways in which they end. */
import type { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ExecutionStatus, LeftProcess, ThreadContext } from '../../../protocol/execution/execution.ts';
import type { PerformDispatch } from './dispatches.ts';
import type { ExecutionVariables } from '../../processes/environment.ts';
import type { ExecutorProcessOptions } from '../../processes/executor-process.ts';
import type { StandbyProcess } from '../../processes/standby-process.ts';

export interface SideExecutionOptions {
	readonly executionId: string;
	readonly params: unknown;
	readonly context: ThreadContext;
	/** Started for it, or handed over. */
	readonly process: ExecutorProcessOptions | HandedOver;
	/** Milliseconds of running time; 0: no limit. */
	readonly timeoutMs: number;
	readonly perform: PerformDispatch;
	/** Something to be recorded that is neither a decision nor an effect. */
	readonly note: (op: string, text: string) => void;
	readonly onProgress: (progress: { readonly message: string; readonly fraction?: number }) => void;
	/** A person is being asked for one of its ops, or is not any more. */
	readonly onWaiting?: (isWaiting: boolean) => void;
	readonly connectTimeoutMs?: number;
	readonly dispatchCeilingMs?: number;
	readonly heartbeatMs?: number;
}

/** A process that stood by, and what it needs to know now. */
export interface HandedOver {
	readonly standby: StandbyProcess;
	readonly variables: ExecutionVariables;
}

/** Run as its followers see it: a process of its own, or a call of a worker. */
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

/** End of a run, with its value or its error. */
export type ExecutionEnd =
	| { readonly status: 'completed'; readonly value: unknown; readonly additionalContext: unknown }
	| { readonly status: 'failed' | 'timeout' | 'stopped'; readonly error: ProwessError };
