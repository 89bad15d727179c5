/**
 * From the wish to run a capability to its execution under way: found, read once, agreed to, copied, given its rights, and
 * recorded, before there is a process.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DisposableStore } from '../../../base/disposable.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import { lowerRisk } from '../../../protocol/ops/risk.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import { addDecisionNote } from '../../../contract/decision.ts';
import { formatOpTrigger, type Caller } from '../../../contract/ops/caller.ts';
import type { Consent } from '../consent/capability-consent.ts';
import { RISK_LEVEL_RULES } from '../../../trust/gate/policy/levels/levels.ts';
import type { RatePlace, Rate } from '../../../trust/gate/policy/executions/rate.ts';
import {
	executionDatabases,
	executionPermissions,
} from '../../../trust/gate/policy/executions/execution-permissions.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import { runsOwnCode } from '../../../catalog/registry/sources/what-it-runs.ts';
import { toolsOfFiles } from '../../../catalog/tools-of-files.ts';
import { readAgreedFiles } from '../agreed-files.ts';
import { checkedInputs } from '../checked-inputs.ts';
import type { Execution } from '../execution.ts';
import { namedDataFolder } from './written-instructions.ts';
import { ExecutionRecord } from '../run/execution-record.ts';
import { resolveExecutor, findCapability, manifestIn } from './find-capability.ts';
import {
	agreedHash,
	asWritten,
	checkChannel,
	executorToRun,
	readExecutorFiles,
	refuseForeignAgent,
	withCodeboltRights,
} from '../consent/foreign-executor.ts';
import { READY_TIMEOUT_MS, DISPATCH_CEILING_MS, HEARTBEAT_MS } from '../../processes/limits.ts';
import { SideExecution } from '../run/side-execution.ts';
import type { RunOfCapability, SideExecutionOptions } from '../run/side-execution-options.ts';
import { makePrivateFolder } from '../../../machine/home-files/private-folder.ts';
import { makeSnapshot } from '../../processes/snapshot.ts';
import { fitsStandby } from '../../processes/standby-process.ts';
import type { StartOptions } from './start-options.ts';
import { createThreadContext, messagesFor, readFactsFor } from '../run/thread-context.ts';
import type { ReadyStart, StartDeps, StartSurroundings } from './start-deps.ts';
import { checkStarter } from './who-may-start.ts';
import { beginWorkerCall } from '../worker/begin-worker-call.ts';
import { checkedToolInputs, toolToRun } from '../worker/tool-to-run.ts';

/** Rejects when there is nothing to run, or when it may not; that is recorded, too. */
export async function startExecution(
	deps: StartDeps,
	surroundings: StartSurroundings,
	options: StartOptions,
	signal: AbortSignal,
): Promise<Execution> {
	signal.throwIfAborted();
	const { source, executorFor, ledger, ports } = deps;
	const { caller, service } = options;
	const found = await findCapability(source, options.capability, executorFor);
	const record = new ExecutionRecord(
		{ ledger, log: ports.log },
		{
			opId: newId('op'),
			trigger: formatOpTrigger(caller, service ?? 'capability.run'),
			threadId: caller.threadId,
			risk: found.manifest.level,
			title: `Run ${found.manifest.type} ${found.manifest.name}${options.tool === undefined ? '' : `: ${options.tool}`}${service === undefined ? '' : ` for its service ${service}`}`,
		},
	);
	// Holds the counts of this start while it is on its way.
	const held = new DisposableStore();
	try {
		const ready = await makeReady(deps, surroundings, options, found, record, held, signal);
		return surroundings.running.launch({
			execution: ready.execution,
			takesPlace: ready.tool === undefined,
			begin: (onProgress) =>
				(ready.tool === undefined ? beginSideExecution : beginWorkerCall)(deps, surroundings, options, ready, {
					note: (op, text) => record.note(ready.id, op, text),
					onProgress,
				}),
			recordEnd: (result, status, durationMs) => record.ended(result, status, durationMs),
		});
	} catch (error) {
		const failure = isProwessError(error) ? error : new ProwessError('INTERNAL', String(error), {}, error);
		await record.notStarted(failure);
		throw failure;
	} finally {
		held.dispose();
	}
}

