/**
 * capability.list, .detail, .start, .status and .stop. The manager starts and follows; here is what a caller may know of
 * it: a person everything, an agent what runs for its thread, an execution what it started itself.
 */
import { cutText } from '../../base/text/one-line.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ExecutionState, LoadedInstructions } from '../../protocol/capability/capability-ops.ts';
import { mostValuable } from '../../protocol/offer/capability-values.ts';
import { type ExecutionInfo, isLive } from '../../execution/runs/execution.ts';
import type { StartOptions } from '../../execution/runs/start/start-options.ts';
import { checkStarter, isStartedByPerson } from '../../execution/runs/start/who-may-start.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { text } from '../../protocol/text/text.ts';
import type { Capability } from '../../catalog/registry/sources/capability-source.ts';
import { searchCapabilities } from '../../catalog/registry/search-capabilities.ts';
import { readWorkerTools } from '../../catalog/tools-of-files.ts';
import type { OpContext, OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { CapabilityDeps } from './capability-deps.ts';

type Implemented =
	| 'capability.list'
	| 'capability.detail'
	| 'capability.start'
	| 'capability.status'
	| 'capability.stop'
	| 'capability.switch';
type CapabilityOpDeps = Pick<CapabilityDeps, 'capabilities'> &
	Partial<Pick<CapabilityDeps, 'isNamedByUser' | 'isSwitchedByUser' | 'switchCapability' | 'mayRun'>>;

export function capabilityOps(deps: CapabilityOpDeps): Pick<OpImplementations, Implemented> {
	return {
		'capability.list': listCapabilitiesOp(deps),
		'capability.detail': detailOp(deps),
		'capability.start': startOp(deps),
		'capability.status': statusOp(deps),
		'capability.stop': stopExecutionOp(deps),
		'capability.switch': switchOp(deps),
	};
}

/** Neither a model nor a server decides which capabilities there are: the words of the user do, as this host saw them. */
function switchOp({ isSwitchedByUser, switchCapability }: CapabilityOpDeps): OpImplementation<'capability.switch'> {
	return {
		prepare(wish, { caller }) {
			if (switchCapability === undefined || isSwitchedByUser?.(caller, wish) !== true) {
				const message = 'only the user enables and disables capabilities, by a message that asks for nothing else';
				return Promise.reject(
					new ProwessError('DENIED_BY_RULE', message, {
						reason: text('Only you enable and disable capabilities, by a message that asks for nothing else.'),
					}),
				);
			}
			return Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: `${wish.isEnabled ? 'Enable' : 'Disable'} ${wish.name}` },
				async run({ signal }) {
					const { type, name } = await switchCapability(wish, signal);
					return { type, name };
				},
			});
		},
	};
}

/** Characters of what is written in a capability that its detail gives. */
const MAX_BODY_CHARS = 20_000;

function listCapabilitiesOp({ capabilities }: CapabilityOpDeps): OpImplementation<'capability.list'> {
	return {
		prepare: ({ query = '', type, offset, tags = [], author, withinMs, best }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: 'List capabilities' },
				async run({ caller }) {
					const isForAgent = best !== undefined && query === '' && type === undefined && offset === 0;
					if (isForAgent && tags.length === 0 && author === undefined && !isStartedByPerson({ caller })) {
						const kept = await capabilities.offered(best, best.count);
						if (kept !== undefined) {
							const { total, values } = kept;
							return { capabilities: [...kept.best], offset, total, isComplete: true, values: [...values] };
						}
					}
					const listAvailable = async (withinMs?: number) => {
						const { capabilities: all, isComplete, areStillSo } = await capabilities.available(withinMs);
						const allowed = all.filter(
							({ manifest }) =>
								(manifest.modelInvocable || isStartedByPerson({ caller })) &&
								(type === undefined || manifest.type === type) &&
								tags.every((tag) => manifest.tags.includes(tag)) &&
								(author === undefined || manifest.author === author),
						);
						const found = searchCapabilities(allowed, query, ({ manifest }) => manifest).map(toCapabilitySummary);
						const page =
							best === undefined
								? { best: found.slice(offset) }
								: mostValuable(found, best, best.count, await capabilities.usedHere());
						return { ...page, total: found.length, isComplete, areStillSo };
					};
					let list = await listAvailable(withinMs);
					if ((await list.areStillSo?.(list.best)) === false) list = await listAvailable(withinMs);
					const { best: chosen, total, isComplete, ...values } = list;
					const summaries = chosen.map(({ name, type, source, description, requires }) => {
						return { name, type, source, description, ...(requires === undefined ? {} : { requires }) };
					});
					return {
						capabilities: summaries,
						offset,
						total,
						isComplete,
						...('values' in values ? { values: values.values } : {}),
					};
				},
			}),
	};
}

