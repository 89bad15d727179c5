/**
 * services.call, services.listProviders and llm.resolveTools: a capability asks for what others offer without knowing them.
 * A provider runs as `capability.start` runs it: its user agreed to it, and it gets no more rights than the one who asks.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { LLM_SERVICE } from '../../protocol/ops/definitions/agent/llm.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { compareRisk } from '../../protocol/ops/risk.ts';
import { toolName, trimToolSchema } from '../../protocol/op-table/op-tool.ts';
import { canonicalOp, OP_NAMES, type OpName, type OpParams, type OpResult, ops } from '../../protocol/op-table/ops.ts';
import { isServiceFor, type WorkerTool } from '../../protocol/manifest/worker-tools.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { OpContext, OpImplementations } from '../../contract/ops/op-implementation.ts';
import { ownSecretName } from '../../machine/secrets/secret-vault.ts';
import type { Capability } from '../../catalog/registry/sources/capability-source.ts';
import { readWorkerTools } from '../../catalog/tools-of-files.ts';
import { checkStarter } from '../../execution/runs/start/who-may-start.ts';
import type { DataDeps } from '../data/data-deps.ts';
import { callingCapability } from '../data/secrets.ts';
import { checkRun, personWaits, splitTypedName } from './capabilities.ts';
import type { CapabilityDeps } from './capability-deps.ts';

type ServiceOp = 'services.call' | 'services.listProviders' | 'llm.resolveTools';
type ServiceDeps = Pick<CapabilityDeps, 'capabilities'> &
	Partial<Pick<CapabilityDeps, 'mayRun'>> &
	Pick<DataDeps, 'secrets'>;
type ResolvedTool = OpResult<'llm.resolveTools'>['tools'][number];

export function serviceOps(deps: ServiceDeps): Pick<OpImplementations, ServiceOp> {
	return {
		'services.call': {
			async prepare(params, { caller, signal }) {
				const { name, verb } = params;
				if (name === LLM_SERVICE) {
					const message = `the service ${LLM_SERVICE} is asked with llm.chat and llm.oneshot: the user chooses who answers`;
					throw new ProwessError('INVALID_PARAMS', message, {
						said: text('The service {name} is asked with llm.chat and llm.oneshot.', { name }),
					});
				}
				const { provider, via } = await chooseProvider(deps, params, caller);
				const { manifest } = provider;
				checkStarter(manifest, { caller, isNamedByUser: false });
				await checkRun(deps.mayRun, manifest, caller, signal);
				const tool = verb ?? via;
				const what = `${manifest.type} ${manifest.name}${tool === undefined ? '' : `, its tool ${tool},`}`;
				return {
					targets: [{ kind: 'capability', type: manifest.type, name: manifest.name }],
					detail: {
						kind: 'text',
						text: `Run the ${what} for the service ${name} with ${JSON.stringify(params.params)}`,
					},
					run: (context) => runServiceProvider(deps, provider, tool, params, context),
				};
			},
		},
		'services.listProviders': {
			prepare: ({ name }, { caller }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: `List the providers of the service ${name}` },
					async run() {
						const providers = await listProviders(deps, name, caller);
						return { providers: await Promise.all(providers.map((each) => describeProvider(deps, name, each))) };
					},
				}),
		},
		'llm.resolveTools': {
			prepare: ({ tools }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: `Describe the tools ${tools.join(', ')}` },
					run: async ({ caller }) => ({
						tools: await Promise.all(tools.map((each) => resolveTool(deps, each, caller))),
					}),
				}),
		},
	};
}

/** Lists those that another capability may start, without the caller itself. The one used here last is first, then by source and name. */
async function listProviders({ capabilities }: ServiceDeps, service: string, caller: Caller): Promise<Capability[]> {
	const [{ capabilities: all }, used] = await Promise.all([capabilities.available(), capabilities.usedHere()]);
	const own = callingCapability(caller);
	const lastUsed = (each: Capability) => used.get(nameWithType(each))?.lastAt ?? 0;
	const sources = ['project', 'global', 'built-in'];
	return all
		.filter(({ manifest }) => manifest.modelInvocable && manifest.provides.includes(service))
		.filter((each) => nameWithType(each) !== own)
		.sort(
			(a, b) =>
				lastUsed(b) - lastUsed(a) ||
				sources.indexOf(a.source) - sources.indexOf(b.source) ||
				(nameWithType(a) < nameWithType(b) ? -1 : 1),
		);
}

