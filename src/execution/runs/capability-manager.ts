/**
 * Starts capabilities, follows them and stops them. Each execution is recorded before its process exists and again when it
 * has ended, runs from a copy of what was agreed to, and has exactly one result.
 */
import { join } from 'node:path';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CapabilityExecutionResult, ExecutionStatus } from '../../protocol/execution/execution.ts';
import type { LoadedInstructions } from '../../protocol/capability/capability-ops.ts';
import type { UsedHere } from '../../protocol/ops/capability-value.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { NoteStep } from '../../contract/ops/perform-op.ts';
import { removeOldSnapshots } from '../processes/snapshot.ts';
import {
	distrustContent,
	isContentTrusted,
	readAskedRights,
	type NamedFolder,
	findTrustedFolders,
	trustContent,
	type TrustOptions,
} from './consent/content-trust.ts';
import {
	type Execution,
	type ExecutionInfo,
	toExecutionInfo,
	isExecutionVisible,
	isLive,
	isWithinProvider,
	findRootExecution,
} from './execution.ts';
import { findCapability } from './start/find-capability.ts';
import { PublishedExecutions } from './published-executions.ts';
import { type ExecutionProgress, RunningExecutions } from './running-executions.ts';
import type { SandboxState } from '../../machine/sandbox/sandbox.ts';
import { sweepScratch } from '../processes/scratch.ts';
import { StandbyProcesses } from '../processes/standby-processes.ts';
import type { StartDeps } from './start/start-deps.ts';
import { type LoadDeps, type LoadOptions, loadSkill } from './start/load-skill.ts';
import { bodyIn } from './start/written-instructions.ts';
import { startExecution } from './start/start-execution.ts';
import type { StartOptions } from './start/start-options.ts';
import type { InheritedChannel } from '../processes/waiting-channel.ts';
import { findPython } from '../processes/workers/find-python.ts';
import { WorkerPool } from '../processes/workers/worker-pool.ts';
import { Workers } from './worker/workers.ts';
import { readCapabilityFiles } from '../../catalog/capability-files.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import { Rate } from '../../trust/gate/policy/executions/rate.ts';
import type {
	Capability,
	CapabilityListing,
	OfferedCapabilities,
} from '../../catalog/registry/sources/capability-source.ts';
import type { OpeningMessage } from '../../protocol/offer/capability-values.ts';
import type { UsedCapabilities } from '../../catalog/registry/offer/used-capabilities.ts';

export interface CapabilityManagerDeps extends StartDeps, LoadDeps {
	/** Told of each that the user or an agent uses. */
	readonly used: Pick<UsedCapabilities, 'here' | 'note'>;
	/** Tried once, when the first capability is started. */
	readonly probeSandbox: () => Promise<SandboxState>;
	/**
	 * Returns the channel over which processes of executors are reached within the sandbox; asked before each start.
	 */
	readonly channelWithin: (state: SandboxState) => Promise<InheritedChannel>;
	/** True when standbys may be started; asked each time. */
	readonly isStandbyOn: () => boolean;
	/** Returns how long a worker stays without a call, in milliseconds; asked each time. */
	readonly workerIdleMs: () => number;
	/** For the other calls of a worker that is given up; absent: the limit of workers. */
	readonly workerGraceMs?: number;
}

export class CapabilityManager {
	readonly #deps: CapabilityManagerDeps;
	readonly #running: RunningExecutions;
	readonly #closed = new AbortController();
	readonly #starting = new Set<Promise<unknown>>();
	readonly #scratchRoot: string;
	readonly #standby: StandbyProcesses;
	readonly #workers: Workers;
	readonly #published: PublishedExecutions;
	readonly #rate: Rate;
	readonly #stoppedByUser = new WeakSet<Execution>();
	#sandbox: Promise<SandboxState> | undefined;