/** Checks a start, asks for consent, records the intent in the ledger, and prepares all that the process needs. */
async function makeReady(
	{ executorFor, workerFor, consent, ports, redactor, threadFacts }: StartDeps,
	{ running, rate, sandbox: tried, channel: channelHere, workers }: StartSurroundings,
	options: StartOptions,
	found: Capability,
	record: ExecutionRecord,
	held: DisposableStore,
	signal: AbortSignal,
): Promise<ReadyStart> {
	const { caller, params: given, service } = options;
	const { isTrusted } = ports.workspace;
	if (found.source === 'project' && !isTrusted) {
		const what = `Run ${found.manifest.type} ${found.manifest.name}`;
		throw new ProwessError('WORKSPACE_UNTRUSTED', `${what}: nothing of the workspace runs before it is trusted`);
	}
	const { own, whole: files, below } = await readAgreedFiles(found.path);
	const { manifest: said, written } = manifestIn(own, found);
	checkStarter(said, options);
	const resolved = await resolveExecutor(said, executorFor, workerFor);
	refuseForeignAgent(said, resolved, own);
	const executorFiles = await readExecutorFiles(resolved);
	const executor = asWritten(resolved, executorFiles);
	const manifest = withCodeboltRights(said, written, executor);
	const tool = toolToRun(manifest, executor, own, options.tool);
	if (service !== undefined && !manifest.provides.includes(service)) {
		const message = `${manifest.type} ${manifest.name} does not provide ${service}: its manifest needs \`provides: [${service}]\``;
		throw new ProwessError('INVALID_REQUEST', message, {
			service,
			said: text('{type} {name} does not provide {service}: its manifest needs `provides: [{service}]`.', {
				type: manifest.type,
				name: manifest.name,
				service,
			}),
		});
	}
	const parent = caller.kind === 'execution' ? running.get(caller.executionId) : undefined;
	if (parent !== undefined) {
		const leave = running.enter(parent, manifest);
		held.add({ dispose: leave });
	}
	// The execution that asks for a service lends it no right, and takes none away: its own user agreed to its rights.
	const starter = service === undefined ? parent : undefined;
	const isSecret = (text: string) => redactor.redact(text) !== text;
	const params =
		tool === undefined ? checkedInputs(manifest, given, isSecret) : checkedToolInputs(manifest, tool, given);
	const { sandbox, bwrap } = await tried();
	await workers.check(executor, bwrap);
	checkChannel(executor, sandbox);
	const hash = agreedHash(files, executorFiles);
	const hasCode = runsOwnCode(
		manifest,
		executor,
		own.files.map(({ path }) => path),
	);
	const keptIn = namedDataFolder(ports.places, found.path, own);
	const what = {
		capability: { ...found, manifest },
		executor,
		hash,
		sandbox,
		runsOwnCode: hasCode,
		keptIn,
		tools: toolsOfFiles(manifest, own),
	};
	const place = await placeFor(manifest, rate);
	held.add({ dispose: () => place.leave() });
	const agreed: Consent = await consent.ask(what, options, signal);
	signal.throwIfAborted();
	const permissions = executionPermissions({
		manifest,
		grant: agreed.permissions,
		parent: starter?.permissions,
		isTrusted: ports.workspace.isTrusted,
	});
	const id = `cap_${Date.now()}_${randomUUID().slice(0, 8)}`;
	const rights = [...permissions].join(', ') || 'none';
	const decision = addDecisionNote(addDecisionNote(agreed.decision, `sandbox: ${sandbox}`), `permissions: ${rights}`);
	await record.intent(id, decision, hash, redactor.redactDeep(params));
	place.begin();
	const messages = messagesFor(starter?.messages ?? options.messages ?? [], manifest.context, redactor);
	// A tool of a worker is given its params alone.
	const wish = tool === undefined ? manifest.context : 'none';
	const readFacts = async () => starter?.metadata ?? (await threadFacts?.(caller.threadId, signal)) ?? {};
	const metadata = service === undefined ? await readFactsFor(wish, redactor, readFacts) : { service };
	const execution = {
		id,
		opId: record.opId,
		trigger: record.trigger,
		name: manifest.name,
		type: manifest.type,
		level: parent === undefined ? manifest.level : lowerRisk(manifest.level, parent.level),
		path: found.path,
		resultView: manifest.output,
		params,
		tool: tool?.name,
		startedBy: options.startedBy,
		threadId: caller.threadId,
		// Agent that the whole tree of executions works for.
		parentAgentId: options.parentAgentId ?? parent?.parentAgentId,
		parentAgentInstanceId: options.parentAgentInstanceId ?? parent?.parentAgentInstanceId,
		permissions,
		databases: executionDatabases(manifest.databases, starter?.databases),
		allowedTools: resolveAllowedTools(manifest, agreed, starter),
		provides: manifest.provides,
		parent,
		messages,
		metadata,
	};
	const channel = await channelHere();
	const toRun = await executorToRun(ports.places.home, executor, executorFiles);
	// A program of others does not begin before it is asked for.
	const mayStandBy = executor.folder === undefined;
	// The executor reads the budget from the config, and asks for a sub-turn with it.
	const raised = ports.settings.current['prowess.capabilities.budgets'][`${manifest.type}/${manifest.name}`];
	const budget = raised === undefined ? {} : { budget: { ...manifest.budget, ...raised } };
	const config = { ...written, ...manifest, ...budget };
	return {
		id,
		manifest,
		config,
		params,
		tool: tool?.name,
		toolProgram: tool?.program,
		toolTimeoutMs: tool?.timeoutMs,
		hash,
		files,
		below,
		keptIn,
		executor: toRun,
		mayStandBy,
		bwrap,
		channel,
		execution,
	};
}