interface ChosenProvider {
	readonly provider: Capability;
	/** The tool that answers; undefined where its manifest does not say, or it has none. */
	readonly via: string | undefined;
}

/** Chooses the one whose tool is for the address that is asked about before one for all addresses. */
async function chooseProvider(
	deps: ServiceDeps,
	{ name: service, app, params }: OpParams<'services.call'>,
	caller: Caller,
): Promise<ChosenProvider> {
	const about = typeof params['url'] === 'string' ? params['url'] : '';
	const pickIn = async (provider: Capability) => ({
		provider,
		...pickServiceTool(service, await readWorkerTools(provider.manifest, provider.path), about),
	});
	if (app !== undefined) {
		const found = await deps.capabilities.find(splitTypedName({ name: app }));
		if (found.manifest.provides.includes(service)) {
			const picked = await pickIn(found);
			if (picked.isFor !== 'others') return picked;
			const message = `${app} provides ${service} only for ${picked.urls?.join(', ') ?? ''}`;
			throw new ProwessError('INVALID_REQUEST', message, {
				service,
				said: text('{app} provides {service} only for {urls}.', { app, service, urls: picked.urls?.join(', ') ?? '' }),
			});
		}
		const message = `${app} does not provide ${service}: its manifest needs \`provides: [${service}]\``;
		throw new ProwessError('INVALID_REQUEST', message, {
			service,
			said: text('{app} does not provide {service}: its manifest needs `provides: [{service}]`.', { app, service }),
		});
	}
	const picked = await Promise.all((await listProviders(deps, service, caller)).map(pickIn));
	const first = picked.find(({ isFor }) => isFor === 'address') ?? picked.find(({ isFor }) => isFor === 'all');
	if (first !== undefined) return first;
	if (picked.length > 0) {
		const urls = picked.flatMap((each) => each.urls ?? []).join(', ');
		throw new ProwessError('CAPABILITY_NOT_FOUND', `${service} is provided only for ${urls}`, {
			name: service,
			said: text('The service {service} is provided only for {urls}.', { service, urls }),
		});
	}
	const message = `no capability provides ${service}. One does whose manifest says \`provides: [${service}]\``;
	throw new ProwessError('CAPABILITY_NOT_FOUND', message, {
		name: service,
		said: text('No capability provides {service}. Install one, or write one with `provides: [{service}]`.', {
			service,
		}),
	});
}

async function runServiceProvider(
	{ capabilities }: ServiceDeps,
	{ manifest: { name, type } }: Capability,
	tool: string | undefined,
	{ name: service, params, timeoutMs }: OpParams<'services.call'>,
	context: OpContext,
): Promise<unknown> {
	const { caller, signal } = context;
	const waiting = personWaits(context, name);
	try {
		const options = { capability: { name, type }, params, caller, onWaiting: waiting.change, metadata: { service } };
		const { executionId } = await capabilities.start(
			{
				...options,
				...(tool === undefined ? {} : { tool }),
				...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
			},
			signal,
		);
		const { error, result } = await capabilities.waitOrStop(executionId, signal);
		signal.throwIfAborted();
		if (error !== undefined) {
			const { code, message, facts } = error;
			throw new ProwessError(code, `${type}/${name}, for the service ${service}: ${message}`, facts);
		}
		return result ?? null;
	} finally {
		waiting.change(false);
	}
}

async function describeProvider({ secrets }: ServiceDeps, service: string, provider: Capability) {
	const { manifest, path } = provider;
	const { via, urls } = pickServiceTool(service, await readWorkerTools(manifest, path));
	const named = manifest.inputs.filter(({ format }) => format === 'secret');
	const isRequired = manifest.permissions.includes('secrets') || named.length > 0;
	const stored = (await secrets.names()).map((name) => name.toLowerCase());
	const own = (ownSecretName(nameWithType(provider), '') ?? '').toLowerCase();
	const isPresent =
		stored.some((name) => own !== '' && name.startsWith(own)) ||
		named.some(({ default: name }) => typeof name === 'string' && stored.includes(name.toLowerCase()));
	const state = isRequired ? (isPresent ? ('present' as const) : ('missing' as const)) : ('not_required' as const);
	return {
		app_id: nameWithType(provider),
		...(via === undefined ? {} : { via }),
		...(urls === undefined ? {} : { urls: [...urls] }),
		cred_state: state,
	};
}