	/** Before `start` has resolved. */
	readonly onDidStart: Event<ExecutionInfo>;
	readonly onDidEnd: Event<CapabilityExecutionResult>;
	/** After `onDidEnd`, when nothing of it is left: then it is known what it left behind. */
	readonly onDidClose: Event<ExecutionInfo>;
	readonly onDidProgress: Event<ExecutionProgress>;

	constructor(deps: CapabilityManagerDeps) {
		this.#deps = deps;
		this.#rate = new Rate(deps.ledger);
		this.#scratchRoot = join(deps.ports.places.home, 'scratch');
		this.#running = new RunningExecutions(deps.redactor, deps.ports.log);
		this.#standby = new StandbyProcesses({ isOn: deps.isStandbyOn, log: deps.ports.log });
		const { workerGraceMs: graceMs, workerIdleMs: idleMs } = deps;
		this.#workers = new Workers(new WorkerPool(graceMs === undefined ? { idleMs } : { idleMs, graceMs }), () =>
			findPython(
				process.env,
				deps.ports.workspace.folders.map(({ path }) => path),
			),
		);
		this.onDidStart = this.#running.didStart.event;
		this.onDidEnd = this.#running.didEnd.event;
		this.onDidClose = this.#running.didClose.event;
		this.onDidProgress = this.#running.didProgress.event;
		this.#published = new PublishedExecutions(deps.ports.places.home, this.#running, deps.ports.log);
	}

	/** Resolves once it is recorded and on its way; `signal` ends only the start. Rejects when there is nothing to run. */
	async start(
		options: StartOptions,
		signal: AbortSignal,
	): Promise<{ readonly executionId: string; readonly status: ExecutionStatus }> {
		const limit = deriveSignal(signal);
		const abortStart = () => limit.abort(this.#closed.signal.reason);
		this.#closed.signal.addEventListener('abort', abortStart, { once: true });
		if (this.#closed.signal.aborted) abortStart();
		const surroundings = {
			running: this.#running,
			rate: this.#rate,
			sandbox: () => this.sandbox(),
			channel: async () => await this.#deps.channelWithin(await this.sandbox()),
			scratchRoot: this.#scratchRoot,
			standby: this.#standby,
			workers: this.#workers,
		};
		const starting = startExecution(this.#deps, surroundings, options, limit.signal);
		this.#starting.add(starting);
		try {
			const { id, status, type, name } = await starting;
			if (options.caller.kind !== 'execution' && options.service === undefined) this.#deps.used.note({ type, name });
			return { executionId: id, status: status() };
		} finally {
			this.#starting.delete(starting);
			this.#closed.signal.removeEventListener('abort', abortStart);
			limit.dispose();
		}
	}

	/** For the thread of an agent, where it is only written: then nothing is run. Undefined for one that runs. */
	load(options: LoadOptions, signal: AbortSignal): Promise<LoadedInstructions | undefined> {
		return loadSkill(this.#deps, () => this.sandbox(), options, signal);
	}

	/**
	 * Reads the text of a capability, with its front matter; undefined for a capability that is a program. Rejects when
	 * its files cannot be read.
	 */
	async bodyOf({ path }: Pick<Capability, 'path'>): Promise<string | undefined> {
		return bodyIn(await readCapabilityFiles(path));
	}

	/** The one result, also after the end. Rejects with INVALID_REQUEST for an id that is not known. */
	async wait(executionId: string): Promise<CapabilityExecutionResult> {
		return await this.#running.resultOf(executionId);
	}

	/** Resolves when nothing of it is left: process, folder, channel. Rejects with INVALID_REQUEST for an id that is not known. */
	async waitUntilClosed(executionId: string): Promise<ExecutionInfo> {
		const execution = this.#running.get(executionId);
		await Promise.all([execution.result, execution.closed]);
		return toExecutionInfo(execution);
	}

	/** Start and wait; the signal stops the execution. */
	async run(options: StartOptions, signal: AbortSignal): Promise<CapabilityExecutionResult> {
		const { executionId } = await this.start(options, signal);
		return await this.waitOrStop(executionId, signal);
	}

	/** The one result; the signal stops the execution, and then it is how that ended. */
	async waitOrStop(executionId: string, signal: AbortSignal): Promise<CapabilityExecutionResult> {
		const stopExecution = () => void this.stop(executionId);
		signal.addEventListener('abort', stopExecution, { once: true });
		if (signal.aborted) stopExecution();
		try {
			return await this.wait(executionId);
		} finally {
			signal.removeEventListener('abort', stopExecution);
		}
	}

	/** Tells of the steps of an execution and of those below it until its end; `tellsEnd`: the end is one. */
	follow(executionId: string, tell: (steps: readonly RunStep[]) => void, tellsEnd: boolean): Disposable {
		return this.#running.steps.follow(this.#running.get(executionId), tell, tellsEnd);
	}

	/** Notes a step of an execution that somebody may follow; nothing for an id that is not known. */
	readonly noteStep: NoteStep = (executionId, key, state) => {
		const execution = this.#running.all.find(({ id }) => id === executionId);
		if (execution !== undefined) this.#running.steps.note(execution, key, state);
	};

	/** Ends what a call of the thread's agent runs, for the user at its card. Throws INVALID_STATE when it has ended. */
	async stopStartedBy(opId: OpId, threadId: ThreadId | null): Promise<void> {
		const execution = this.#running.all.find((each) => each.startedBy === opId && each.threadId === threadId);
		if (execution === undefined || !isLive(execution.status())) {
			throw new ProwessError('INVALID_STATE', `there is no execution of ${opId} that runs`, {
				opId,
				said: text('This run has ended.'),
			});
		}
		const { id, type, name } = execution;
		const stop = async () => {
			this.#stoppedByUser.add(execution);
			await execution.stop('the user stopped it');
		};
		const act = {
			op: 'capability.stop',
			input: `Stop the ${type} ${name}`,
			params: { executionId: id, startedBy: opId },
			...(threadId === null ? {} : { threadId }),
		} as const;
		try {
			await recordUserAct(this.#deps.ledger, act, () => `${type} ${name} was stopped`, stop);
		} finally {
			// Stops it also where that cannot be recorded.
			await stop();
		}
	}

	/** True when the user ended it at its card. */
	wasStoppedByUser(executionId: string): boolean {
		return this.#stoppedByUser.has(this.#running.get(executionId)) && this.status(executionId) === 'stopped';
	}

	/** Resolves when it has ended; does nothing when it had. Rejects with INVALID_REQUEST for an id that is not known. */
	async stop(executionId: string): Promise<void> {
		await this.#running.get(executionId).stop('it was stopped');
	}

	/** Ends workers that wait for a call. Gives how many. */
	endIdleWorkers(): number {
		return this.#workers.pool.endIdle();
	}

	/** All that one instance of an agent has started, and what that started (S3-14). */
	async stopAllForParent(parentAgentInstanceId: string): Promise<void> {
		await this.#stopAll((each) => each.parentAgentInstanceId === parentAgentInstanceId);
	}

	/** All that agents have started: nobody waits for it any more. */
	async stopAllOfAgents(): Promise<void> {
		await this.#stopAll((each) => each.parentAgentInstanceId !== undefined);
	}

	async stopAllOfThread(threadId: ThreadId): Promise<void> {
		await this.#stopAll((each) => each.threadId === threadId);
	}

	status(executionId: string): ExecutionStatus {
		return this.#running.get(executionId).status();
	}

	info(executionId: string): ExecutionInfo {
		return toExecutionInfo(this.#running.get(executionId));
	}

	/** The id of the execution that it began with, itself when no other one started it. */
	rootOf(executionId: string): string {
		return findRootExecution(this.#running.get(executionId)).id;
	}

	/**
	 * True when the execution runs for the service, or below an execution that does: then it does not ask for that
	 * service itself.
	 */
	isWithinProvider(executionId: string, service: string): boolean {
		return isWithinProvider(this.#running.get(executionId), service);
	}

	list(): ExecutionInfo[] {
		return this.#running.all.map(toExecutionInfo);
	}

	/** Lists the executions that the caller may know of. */
	listFor(caller: Caller): ExecutionInfo[] {
		return this.#running.all.filter((each) => isExecutionVisible(each, caller)).map(toExecutionInfo);
	}

	/** Rejects with EXECUTOR_NOT_FOUND or CAPABILITY_NOT_FOUND. */
	find(wanted: StartOptions['capability']): Promise<Capability> {
		return findCapability(this.#deps.source, wanted, this.#deps.executorFor);
	}

	/** Asks the person to agree to what a capability holds now, and runs nothing. Rejects as `start` does. */
	trust(options: TrustOptions, signal: AbortSignal): Promise<void> {
		return trustContent(this.#deps, () => this.sandbox(), options, signal);
	}

	/** Takes back what was agreed to; false when nothing was. */
	distrust(options: TrustOptions): Promise<boolean> {
		return distrustContent(this.#deps, options);
	}

	/** Resolves with true when the person has agreed to the present content of the capability. */
	isTrusted(options: Pick<TrustOptions, 'capability'>): Promise<boolean> {
		return isContentTrusted(this.#deps, options);
	}

	/** Resolves with the rights that the consent to a capability names. Rejects where nothing here could run it. */
	askedRights(options: Pick<TrustOptions, 'capability'>): ReturnType<typeof readAskedRights> {
		return readAskedRights(this.#deps, options);
	}

	/** Folders of those whose present content the person has agreed to. Reads the files only of those whose name was agreed to. */
	trustedAmong(capabilities: readonly NamedFolder[]): Promise<ReadonlySet<string>> {
		return findTrustedFolders(this.#deps, capabilities);
	}

	/** The last of what its process has printed, without secrets. */
	output(executionId: string): string {
		return this.#deps.redactor.redact(this.#running.get(executionId).output());
	}

	/** Processes that stay from call to call. */
	get workerPids(): readonly number[] {
		return this.#workers.pids;
	}

	/** Processes that wait for an execution. */
	get standbyPids(): readonly number[] {
		return this.#standby.pids;
	}

	/** Lists the capabilities; with `withinMs`, those found after so many milliseconds. */
	available(withinMs?: number): Promise<CapabilityListing> {
		return this.#deps.source.list(withinMs);
	}

	/**
	 * Picks the capabilities of most value for an agent; undefined when that is not known without looking at all of
	 * them.
	 */
	async offered(beginning: OpeningMessage, count: number): Promise<OfferedCapabilities | undefined> {
		return await this.#deps.source.offered?.(beginning, count, await this.usedHere());
	}

	/** Which ones were used in this project. */
	usedHere(): Promise<UsedHere> {
		return this.#deps.used.here();
	}

	/**
	 * Resolves with the state of the sandbox for executors on this machine, which is tested once. Leftovers of earlier
	 * hosts are removed by then, before this host makes anything that could run.
	 */
	sandbox(): Promise<SandboxState> {
		if (this.#sandbox === undefined) {
			// Before anything is made that one of this host could run from.
			const swept = sweepScratch(this.#scratchRoot);
			const removed = removeOldSnapshots(this.#deps.ports.places.home);
			this.#sandbox = Promise.all([this.#deps.probeSandbox(), swept, removed]).then(([state]) => state);
		}
		return this.#sandbox;
	}

	/** Refuses new ones, stops all, and waits until nothing of them is left. Bounded. */
	async close(): Promise<void> {
		const reason = 'the host is closing';
		this.#closed.abort(new ProwessError('CANCELLED', reason));
		await Promise.allSettled(this.#starting);
		await this.#running.close(reason);
		await this.#published.close();
		await this.#standby.close();
		await this.#workers.close();
	}

	async #stopAll(which: (execution: Execution) => boolean): Promise<void> {
		await Promise.all(this.#running.all.filter(which).map((each) => each.stop('the agent that started it has ended')));
	}
}
