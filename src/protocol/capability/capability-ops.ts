/**
 * Capabilities, as the agent and other capabilities find, start, watch and stop them. Starting one is a question of its own:
 * the person agrees to a capability's content before it runs, and each op of it is judged again.
 */
import { cutText } from '../../base/text/one-line.ts';
import * as z from '../text/zod.ts';
import { EXECUTION_STATUSES, leftInWords } from '../execution/execution.ts';
import { CapabilityInput } from './manifest.ts';
import { cardDrawing, drawResult } from '../text/draw-result.ts';
import { type DrawnResult, OutputView } from '../text/output-view.ts';
import { Permission, RiskLevel } from '../ops/risk.ts';
import { OpError } from '../turn/broker.ts';
import { CapabilityValue } from '../ops/capability-value.ts';
import { SkillTools } from '../ops/skill-tools-left.ts';
import { defineOp, notForModels } from '../ops/define-op.ts';
import { text } from '../text/text.ts';

const ShortName = z.string().min(1).max(64);
/** Name of a capability, or `type/name`. */
const NameOfOne = z.string().min(1).max(129);
const ExecutionId = z.string().min(1).max(64);

/** Source of a capability: Prowess, the user or the workspace. */
const CapabilityPlace = z.enum(['built-in', 'global', 'project']);

/** Summary of a capability: as much as it takes to choose one. */
export const CapabilitySummary = z.object({
	name: z.string(),
	type: z.string(),
	source: CapabilityPlace,
	description: z.string(),
	/** Names of those that it needs beside it; absent without any. */
	requires: z.array(z.string()).optional(),
});
export type CapabilitySummary = z.infer<typeof CapabilitySummary>;

/** Instructions of a skill that the agent of a thread follows from now on. */
const LoadedInstructions = z.object({
	/** Instructions as they are written, with the places for its folder and its params filled in. */
	text: z.string(),
	/** Folder with the copy of its files, absolute. */
	folder: z.string(),
	/** Files below the folder; the first ones when there are many. */
	files: z.array(z.string()),
	fileCount: z.int().nonnegative(),
	/** Tools that the thread has from now on, of one that names some; absent: as before. */
	skillTools: z.array(SkillTools).optional(),
});
export type LoadedInstructions = z.infer<typeof LoadedInstructions>;

/** Run of a capability. The result is present when it has ended. */
export const ExecutionState = z.object({
	executionId: z.string(),
	name: z.string(),
	type: z.string(),
	status: z.enum(EXECUTION_STATUSES),
	startedAt: z.string(),
	/** Absent while it runs. */
	success: z.boolean().optional(),
	result: z.unknown().optional(),
	additionalContext: z.unknown().optional(),
	error: OpError.optional(),
	/** View of the result, as its manifest declares it. */
	resultView: OutputView.optional(),
	/** The user ended it, at its card. */
	stoppedByUser: z.literal(true).optional(),
	/** Processes that it had left outside its group and that were ended; absent without any. */
	leftovers: z.array(z.object({ pid: z.int(), name: z.string() })).optional(),
	/** Instructions of one that nobody runs: the agent follows them itself. */
	instructions: LoadedInstructions.optional(),
	capabilityPath: z.string().optional(),
});
export type ExecutionState = z.infer<typeof ExecutionState>;

/** Characters of one page of the list: a model that looks for one capability reads a few thousand words at most. */
const MAX_PAGE_CHARS = 8_000;

/** `total`: all that match, also before the offset. `isComplete`: false when there may be more. */
const CapabilityPage = z.object({
	capabilities: z.array(CapabilitySummary),
	offset: z.int().nonnegative().default(0),
	total: z.int().nonnegative().optional(),
	isComplete: z.boolean().default(true),
	/** Value of each, in their order; absent unless the best are asked for. */
	values: z.array(CapabilityValue).optional(),
});

export const capabilityList = defineOp({
	params: z.strictObject({
		/** Words to look for in names, descriptions and tags; what has most of them comes first. */
		query: z.string().max(500).optional(),
		type: ShortName.optional(),
		/** So many of those that match are passed over. */
		offset: z.int().nonnegative().default(0),
		tags: z.array(z.string().max(100)).max(20).optional().meta(notForModels),
		author: z.string().max(200).optional().meta(notForModels),
		/** Milliseconds after which it answers with what it has found by then; absent: it finds all. */
		withinMs: z.int().positive().max(30_000).optional().meta(notForModels),
		/** Only so many that are worth most at the beginning of a thread, with their values; with that text, and those files. */
		best: z
			.strictObject({ text: z.string().max(128_000), paths: z.array(z.string()).max(1_000), count: z.int().positive() })
			.optional()
			.meta(notForModels),
	}),
	result: CapabilityPage,
	risk: 'SAFE',
	permission: 'capabilities',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Find what can be run.',
	title({ query, type }) {
		if (type === undefined) {
			return query === undefined ? text('List capabilities') : text('List capabilities for "{query}"', { query });
		}
		return query === undefined
			? text('List capabilities of type {type}', { type })
			: text('List capabilities of type {type} for "{query}"', { type, query });
	},
	present: presentList,
	isHousekeeping: true,
});