/** In a process that stands by when there is one for it, else in one of its own, from the copy that is kept. */
async function beginSideExecution(
	deps: StartDeps,
	{ scratchRoot, standby }: StartSurroundings,
	options: StartOptions,
	ready: ReadyStart,
	told: Pick<SideExecutionOptions, 'note' | 'onProgress'>,
): Promise<RunOfCapability> {
	const { guard, ports, limits, connectTimeoutMs, dispatchCeilingMs, heartbeatMs } = deps;
	const { id, manifest, config, params, files, below, keptIn, executor, mayStandBy, bwrap, channel, execution } = ready;
	const { permissions, level, databases, allowedTools } = execution;
	const { threadId } = options.caller;
	const capability = `${manifest.type}/${manifest.name}`;
	const waiting = mayStandBy && fitsStandby(files) ? standby.take(executor.program) : undefined;
	const snapshot = waiting === undefined ? await makeSnapshot(ports.places.home, files) : undefined;
	const copy = snapshot?.capability ?? (await waiting?.place(files)) ?? '';
	const capabilityPath = below === undefined ? copy : join(copy, below);
	const variables = {
		sideExecutionId: `side_${id.slice(4)}`,
		threadId,
		parentAgentId: execution.parentAgentId ?? null,
		parentAgentInstanceId: execution.parentAgentInstanceId ?? null,
		capabilityPath,
	};
	const beforehand = allowedTools && { tools: allowedTools, folder: copy };
	const ownData = keptIn === undefined ? undefined : makePrivateFolder(keptIn);
	const rights = { permissions, level, databases, beforehand, ownFolder: copy, ownData };
	const caller: Caller = { kind: 'execution', threadId, executionId: id, capability, ...rights };
	const side = new SideExecution({
		...told,
		executionId: id,
		params,
		context: createThreadContext(
			options,
			execution,
			{ name: manifest.name, type: manifest.type, config },
			{ path: capabilityPath, pluginPath: below === undefined ? undefined : copy, pluginData: ownData },
			id,
			ports.workspace.folders[0]?.path,
		),
		timeoutMs: options.timeout ?? 0,
		onWaiting: options.onWaiting ?? (() => {}),
		process:
			waiting === undefined
				? { channel, ...executor, snapshot: snapshot?.root ?? '', scratchRoot, bwrap, guard, limits, variables }
				: { standby: waiting, variables },
		// The channel that a request came in on decides who asks; no frame says that, or what the sender may do.
		perform: (asked, onProgress, signal) =>
			deps.perform(
				asked,
				{
					caller,
					onProgress,
					isNewId: true,
				},
				signal,
			),
		connectTimeoutMs: connectTimeoutMs ?? READY_TIMEOUT_MS,
		dispatchCeilingMs: dispatchCeilingMs ?? DISPATCH_CEILING_MS,
		heartbeatMs: heartbeatMs ?? HEARTBEAT_MS,
	});
	if (mayStandBy) {
		// Not before its end: while it runs, the machine is its own.
		void side.ended.then(() => standby.refill({ executor, scratchRoot, bwrap, channel, guard, limits }));
	}
	return side;
}

/**
 * Returns the tools of the execution: none that nobody agreed to, and none that the execution that started it would be
 * asked about.
 */
function resolveAllowedTools(
	{ allowedTools = [] }: CapabilityManifest,
	{ isByPerson }: Consent,
	starter: Execution | undefined,
): Execution['allowedTools'] {
	if (!isByPerson || allowedTools.length === 0) {
		return undefined;
	}
	return starter === undefined ? [allowedTools] : starter.allowedTools && [allowedTools, ...starter.allowedTools];
}

/** In the hour of this capability. Rejects with RATE_LIMITED; only what its level fixes limits a start. */
async function placeFor({ type, name, level }: CapabilityManifest, rate: Rate): Promise<RatePlace> {
	const entered = await rate.enter('capability.run', RISK_LEVEL_RULES[level].perHour, `Run ${type} ${name} `);
	if ('place' in entered) {
		return entered.place;
	}
	const { limit, waitMs, nextAt: at } = entered.exceeded;
	const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
	const nextAt = at.toISOString();
	const message = `the ${type} ${name} is ${level} and was started ${limit} times in the last 60 minutes, which is its limit. The next start is possible in ${minutes} min (${nextAt})`;
	throw new ProwessError('RATE_LIMITED', message, { op: `${type}/${name}`, limit, minutes, nextAt });
}