function toCapabilitySummary({ source, path, manifest }: Capability) {
	const { name, type, description, requiredCapabilities: requires } = manifest;
	return { name, type, source, description, path, ...(requires === undefined ? {} : { requires }) };
}

function detailOp({ capabilities }: CapabilityOpDeps): OpImplementation<'capability.detail'> {
	return {
		async prepare(params) {
			const { manifest, source, path } = await capabilities.find(splitTypedName(params));
			const { name, version, description, level, permissions, inputs } = manifest;
			return {
				targets: [],
				detail: { kind: 'text', text: `Look at the ${manifest.type} ${name}` },
				run: async () => {
					const tools = await readWorkerTools(manifest, path);
					const body = await capabilities.bodyOf({ path });
					return {
						...(tools === undefined ? {} : { tools: tools.map((tool) => ({ ...tool, inputs: [...tool.inputs] })) }),
						name,
						type: manifest.type,
						version,
						description,
						source,
						level,
						permissions: [...permissions],
						inputs: [...inputs],
						...(body === undefined ? {} : { body: cutText(body, MAX_BODY_CHARS) }),
					};
				},
			};
		},
	};
}

/** A skill that names tools leaves other skills to be followed, but nothing to be run unless it says so. */
export async function checkRun(
	mayRun: CapabilityOpDeps['mayRun'],
	{ name, type }: Pick<Capability['manifest'], 'name' | 'type'>,
	caller: Caller,
	signal: AbortSignal,
): Promise<void> {
	if ((await mayRun?.(caller, signal)) === false) {
		const message = `${type} ${name} would run, and a skill that this thread follows leaves capability_start out`;
		const reason = text('A skill of this thread lets no capability run until your next message.');
		throw new ProwessError('DENIED_BY_RULE', message, { reason });
	}
}

function startOp({ capabilities, isNamedByUser, mayRun }: CapabilityOpDeps): OpImplementation<'capability.start'> {
	return {
		async prepare({ params, tool, timeoutMs, wait, ...named }, { caller: starter, signal: preparing }) {
			const { manifest } = await capabilities.find(splitTypedName(named));
			// Before anybody is asked about it.
			const { name, type } = manifest;
			const isNamed = isNamedByUser?.(starter, { name, type }) === true;
			checkStarter(manifest, { caller: starter, isNamedByUser: isNamed });
			const isFollowed = manifest.instructions === 'thread' && starter.kind === 'agent' && tool === undefined;
			if (!isFollowed) await checkRun(mayRun, manifest, starter, preparing);
			return {
				targets: [{ kind: 'capability', type, name }],
				detail: {
					kind: 'text',
					text: `Run the ${type} ${name}${tool === undefined ? '' : `, its tool ${tool},`} with ${JSON.stringify(params)}`,
				},
				async run(context) {
					const { caller, opId, signal } = context;
					const messages = await context.readThread();
					const waiting = personWaits(context, name);
					const options: StartOptions = {
						capability: { name, type },
						params,
						...(tool === undefined ? {} : { tool }),
						caller,
						messages,
						onWaiting: waiting.change,
						...(isNamed ? { isNamedByUser: true } : {}),
						...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
						...(caller.kind === 'agent'
							? { parentAgentId: caller.threadId, parentAgentInstanceId: caller.turnId, startedBy: opId }
							: {}),
					};
					try {
						if (caller.kind === 'agent') {
							const instructions = await capabilities.load({ ...options, caller }, signal);
							if (instructions !== undefined) return loadedState({ name, type }, instructions);
							// Checks the right to run once more, because the capability's files have changed since they
							// were looked at.
							if (isFollowed) await checkRun(mayRun, manifest, caller, signal);
						}
						const { executionId } = await capabilities.start(options, signal);
						// Executions that another one starts show at the card of that one.
						if (caller.kind === 'agent') {
							capabilities.follow(executionId, (steps) => context.showSteps(steps), !wait);
						}
						if (wait) {
							await capabilities.waitOrStop(executionId, signal);
							signal.throwIfAborted();
						}
						return await readExecutionState(capabilities, capabilities.info(executionId));
					} finally {
						waiting.change(false);
					}
				},
			};
		},
	};
}