interface PickedTool {
	readonly via: string | undefined;
	/** Addresses that the tool is for: the one that is asked about, all, or only others. */
	readonly isFor: 'address' | 'all' | 'others';
	/** Addresses for which the service is provided; absent: for all. */
	readonly urls?: readonly string[];
}

/** Picks the tool whose decorators name the service, else the tool that is called as the service is, else the only one. */
function pickServiceTool(service: string, tools: readonly WorkerTool[] = [], about = ''): PickedTool {
	const named = tools.flatMap(({ name, services = [] }) =>
		services.filter((each) => each.name === service).map(({ urls }) => ({ via: name, urls })),
	);
	const forAddress = named.find(({ urls }) => urls.length > 0 && isServiceFor(urls, about));
	if (forAddress !== undefined) return { ...forAddress, isFor: 'address' };
	const forAll = named.find(({ urls }) => urls.length === 0);
	if (forAll !== undefined) return { via: forAll.via, isFor: 'all' };
	const [firstNamed] = named;
	if (firstNamed !== undefined)
		return { via: firstNamed.via, isFor: 'others', urls: [...new Set(named.flatMap(({ urls }) => urls))] };
	const [first, ...others] = tools;
	const via = tools.find(({ name }) => name === service)?.name ?? (others.length === 0 ? first?.name : undefined);
	return { via, isFor: 'all' };
}

function nameWithType({ manifest: { type, name } }: Capability): string {
	return `${type}/${name}`;
}

/** Describes an op, or a tool of a capability, to the caller that may use it. */
async function resolveTool(deps: ServiceDeps, reference: string, caller: Caller): Promise<ResolvedTool> {
	const op = OP_NAMES.find((name) => canonicalOp(reference) === name || toolName(name) === reference);
	const tool = op === undefined ? undefined : (ops[op] as OpDef).tool;
	if (op === undefined || tool === undefined) return await resolveCapabilityTool(deps, reference, caller);
	checkUse(op, reference, caller);
	// Loaded when it is asked for: the host needs the schemas of tools for nothing else.
	const { opInputs } = await import('../../protocol/op-table/op-inputs.ts');
	return {
		name: toolName(op),
		description: tool,
		input_schema: trimToolSchema(opInputs[op]) as ResolvedTool['input_schema'],
	};
}

function checkUse(op: OpName, reference: string, caller: Caller): void {
	const { permission, risk }: OpDef = ops[op];
	if (caller.kind !== 'execution' || (caller.permissions.has(permission) && compareRisk(risk, caller.level) <= 0))
		return;
	throw new ProwessError('DENIED_BY_RULE', `${reference} is ${risk} and needs the permission "${permission}"`, {
		reason: text('{op} needs the permission "{permission}", which the capability does not have.', {
			op: reference,
			permission,
		}),
	});
}

async function resolveCapabilityTool(
	{ capabilities }: ServiceDeps,
	reference: string,
	caller: Caller,
): Promise<ResolvedTool> {
	const [, app = '', wanted = ''] = /^(.+)\.([^.]+)$/.exec(reference) ?? [];
	if (app === '') throw createUnknownToolError(reference, 'there is no op of that name');
	checkUse('capability.detail', reference, caller);
	const { manifest, path } = await capabilities.find(splitTypedName({ name: app }));
	const tools = (await readWorkerTools(manifest, path)) ?? [];
	const tool = tools.find(({ name }) => name === wanted);
	if (tool === undefined) {
		const names = tools.map(({ name }) => name).join(', ') || 'no tools';
		throw createUnknownToolError(reference, `${manifest.type}/${manifest.name} has ${names}`);
	}
	const properties = tool.inputs.map(({ name, type, items, description }) => [
		name,
		{
			...(type === 'any' ? {} : { type }),
			...(items === undefined ? {} : { items: { type: items } }),
			...(description === undefined ? {} : { description }),
		},
	]);
	const required = tool.inputs.filter((each) => each.required).map(({ name }) => name);
	return {
		name: reference,
		description: tool.description,
		input_schema: { type: 'object', properties: Object.fromEntries(properties) as unknown, required },
	};
}

function createUnknownToolError(reference: string, why: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `tools: "${reference}" is no tool: ${why}`, {
		reference,
		said: text('"{tool}" is not a tool that can be described.', { tool: reference }),
	});
}
