/**
 * Dependencies of the start of a capability on its host, and everything that is known of a start before there is a
 * process.
 */
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { PerformOp } from '../../../contract/ops/perform-op.ts';
import type { CapabilityConsent } from '../consent/capability-consent.ts';
import type { LedgerPort } from '../../../trust/record/ledger/ledger.ts';
import type { Rate } from '../../../trust/gate/policy/executions/rate.ts';
import type { HostPorts } from '../../../contract/ports/ports.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import type { CapabilitySource } from '../../../catalog/registry/sources/capability-source.ts';
import type { CommandGuard } from '../../../machine/shell/command-guard.ts';
import type { Executor } from '../../../catalog/executors.ts';
import type { ExecutorFor, WorkerExecutor } from './find-capability.ts';
import type { RunningExecutions } from '../running-executions.ts';
import type { Bubblewrap, SandboxState } from '../../../machine/sandbox/sandbox.ts';
import type { ProcessLimits } from '../../../machine/sandbox/watch/watch-limits.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { StandbyProcesses } from '../../processes/standby-processes.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadFacts } from './start-options.ts';
import type { InheritedChannel } from '../../processes/waiting-channel.ts';
import type { Workers } from '../worker/workers.ts';

export interface StartDeps {
	readonly source: CapabilitySource;
	readonly executorFor: ExecutorFor;
	readonly workerFor: WorkerExecutor;
	readonly consent: CapabilityConsent;
	readonly perform: PerformOp;
	readonly ledger: Pick<LedgerPort, 'append' | 'intentTimes'>;
	readonly ports: Pick<HostPorts, 'workspace' | 'places' | 'log' | 'settings'>;
	readonly guard: CommandGuard;
	readonly redactor: Redactor;
	/** Reads what executions are told of a thread beside its messages; absent: nothing. */
	readonly threadFacts?: (threadId: ThreadId | null, signal: AbortSignal) => Promise<ThreadFacts>;
	readonly connectTimeoutMs?: number;
	readonly dispatchCeilingMs?: number;
	readonly heartbeatMs?: number;
	/** Limits of the machine for each process of a capability; absent: the limits of executors. */
	readonly limits?: ProcessLimits;
}

/** Further parts of the host: the executions that run, the sandbox, and the folders and processes to run in. */
export interface StartSurroundings {
	/** Counts the starts of each capability, as far as its level limits them. */
	readonly rate: Rate;
	readonly running: RunningExecutions;
	readonly sandbox: () => Promise<SandboxState>;
	/** Returns the channel over which processes of executors are reached here. */
	readonly channel: () => Promise<InheritedChannel>;
	readonly scratchRoot: string;
	readonly standby: StandbyProcesses;
	readonly workers: Workers;
}

/** Everything that a process needs, before there is one. */
export interface ReadyStart {
	readonly id: string;
	readonly manifest: CapabilityManifest;
	/** Manifest as the executor is told of it: with the fields that only that executor knows. */
	readonly config: Readonly<Record<string, unknown>>;
	readonly params: unknown;
	/** Tool that is to run in a worker; undefined: none does. */
	readonly tool: string | undefined;
	/** File that has the tool, where that is not the program of the skill. */
	readonly toolProgram: string | undefined;
	/** The longest that the tool says it takes. */
	readonly toolTimeoutMs: number | undefined;
	/** Hash of the content that the user agreed to. */
	readonly hash: string;
	/** Files of the capability or, for a part of a plugin, those of its whole plugin. */
	readonly files: CapabilityFiles;
	/** Where in them it lies; undefined: it is no part of a plugin. */
	readonly below: string | undefined;
	/** Folder of its plugin's data, where its instructions name that. */
	readonly keptIn: string | undefined;
	readonly executor: Executor;
	readonly mayStandBy: boolean;
	readonly bwrap: Bubblewrap | undefined;
	readonly channel: InheritedChannel;
	readonly execution: Parameters<RunningExecutions['launch']>[0]['execution'];
}