function statusOp({ capabilities }: CapabilityOpDeps): OpImplementation<'capability.status'> {
	return {
		prepare: ({ executionId }) =>
			Promise.resolve({
				targets: [],
				detail: { kind: 'text', text: 'Look at executions' },
				async run({ caller }) {
					const own = capabilities.listFor(caller);
					const wanted = executionId === undefined ? own : [requireOwnExecution(own, executionId)];
					return { executions: await Promise.all(wanted.map((info) => readExecutionState(capabilities, info))) };
				},
			}),
	};
}

function stopExecutionOp({ capabilities }: CapabilityOpDeps): OpImplementation<'capability.stop'> {
	return {
		async prepare({ executionId }, { caller }) {
			const { name, type } = requireOwnExecution(capabilities.listFor(caller), executionId);
			return {
				targets: [],
				detail: { kind: 'text', text: `Stop the ${type} ${name}` },
				async run() {
					await capabilities.stop(executionId);
					return await readExecutionState(capabilities, capabilities.info(executionId));
				},
			};
		},
	};
}

/** A name may be that of one with its type before it, as they are listed. */
export function splitTypedName({ name, type }: { readonly name: string; readonly type?: string | undefined }) {
	const slash = name.indexOf('/');
	if (slash > 0 && type === undefined) {
		return { type: name.slice(0, slash), name: name.slice(slash + 1) };
	}
	return type === undefined ? { name } : { name, type };
}

function requireOwnExecution(own: readonly ExecutionInfo[], executionId: string): ExecutionInfo {
	const info = own.find((each) => each.executionId === executionId);
	if (info === undefined) {
		throw new ProwessError('INVALID_REQUEST', `there is no execution "${executionId}" of this caller`, { executionId });
	}
	return info;
}

async function readExecutionState(
	capabilities: CapabilityOpDeps['capabilities'],
	{ executionId, name, type, status, startedAt, leftovers, resultView }: ExecutionInfo,
): Promise<ExecutionState> {
	const state = { executionId, name, type, status, startedAt };
	if (isLive(status)) {
		return state;
	}
	const { success, result, additionalContext, error, capabilityPath } = await capabilities.wait(executionId);
	return {
		...state,
		success,
		result,
		additionalContext,
		capabilityPath,
		...(error === undefined ? {} : { error: { ...error, facts: { ...error.facts } } }),
		...(resultView === undefined ? {} : { resultView }),
		...(leftovers.length === 0 ? {} : { leftovers: [...leftovers] }),
		...(capabilities.wasStoppedByUser(executionId) ? { stoppedByUser: true as const } : {}),
	};
}

/** Describes a skill that was loaded as a completed run. No process runs, so there is no execution to ask about. */
function loadedState(
	{ name, type }: { readonly name: string; readonly type: string },
	instructions: LoadedInstructions,
): ExecutionState {
	const startedAt = new Date().toISOString();
	return { executionId: '', name, type, status: 'completed', startedAt, success: true, instructions };
}

/** From "a person is asked, or is not any more" to waits of the op, one at a time. */
export function personWaits(context: OpContext, name: string): { change(isWaiting: boolean): void } {
	let end: (() => void) | undefined;
	return {
		change(isWaiting) {
			if (isWaiting && end === undefined) {
				const over = new Promise<void>((resolve) => {
					end = resolve;
				});
				void context.waitForPerson(`${name} asks`, () => over);
			} else if (!isWaiting) {
				end?.();
				end = undefined;
			}
		},
	};
}
