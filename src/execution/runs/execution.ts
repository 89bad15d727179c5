/** An execution as the manager knows it, from before its process until long after, and how executions lie within one another. */
import type { ThreadFacts } from './start/start-options.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type {
	CapabilityExecutionResult,
	ExecutionStatus,
	LeftProcess,
	ThreadMessage,
} from '../../protocol/execution/execution.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { CapabilityManifest } from '../../protocol/capability/manifest.ts';
import type { OutputView } from '../../protocol/text/output-view.ts';
import type { Permission, RiskLevel } from '../../protocol/ops/risk.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller, NamedDatabases } from '../../contract/ops/caller.ts';
import { MAX_EXECUTION_DEPTH, MAX_DESCENDANTS } from '../processes/limits.ts';

export interface Execution {
	readonly id: string;
	readonly opId: OpId;
	/** Op of an agent that started it; undefined: another caller did. */
	readonly startedBy: OpId | undefined;
	readonly name: string;
	readonly type: string;
	/** No higher than that of the one that started it. */
	readonly level: RiskLevel;
	readonly path: string;
	/** View of its result; undefined: its manifest declares none. */
	readonly resultView: OutputView | undefined;
	/** Params as they were given, and the name of the tool; undefined: it has none. */
	readonly params: unknown;
	readonly tool: string | undefined;
	readonly threadId: ThreadId | null;
	readonly trigger: string;
	readonly parentAgentId: string | undefined;
	readonly parentAgentInstanceId: string | undefined;
	readonly startedAt: string;
	readonly permissions: ReadonlySet<Permission>;
	readonly databases: NamedDatabases | undefined;
	/** Tools that a person agreed to beforehand: its own, then those of each execution above it; undefined: none. */
	readonly allowedTools: readonly (readonly string[])[] | undefined;
	/** Services that its manifest names. */
	readonly provides: readonly string[];
	readonly parent: Execution | undefined;
	/** Messages of the thread that it was told; executions that it starts are told no more. */
	readonly messages: readonly ThreadMessage[];
	/** Facts of the thread that it was told beside them. */
	readonly metadata: ThreadFacts;
	readonly depth: number;
	readonly result: Promise<CapabilityExecutionResult>;
	/** Resolves when nothing of the execution is left. */
	readonly closed: Promise<void>;
	readonly status: () => ExecutionStatus;
	readonly pid: () => number | undefined;
	/**
	 * Processes that it started, that had left its group, and that outlived it; complete once `closed` has resolved.
	 */
	readonly leftovers: () => readonly LeftProcess[];
	/** The last of what its process has printed; not redacted. */
	readonly output: () => string;
	readonly stop: (reason: string) => Promise<void>;
}

export interface ExecutionInfo {
	readonly executionId: string;
	readonly name: string;
	readonly type: string;
	/** View of its result; undefined: its manifest declares none. */
	readonly resultView: OutputView | undefined;
	readonly params: unknown;
	readonly tool: string | undefined;
	/** Op of an agent that started it; undefined: another caller did. */
	readonly startedBy: OpId | undefined;
	readonly status: ExecutionStatus;
	readonly threadId: ThreadId | null;
	readonly startedAt: string;
	readonly permissions: readonly Permission[];
	readonly pid: number | undefined;
	/**
	 * Processes that it started, that had left its group, and that were ended; complete when nothing of the execution
	 * is left.
	 */
	readonly leftovers: readonly LeftProcess[];
}

export function isLive(status: ExecutionStatus): boolean {
	return status === 'starting' || status === 'running' || status === 'stopping';
}

/** The one that no other execution started. */
export function findRootExecution(execution: Execution): Execution {
	return execution.parent === undefined ? execution : findRootExecution(execution.parent);
}

export function toExecutionInfo(execution: Execution): ExecutionInfo {
	return {
		executionId: execution.id,
		name: execution.name,
		type: execution.type,
		resultView: execution.resultView,
		startedBy: execution.startedBy,
		params: execution.params,
		tool: execution.tool,
		status: execution.status(),
		threadId: execution.threadId,
		startedAt: execution.startedAt,
		permissions: [...execution.permissions],
		pid: execution.pid(),
		leftovers: execution.leftovers(),
	};
}

/** Lists the execution and those above it, the nearest first. */
export function withThoseAbove(execution: Execution): Execution[] {
	return execution.parent === undefined ? [execution] : [execution, ...withThoseAbove(execution.parent)];
}

/** True when the execution, or one above it, provides this service; then it does not ask for the service itself. */
export function isWithinProvider(execution: Execution, service: string): boolean {
	return withThoseAbove(execution).some(({ provides }) => provides.includes(service));
}

/** A person's are all; an agent's are those of its thread, an execution's those below it. */
export function isExecutionVisible(execution: Execution, caller: Caller): boolean {
	switch (caller.kind) {
		case 'user':
			return true;
		case 'agent':
			return execution.threadId === caller.threadId;
		case 'execution':
			return withThoseAbove(execution)
				.slice(1)
				.some(({ id }) => id === caller.executionId);
	}
}

/** Rejects with INVALID_REQUEST what would run within itself, lie too deep, or be one too many. `starting`: of the same root, and not among `all` yet. */
export function checkNesting(
	parent: Execution,
	{ type, name }: Pick<CapabilityManifest, 'type' | 'name'>,
	all: Iterable<Execution>,
	starting: number,
): void {
	const chain = withThoseAbove(parent);
	const names = chain.map((each) => `${each.type} ${each.name}`).reverse();
	const createNestingError = (why: string) =>
		new ProwessError('INVALID_REQUEST', `${type} ${name}: ${why}`, {
			chain: names,
			said: text('{name} was not started: {why}', { name: `${type} ${name}`, why }),
		});
	if (chain.some((each) => each.type === type && each.name === name)) {
		throw createNestingError(`it would run within itself: ${names.join(' → ')} → ${type} ${name}`);
	}
	if (parent.depth >= MAX_EXECUTION_DEPTH) {
		throw createNestingError(`executions are nested ${parent.depth} deep, the limit is ${MAX_EXECUTION_DEPTH}`);
	}
	const root = chain.at(-1);
	const running = [...all].filter((each) => isLive(each.status()) && each !== root && findRootExecution(each) === root);
	const count = running.length + starting;
	if (count >= MAX_DESCENDANTS) {
		throw createNestingError(`${count} executions of one root are running, the limit is ${MAX_DESCENDANTS}`);
	}
}