const CapabilityTool = z.object({
	name: z.string(),
	description: z.string(),
	inputs: z.array(
		z.object({
			name: z.string(),
			type: z.enum(['string', 'number', 'boolean', 'object', 'array', 'any']),
			items: z.enum(['string', 'number', 'boolean', 'object']).optional(),
			description: z.string().optional(),
			required: z.boolean(),
		}),
	),
});

export const capabilityDetail = defineOp({
	params: z.strictObject({ name: NameOfOne, type: ShortName.optional().meta(notForModels) }),
	result: z.object({
		name: z.string(),
		type: z.string(),
		version: z.string(),
		description: z.string(),
		source: CapabilityPlace,
		level: RiskLevel,
		permissions: z.array(Permission),
		inputs: z.array(CapabilityInput),
		/** Start of what is written in it; absent for a program. */
		body: z.string().optional(),
		/** Tools of one that runs in a worker: start it with one of them as `tool`. Absent for others. */
		tools: z.array(CapabilityTool).optional(),
	}),
	risk: 'SAFE',
	permission: 'capabilities',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Inputs and text of a capability.',
	title: ({ name }) => text('Look at the capability {name}', { name }),
	present: ({ body, ...r }) => [JSON.stringify(r, null, 1), ...(body === undefined ? [] : [body])].join('\n\n'),
	isHousekeeping: true,
});

export const capabilityStart = defineOp({
	params: z.strictObject({
		name: NameOfOne,
		type: ShortName.optional().meta(notForModels),
		params: z.record(z.string(), z.unknown()).default({}),
		/** Name of the tool to run, for a capability that has tools. */
		tool: z.string().min(1).max(100).optional(),
		/** Milliseconds of running time; absent: no limit. */
		timeoutMs: z.int().positive().max(86_400_000).optional().meta(notForModels),
		wait: z.boolean().default(true),
	}),
	result: ExecutionState,
	risk: 'MONITORED',
	permission: 'capabilities',
	effect: 'execute',
	timeoutMs: 0,
	// The execution ends itself at its limit, with a clock that stands while a person is asked anything.
	limitMs: () => 0,
	tool: 'Run a capability for its result, or load a skill to follow.',
	title({ name, type, tool }) {
		const what = type === undefined ? text('capability {name}', { name }) : `${type} ${name}`;
		return tool === undefined ? text('Run {what}', { what }) : text('Run {what}: {tool}', { what, tool });
	},
	present: presentExecution,
	drawn: drawExecution,
	instructions: ({ type, name, instructions }) =>
		instructions === undefined ? undefined : { name: `${type}/${name}`, text: loadedText(instructions) },
});

export const capabilityStatus = defineOp({
	params: z.strictObject({ executionId: ExecutionId.optional() }),
	result: z.object({ executions: z.array(ExecutionState) }),
	risk: 'SAFE',
	permission: 'capabilities',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'State and results of runs.',
	title: ({ executionId }) =>
		executionId === undefined ? text('Look at executions') : text('Look at {what}', { what: executionId }),
	present: ({ executions }) => executions.map(presentExecution).join('\n') || 'There are none.',
	drawn: ({ executions }) => (executions.length > 1 ? drawExecutions(executions) : executions.map(drawExecution)[0]),
	isHousekeeping: true,
});

export const capabilityStop = defineOp({
	params: z.strictObject({ executionId: ExecutionId }),
	result: ExecutionState,
	risk: 'SAFE',
	permission: 'capabilities',
	effect: 'execute',
	timeoutMs: 30_000,
	tool: 'Stop a run.',
	title: ({ executionId }) => text('Stop {executionId}', { executionId }),
	present: presentExecution,
	drawn: drawExecution,
});

/** The user's own act, in a thread: the host carries it out only where it saw the user's message ask for just this. */
export const capabilitySwitch = defineOp({
	params: z.strictObject({ name: NameOfOne, type: ShortName.optional(), isEnabled: z.boolean() }),
	result: z.object({ name: z.string(), type: z.string() }),
	risk: 'MONITORED',
	permission: 'capabilities',
	effect: 'interact',
	timeoutMs: 30_000,
	callers: ['agent'],
	title: ({ name, isEnabled }) =>
		isEnabled ? text('Enable the capability {name}', { name }) : text('Disable the capability {name}', { name }),
	present: ({ type, name }) => `${type}/${name} is switched.`,
});

const ServiceName = z.string().min(1).max(100);

