/** From an execution that is agreed to and recorded to its call in a worker, which is started when there is none. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { workerEntry } from '../../../protocol/capability/manifest.ts';
import { EXECUTOR_MEMORY_MB } from '../../../machine/sandbox/limits.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { WORKER_CALL_MS } from '../../processes/limits.ts';
import type { ExecutorProcessOptions } from '../../processes/executor-process.ts';
import { makeSnapshot } from '../../processes/snapshot.ts';
import type { RunOfCapability, SideExecutionOptions } from '../run/side-execution-options.ts';
import type { ReadyStart, StartDeps, StartSurroundings } from '../start/start-deps.ts';
import type { StartOptions } from '../start/start-options.ts';
import { WorkerCall } from './worker-call.ts';

export async function beginWorkerCall(
	{ guard, ports, perform, dispatchCeilingMs, limits }: StartDeps,
	{ scratchRoot, workers }: StartSurroundings,
	options: StartOptions,
	{
		id,
		manifest,
		params,
		tool = '',
		toolProgram,
		toolTimeoutMs,
		hash,
		files,
		below = '',
		executor,
		bwrap,
		execution,
	}: ReadyStart,
	told: Pick<SideExecutionOptions, 'note' | 'onProgress'>,
): Promise<RunOfCapability> {
	const { threadId } = options.caller;
	const { permissions, level, databases, allowedTools } = execution;
	const { root, capability: copy } = await makeSnapshot(ports.places.home, files);
	const folder = join(copy, below);
	const beforehand = allowedTools && { tools: allowedTools, folder: copy };
	const rights = { permissions, level, databases, beforehand, ownFolder: copy };
	const capability = `${manifest.type}/${manifest.name}`;
	const caller: Caller = { kind: 'execution', threadId, executionId: id, capability, tool, ...rights };
	const granted = [...permissions].toSorted();
	const shared = { hash, root, worker: executor.worker, threadId, ...rights, permissions: granted };
	const key = createHash('sha256').update(JSON.stringify(shared)).digest('hex');
	const createProcessOptions = async (): Promise<ExecutorProcessOptions> => {
		const base = { snapshot: root, scratchRoot, bwrap, guard, limits, channel: 'lines', variables: undefined } as const;
		const { program, readable } = executor;
		if (executor.worker !== 'python-worker') return { ...base, program, readable };
		const python = await workers.python();
		const interpreter = { file: python.file, args: ['-I', '-B'], own: [String(EXECUTOR_MEMORY_MB)] };
		return { ...base, program, readable: [...readable, ...python.readable], interpreter };
	};
	const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
	return new WorkerCall({
		...told,
		executionId: id,
		call: {
			module: `${folder}/${toolProgram ?? workerEntry(manifest) ?? ''}`,
			function: tool,
			kwargs: params as Readonly<Record<string, unknown>>,
			working_dir: folder,
			capabilities: granted,
			env: { timezone: timeZone, locale, skill: manifest.name },
		},
		// A limit that a tool names itself never exceeds that of the host.
		timeoutMs: options.timeout ?? Math.min(toolTimeoutMs ?? 0, WORKER_CALL_MS),
		take: (use) => workers.pool.take(key, createProcessOptions, use),
		// The id of the call and the host's own record of it decide what a request may do; no line says that.
		perform: (asked, onProgress, signal) => perform(asked, { caller, onProgress, isNewId: true }, signal),
		...(options.onWaiting === undefined ? {} : { onWaiting: options.onWaiting }),
		...(dispatchCeilingMs === undefined ? {} : { dispatchCeilingMs }),
	});
}
