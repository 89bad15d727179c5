/**
 * Starts capabilities, follows them and stops them. Each execution is recorded before its process exists and again when it
 * has ended, runs from a copy of what was agreed to, and has exactly one result.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { deriveSignal } from '../base/derived-signal.ts';
import { type Event, Emitter } from '../base/emitter.ts';
import { ProwessError } from '../protocol/errors.ts';
import type {
	CapabilityExecutionResult,
	ExecutionStatus,
	ThreadContext,
	ThreadMessage,
} from '../protocol/execution.ts';
import { newId, type ThreadId } from '../protocol/ids.ts';
import { type CapabilityManifest, MANIFEST_FILE } from '../protocol/manifest.ts';
import { triggerOf } from './broker/call.ts';
import type { Broker } from './broker/broker.ts';
import type { Caller } from './broker/op-implementation.ts';
import type { CapabilityConsent } from './capability-consent.ts';
import { checkedInputs } from './execution/checked-inputs.ts';
import { DISPATCH_CEILING_MS, CONNECT_TIMEOUT_MS, ENDED_KEPT, MAX_AT_ONCE } from './execution/limits.ts';
import { checkNesting, type Execution, type ExecutionInfo, infoOf, isLive } from './execution/execution.ts';
import type { Executor } from './execution/executors.ts';
import type { SandboxState } from './execution/sandbox.ts';
import { sweepScratch } from './execution/scratch.ts';
import { type ExecutionEnd, SideExecution } from './execution/side-execution.ts';
import { contextOf } from './execution/thread-context.ts';
import { makeSnapshot, readCapabilityFiles } from './execution/snapshot.ts';
import { Slots } from './execution/slots.ts';
import type { LedgerPort, NewEntry } from './ledger/ledger.ts';
import { executionPermissions } from './policy/execution-permissions.ts';
import type { HostPorts } from './ports.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { Capability, CapabilitySource } from './registry/capability-source.ts';
import { parseManifest } from './registry/read-manifest.ts';
import type { CommandGuard } from './shell/command-guard.ts';

export interface StartOptions {
	/** By name, or the one in a folder. */
	readonly capability: { readonly name: string; readonly type?: string } | { readonly folder: string };
	readonly params?: unknown;
	/** Milliseconds of running time; absent: no limit. */
	readonly timeout?: number;
	/** Who wants it: the user, an agent, or another execution. */
	readonly caller: Caller;
	readonly parentAgentId?: string;
	readonly parentAgentInstanceId?: string;
	/** Of the thread, oldest first. */
	readonly messages?: readonly ThreadMessage[];
	readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface CapabilityManagerDeps {
	readonly source: CapabilitySource;
	readonly executorFor: (type: string) => Executor | undefined;
	readonly consent: CapabilityConsent;
	readonly broker: Pick<Broker, 'perform'>;
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly redactor: Redactor;
	readonly ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>;
	readonly guard: CommandGuard;
	/** Tried once, when the first capability is started. */
	readonly probeSandbox: () => Promise<SandboxState>;
	readonly connectTimeoutMs?: number;
	readonly dispatchCeilingMs?: number;
}

export class CapabilityManager {
	readonly #deps: CapabilityManagerDeps;
	readonly #executions = new Map<string, Execution>();
	readonly #slots = new Slots(MAX_AT_ONCE);
	readonly #closed = new AbortController();
	readonly #starting = new Set<Promise<unknown>>();
	readonly #didStart = new Emitter<ExecutionInfo>();
	readonly #didEnd = new Emitter<CapabilityExecutionResult>();
	readonly #didProgress = new Emitter<{ executionId: string; message: string; fraction?: number }>();
	#sandbox: Promise<SandboxState> | undefined;

	readonly onDidStart: Event<ExecutionInfo> = this.#didStart.event;
	readonly onDidEnd: Event<CapabilityExecutionResult> = this.#didEnd.event;
	readonly onDidProgress: Event<{ executionId: string; message: string; fraction?: number }> = this.#didProgress.event;

	constructor(deps: CapabilityManagerDeps) {
		this.#deps = deps;
	}