/** Runs what a capability needs by the name of the service, so that neither has to know the other. */
export const servicesCall = defineOp({
	params: z.strictObject({
		name: ServiceName,
		/** Tool of the provider; absent: the one named like the service, else its only one. */
		verb: z.string().min(1).max(100).optional(),
		params: z.record(z.string(), z.unknown()).default({}),
		/** Provider to ask, as `name` or `type/name`; absent: the first that `services.listProviders` gives. */
		app: NameOfOne.optional(),
		/** Milliseconds of running time; absent: no limit. */
		timeoutMs: z.int().positive().max(86_400_000).optional(),
	}),
	/** The provider's result, as it is. */
	result: z.unknown(),
	risk: 'MONITORED',
	permission: 'capabilities',
	effect: 'execute',
	timeoutMs: 0,
	// The provider ends itself at its limit, as with `capability.start`.
	limitMs: () => 0,
	callers: ['execution'],
	title: ({ name, app }) =>
		app === undefined
			? text('Ask for the service {name}', { name })
			: text('Ask {app} for the service {name}', { app, name }),
	present: (r) => cutText(JSON.stringify(r) ?? '', MAX_PAGE_CHARS),
});

/** Provider of a service. The names of its fields are those of the system that services come from. */
const ServiceProvider = z.object({
	/** Provider as `type/name`. */
	app_id: z.string(),
	/** Tool that would run; absent: the capability has none, or the caller has to name one. */
	via: z.string().optional(),
	/** Addresses for which it provides the service, `*` for anything; absent: it does for all. */
	urls: z.array(z.string()).optional(),
	/** `present` and `missing`: whether a secret that it stored, or that an input names, is there. */
	cred_state: z.enum(['not_required', 'present', 'missing']),
});

export const servicesListProviders = defineOp({
	params: z.strictObject({ name: ServiceName }),
	/** The one that is asked first comes first. */
	result: z.object({ providers: z.array(ServiceProvider) }),
	risk: 'SAFE',
	permission: 'capabilities',
	effect: 'read',
	timeoutMs: 30_000,
	aliases: ['services.list_providers'],
	callers: ['execution'],
	title: ({ name }) => text('List the providers of the service {name}', { name }),
	present: (r) => r.providers.map((each) => each.app_id).join(', ') || 'There are none.',
});

/** Characters of an exception that a model reads (S0-09). The user reads all of it: on the page of the run, and in the log. */
const MODEL_ERROR_CHARS = 300;

function presentExecution(state: ExecutionState): string {
	const { executionId, name, type, status, success, result, additionalContext, error, leftovers = [] } = state;
	const left = leftovers.length === 0 ? [] : [`[${leftInWords(leftovers)}]`];
	if (state.instructions !== undefined) {
		return `[The instructions of ${type} ${name} stand behind the results of these calls. Nothing was run.]`;
	}
	if (success === undefined) {
		return `[${type} ${name} is ${status} as ${executionId}; its result comes with capability_status]`;
	}
	if (state.stoppedByUser === true) return [`[${type} ${name} was stopped by the user]`, ...left].join('\n');
	if (!success) {
		return [
			`[${type} ${name} ${status}] ${error?.code}: ${cutText(error?.message ?? '', MODEL_ERROR_CHARS)}`,
			...left,
		].join('\n');
	}
	return [result, additionalContext]
		.filter((each) => each !== undefined)
		.map((each) => (typeof each === 'string' ? each : JSON.stringify(each, null, 1)))
		.concat(`[${type} ${name} completed]`, left)
		.join('\n');
}

/** Undefined while there is no result: it runs, was stopped, failed, or gave instructions. */
function drawExecution({ success, result, resultView, instructions }: ExecutionState): DrawnResult | undefined {
	return success === true && instructions === undefined && result !== undefined
		? drawResult(resultView, result, cardDrawing)
		: undefined;
}

function drawExecutions(executions: readonly ExecutionState[]): DrawnResult {
	const rows = executions.map(({ type, name, status, startedAt }) => ({ name: `${type}/${name}`, status, startedAt }));
	return drawResult({ view: 'table' }, rows, cardDrawing);
}

function loadedText({ text, folder, files, fileCount }: LoadedInstructions): string {
	const others = files.filter((name) => name.toLowerCase() !== 'skill.md');
	const more = fileCount - files.length;
	const listed = `${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	return [
		`Its files lie in ${folder}, which is not in the workspace: name them by their absolute paths, for fs_read and in commands.${others.length === 0 ? '' : ` There are ${listed}.`}`,
		text,
	].join('\n\n');
}

/** Lists as many capabilities as fill one page, whole, and how to read on. */
function presentList({ capabilities, offset, total, isComplete }: z.output<typeof CapabilityPage>): string {
	const all = total ?? offset + capabilities.length;
	const lines = capabilities.map(({ name, type, description }) => `${type}/${name}: ${description}`);
	let chars = 0;
	const fit = lines.findIndex((line) => (chars += line.length + 1) > MAX_PAGE_CHARS);
	const page = lines.slice(0, fit === -1 ? lines.length : Math.max(1, fit));
	const end = offset + page.length;
	return [
		...page,
		...(all === 0 ? ['None matches.'] : []),
		...(page.length < all ? [`[${page.length} of ${all}${end < all ? `; the next ones: offset ${end}` : ''}]`] : []),
		...(isComplete ? [] : ['There may be more: they are still being read.']),
	].join('\n');
}