	/** Resolves once it is recorded and on its way; `signal` ends only the start. Rejects when there is nothing to run. */
	async start(
		options: StartOptions,
		signal: AbortSignal,
	): Promise<{ readonly executionId: string; readonly status: ExecutionStatus }> {
		const limit = deriveSignal(signal);
		const close = () => limit.abort(this.#closed.signal.reason);
		this.#closed.signal.addEventListener('abort', close, { once: true });
		if (this.#closed.signal.aborted) close();
		const starting = this.#start(options, limit.signal);
		this.#starting.add(starting);
		try {
			const { id, status } = await starting;
			return { executionId: id, status: status() };
		} finally {
			this.#starting.delete(starting);
			this.#closed.signal.removeEventListener('abort', close);
			limit.dispose();
		}
	}

	/** The one result, also after the end. Rejects with INVALID_REQUEST for an id that is not known. */
	async wait(executionId: string): Promise<CapabilityExecutionResult> {
		return await this.#known(executionId).result;
	}

	/** Start and wait; the signal stops the execution. */
	async run(options: StartOptions, signal: AbortSignal): Promise<CapabilityExecutionResult> {
		const { executionId } = await this.start(options, signal);
		const stop = () => void this.stop(executionId);
		signal.addEventListener('abort', stop, { once: true });
		if (signal.aborted) stop();
		try {
			return await this.wait(executionId);
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}

	/** Resolves when it has ended; does nothing when it had. Rejects with INVALID_REQUEST for an id that is not known. */
	async stop(executionId: string): Promise<void> {
		await this.#known(executionId).stop('it was stopped');
	}

	/** All that one instance of an agent has started. */
	async stopAllForParent(parentAgentInstanceId: string): Promise<void> {
		const own = [...this.#executions.values()].filter((each) => each.parentAgentInstanceId === parentAgentInstanceId);
		await Promise.all(own.map((each) => each.stop('the agent that started it ends')));
	}

	status(executionId: string): ExecutionStatus {
		return this.#known(executionId).status();
	}

	list(): ExecutionInfo[] {
		return [...this.#executions.values()].map(infoOf);
	}

	/** What there is to run. */
	available(): ReturnType<CapabilitySource['list']> {
		return this.#deps.source.list();
	}

	/** What keeps executors in, on this machine. */
	sandbox(): Promise<SandboxState> {
		if (this.#sandbox === undefined) {
			sweepScratch(this.#scratchRoot);
			this.#sandbox = this.#deps.probeSandbox();
		}
		return this.#sandbox;
	}

	/** Refuses new ones, stops all, and waits until nothing of them is left. Bounded. */
	async close(): Promise<void> {
		this.#closed.abort(new ProwessError('CANCELLED', 'the host is closing'));
		await Promise.allSettled(this.#starting);
		const all = [...this.#executions.values()];
		await Promise.all(all.map((each) => each.stop('the host is closing')));
		await Promise.all(all.map(({ closed }) => closed));
	}

	get #scratchRoot(): string {
		return join(this.#deps.ports.places.home, 'scratch');
	}

	async #start(options: StartOptions, signal: AbortSignal): Promise<Execution> {
		signal.throwIfAborted();
		const { source, executorFor, consent, ports, ledger } = this.#deps;
		const { caller } = options;
		const threadId = caller.threadId;
		const trigger = triggerOf(caller);
		const opId = newId('op');
		const found = await this.#find(source, options.capability, executorFor);
		const title = `Run ${found.manifest.type} ${found.manifest.name}`;
		const row = (kind: NewEntry['kind'], decision: string, rest: Partial<NewEntry> = {}): NewEntry => ({
			kind,
			opId,
			op: 'capability.start',
			trigger,
			threadId,
			risk: found.manifest.level,
			assessed: null,
			decision,
			paramsHash: null,
			input: title,
			output: null,
			status: null,
			durationMs: null,
			...rest,
		});
		try {
			if (found.source === 'project' && !ports.workspace.isTrusted) {
				throw new ProwessError('WORKSPACE_UNTRUSTED', `${title}: nothing of the workspace runs before it is trusted`);
			}
			const files = await readCapabilityFiles(found.path);
			const manifest = manifestIn(files, found);
			const executor = executorFor(manifest.type);
			if (executor === undefined) throw noExecutor(manifest.type);
			const parent = this.#parentOf(caller, manifest);
			const params = checkedInputs(manifest, options.params);
			const { sandbox, bwrap } = await this.sandbox();
			const agreed = await consent.ask({ ...found, manifest }, files.hash, sandbox, threadId, signal);
			signal.throwIfAborted();
			const snapshot = await makeSnapshot(ports.places.home, files);
			const permissions = executionPermissions({
				manifest,
				grant: agreed.permissions,
				parent: parent?.permissions,
				isTrusted: ports.workspace.isTrusted,
			});
			const id = `cap_${Date.now()}_${randomUUID().slice(0, 8)}`;
			await ledger.append(
				row(
					'intent',
					`${agreed.decision}; sandbox: ${sandbox}; permissions: ${[...permissions].join(', ') || 'none'}`,
					{
						paramsHash: files.hash,
						input: `${title} as ${id}`,
					},
				),
				true,
			);
			const context: ThreadContext = contextOf(
				options,
				manifest,
				snapshot.capability,
				id,
				ports.workspace.folders[0]?.path,
			);
			const execution = this.#launch(
				{ id, opId, manifest, path: found.path, parent, permissions, trigger },
				options,
				(onProgress) =>
					new SideExecution({
						executionId: id,
						params,
						context,
						timeoutMs: options.timeout ?? 0,
						process: {
							...executor,
							snapshot: snapshot.root,
							scratchRoot: this.#scratchRoot,
							bwrap,
							guard: this.#deps.guard,
							variables: {
								sideExecutionId: `side_${id.slice(4)}`,
								threadId,
								parentAgentId: options.parentAgentId ?? null,
								parentAgentInstanceId: options.parentAgentInstanceId ?? null,
								capabilityPath: snapshot.capability,
							},
						},
						// By the channel it came in on: no frame says who asks, or what it may.
						perform: (asked, onOpProgress, dispatchSignal) =>
							this.#deps.broker.perform(
								asked,
								{
									caller: { kind: 'execution', threadId, executionId: id, permissions },
									onProgress: onOpProgress,
								},
								dispatchSignal,
							),
						note: (op, text) => this.#note(op, text, id, threadId),
						onProgress,
						connectTimeoutMs: this.#deps.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
						dispatchCeilingMs: this.#deps.dispatchCeilingMs ?? DISPATCH_CEILING_MS,
					}),
				row,
			);
			return execution;
		} catch (error) {
			const failure = error instanceof ProwessError ? error : new ProwessError('INTERNAL', String(error), {}, error);
			const isDenial = failure.code.startsWith('DENIED') || failure.code === 'WORKSPACE_UNTRUSTED';
			if (failure.code !== 'LEDGER_UNWRITABLE') {
				await ledger.append(
					row(isDenial ? 'denial' : 'outcome', isDenial ? failure.message : 'not started', {
						output: `${failure.code}: ${failure.message}`,
						status: isDenial ? 'denied' : 'failed',
						durationMs: 0,
					}),
					false,
				);
			}
			throw failure;
		}
	}

	async #find(
		source: CapabilitySource,
		wanted: StartOptions['capability'],
		executorFor: CapabilityManagerDeps['executorFor'],
	): Promise<Capability> {
		if ('folder' in wanted) {
			return await source.at(wanted.folder);
		}
		// First whether anything could run it.
		if (wanted.type !== undefined && executorFor(wanted.type) === undefined) {
			throw noExecutor(wanted.type);
		}
		const found = await source.find(wanted.name, wanted.type);
		if (found === undefined) {
			const what = wanted.type === undefined ? wanted.name : `${wanted.type} ${wanted.name}`;
			throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}"`, { ...wanted });
		}
		return found;
	}

	/** Waits for a place, starts, and keeps what comes of it. */
	#launch(
		own: Pick<Execution, 'id' | 'opId' | 'path' | 'parent' | 'permissions' | 'trigger'> & {
			readonly manifest: CapabilityManifest;
		},
		options: StartOptions,
		begin: (onProgress: (progress: { message: string; fraction?: number }) => void) => SideExecution,
		row: (kind: NewEntry['kind'], decision: string, rest: Partial<NewEntry>) => NewEntry,
	): Execution {
		const { id, manifest, parent } = own;
		const startedAt = performance.now();
		const queue = new AbortController();
		let side: SideExecution | undefined;
		let stopped: string | undefined;
		const runs = (async (): Promise<ExecutionEnd> => {
			// One that was started by another does not wait for the place that its parent holds.
			const release = parent === undefined ? await this.#slots.take(queue.signal) : () => {};
			if (stopped !== undefined) {
				release();
				return { status: 'stopped', error: new ProwessError('CANCELLED', `execution ${id} was stopped: ${stopped}`) };
			}
			side = begin((progress) =>
				this.#announce(this.#didProgress, {
					executionId: id,
					...progress,
					message: this.#deps.redactor.redact(progress.message),
				}),
			);
			void side.closed.then(release);
			return await side.ended;
		})();
		const result = runs.then(async (end) => {
			const settled = this.#resultOf(own, end);
			await this.#recordEnd(settled, end, row, performance.now() - startedAt);
			this.#announce(this.#didEnd, settled);
			this.#forgetOldest();
			return settled;
		});
		const execution: Execution = {
			...own,
			name: manifest.name,
			type: manifest.type,
			level: manifest.level,
			threadId: options.caller.threadId,
			parentAgentInstanceId: options.parentAgentInstanceId,
			startedAt: new Date().toISOString(),
			depth: (parent?.depth ?? 0) + 1,
			result,
			closed: runs.then(() => side?.closed),
			status: () => side?.status ?? (stopped === undefined ? 'starting' : 'stopped'),
			pid: () => side?.pid,
			stop: async (reason) => {
				stopped ??= reason;
				queue.abort();
				const below = [...this.#executions.values()].filter((each) => each.parent?.id === id);
				await Promise.all([side?.stop(reason), ...below.map((each) => each.stop(reason))]);
				await result;
			},
		};
		this.#executions.set(id, execution);
		this.#announce(this.#didStart, infoOf(execution));
		return execution;
	}

	#resultOf({ id, path }: Pick<Execution, 'id' | 'path'>, end: ExecutionEnd): CapabilityExecutionResult {
		const { redactor } = this.#deps;
		if (end.status === 'completed') {
			return {
				success: true,
				executionId: id,
				...(end.value === undefined ? {} : { result: redactor.redactDeep(end.value) }),
				...(end.additionalContext === undefined
					? {}
					: { additionalContext: redactor.redactDeep(end.additionalContext) }),
				capabilityPath: path,
			};
		}
		const { code, message, facts } = end.error;
		const clean = redactor.redactDeep(facts) as Record<string, unknown>;
		return {
			success: false,
			executionId: id,
			error: { code, message: redactor.redact(message), facts: clean },
			capabilityPath: path,
		};
	}

	async #recordEnd(
		{ success, executionId, error }: CapabilityExecutionResult,
		end: ExecutionEnd,
		row: (kind: NewEntry['kind'], decision: string, rest: Partial<NewEntry>) => NewEntry,
		durationMs: number,
	): Promise<void> {
		const statuses = { completed: 'done', failed: 'failed', timeout: 'timeout', stopped: 'cancelled' } as const;
		try {
			await this.#deps.ledger.append(
				row('outcome', `execution ${executionId} ${end.status}`, {
					output: success ? end.status : `${error?.code}: ${error?.message}`,
					status: statuses[end.status],
					durationMs,
				}),
				false,
			);
		} catch (failure) {
			// It has run; what is missing shows as an intent without an outcome.
			this.#deps.ports.log.error('the end of an execution could not be recorded', { error: String(failure) });
		}
	}

	/** A listener that fails is no reason for an execution to fail. */
	#announce<T>(event: Emitter<T>, what: T): void {
		try {
			event.fire(what);
		} catch (error) {
			this.#deps.ports.log.error('a listener of executions failed', { error: String(error) });
		}
	}

	#note(op: string, text: string, executionId: string, threadId: ThreadId | null): void {
		const entry: NewEntry = {
			kind: 'note',
			opId: null,
			op,
			trigger: `execution:${executionId}`,
			threadId,
			risk: null,
			assessed: null,
			decision: text,
			paramsHash: null,
			input: executionId,
			output: null,
			status: null,
			durationMs: null,
		};
		this.#deps.ledger.append(entry, false).catch((error: unknown) => {
			this.#deps.ports.log.error('a note on an execution could not be recorded', { error: String(error) });
		});
	}

	/** The execution that asks, when one does. */
	#parentOf(caller: Caller, manifest: CapabilityManifest): Execution | undefined {
		if (caller.kind !== 'execution') {
			return undefined;
		}
		const parent = this.#known(caller.executionId);
		checkNesting(parent, manifest, this.#executions.values());
		return parent;
	}

	#known(executionId: string): Execution {
		const execution = this.#executions.get(executionId);
		if (execution === undefined) {
			throw new ProwessError('INVALID_REQUEST', `there is no execution "${executionId}"`, { executionId });
		}
		return execution;
	}

	#forgetOldest(): void {
		const ended = [...this.#executions.values()].filter((each) => !isLive(each.status()));
		for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) {
			this.#executions.delete(id);
		}
	}
}

/** As it is in the very bytes that will run. */
function manifestIn(
	{ files }: Awaited<ReturnType<typeof readCapabilityFiles>>,
	{ path, manifest }: Capability,
): CapabilityManifest {
	const file = files.find((each) => each.path === MANIFEST_FILE);
	const own = parseManifest(file?.bytes.toString('utf8') ?? '', `${path}/${MANIFEST_FILE}`);
	if (own.name !== manifest.name || own.type !== manifest.type) {
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: its manifest changed while it was read`, { path });
	}
	return own;
}

function noExecutor(type: string): ProwessError {
	return new ProwessError('EXECUTOR_NOT_FOUND', `there is no executor for capabilities of type "${type}"`, { type });
}
