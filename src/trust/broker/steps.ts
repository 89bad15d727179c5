/** The steps of an op before its effect, in the order in which the broker takes them. None has an effect on the machine. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { isOpName, OP_NAMES, ops } from '../../protocol/op-table/ops.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { compareRisk } from '../../protocol/ops/risk.ts';
import { formatSchemaProblems } from '../../protocol/text/schema-problem.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { resolveCallerPermissions } from '../gate/policy/executions/execution-permissions.ts';
import { parseAllowRules } from '../gate/policy/rules/allow-rule.ts';
import { decideOp, decideTrust } from '../gate/policy/gate.ts';
import type { GateDecision, GateInput } from '../gate/policy/gate-decision.ts';
import { RISK_LEVEL_RULES, resolveOpRisk } from '../gate/policy/levels/levels.ts';
import { limitPerHour, type RatePlace, type Rate } from '../gate/policy/executions/rate.ts';
import { readsUnasked } from '../gate/policy/commands/command-question.ts';
import { type Assessment, assessTargets } from '../gate/policy/commands/risk-assessor.ts';
import { mergeStrictRules, NO_STRICT_RULES, type StrictRules } from '../gate/policy/rules/strict-rule.ts';
import type { ThreadGrants } from '../gate/policy/levels/thread-grants.ts';
import { userStrictRules } from '../gate/policy/rules/user-rules.ts';
import { canonicalJson, sha256 } from '../record/store/chain/canonical-json.ts';
import type { HostPorts, SimulationPort } from '../../contract/ports/ports.ts';
import {
	type BrokerCall,
	denyCall,
	failCall,
	continueWith,
	showParams,
	type CallRefusal,
	type StepVerdict,
} from './call.ts';
import type { ReadText } from '../../contract/labels.ts';
import type { AllowedBeforehand, Caller } from '../../contract/ops/caller.ts';
import type { OpWork } from '../../contract/ops/perform-op.ts';
import { addDecisionNote } from '../../contract/decision.ts';
import { HOOK_TIMEOUT_MS, SIMULATION_TIMEOUT_MS } from './limits.ts';
import { asProwessError, type OpHooks, type Prepared } from '../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../contract/ops/target.ts';

/** Rules and grants that apply besides the user's settings. */
export interface Rulings {
	readonly grants: ThreadGrants;
	/** Strict rules of the workspace. */
	readonly policies: StrictRules;
	/** Rules for ops that the user always allows in this project. */
	readonly projectRules: readonly string[];
	/** Absent: every thread has the level of the settings. */
	levelOf?(threadId: ThreadId | null): PermissionLevel;
	/** Absent: every thread is at Agent. */
	modeOf?(threadId: ThreadId | null): Mode;
	/** Returns the tools that skills leave to a thread; absent: everything. */
	skillToolsOf?(threadId: ThreadId | null): readonly SkillTools[];
	/** Returns the rights that a person agreed to with the skills an agent has loaded; absent: none. */
	loadedBy?(caller: Caller): readonly AllowedBeforehand[];
	/** Returns the texts from outside, or with secrets, that the caller's model has read; absent: none. */
	textsReadBy?(caller: Caller): readonly ReadText[];
	/** Returns a decision of the gate after these texts. Absent: they change none. */
	readonly tighten?: NonNullable<GateInput['tighten']>;
}

export type GatePorts = Pick<HostPorts, 'workspace' | 'settings' | 'approvalMode'>;

export async function askHooks(
	hooks: OpHooks | undefined,
	call: BrokerCall,
	signal: AbortSignal,
): Promise<StepVerdict<null>> {
	const { opId, op } = call.asked;
	const params = call.shownParams;
	if (hooks === undefined || !hooks.concerns(op)) {
		return continueWith(null);
	}
	const limit = deriveSignal(signal, { what: `the hooks before ${op}`, timeoutMs: HOOK_TIMEOUT_MS });
	try {
		const verdict = await hooks.before({ opId, op, params, caller: call.origin.caller }, limit.signal);
		for (const asked of verdict.asked) call.decision = addDecisionNote(call.decision, `hook: ${asked}`);
		if (verdict.kind === 'continue') call.hookAsks = verdict.ask;
		return verdict.kind === 'continue'
			? continueWith(null)
			: denyCall('DENIED_BY_RULE', `a hook refuses ${op}: ${verdict.reason}`, {
					reason: text('A hook refuses it: {words}', { words: verdict.reason }),
				});
	} catch (error) {
		signal.throwIfAborted();
		return denyCall('DENIED_BY_RULE', `a hook before ${op} failed, which refuses it: ${toErrorMessage(error)}`);
	} finally {
		limit.dispose();
	}
}

export function parseCall(
	work: OpWork | undefined,
	call: BrokerCall,
): StepVerdict<{ readonly work: OpWork; readonly params: unknown }> {
	const { op, params } = call.asked;
	call.risk = work?.def.risk ?? resolveOpRisk(op);
	if (work === undefined) {
		const topic = `${op.split('.', 1)[0] ?? ''}.`;
		const near = OP_NAMES.filter((name) => name.startsWith(topic));
		const hint = near.length === 0 ? '' : `; there are ${near.join(', ')}`;
		return failCall(new ProwessError('UNKNOWN_OP', `there is no op "${op}"${hint}`, { op }));
	}
	const parsed = work.def.params.safeParse(params);
	if (!parsed.success) {
		const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
		return failCall(new ProwessError('INVALID_PARAMS', `${op}: ${formatSchemaProblems(parsed.error)}`, { problems }));
	}
	call.title = work.def.title(parsed.data);
	call.params = deepFreeze(parsed.data);
	return continueWith({ work, params: parsed.data });
}

/** An agent works only where the user has said something through this host: any other thread a server has made up or picked. */
export function checkThread(begun: ReadonlySet<ThreadId> | undefined, { origin }: BrokerCall): StepVerdict<null> {
	const { caller } = origin;
	// A poll is asked for by this host itself, in a thread that no server knows.
	if (caller.kind !== 'agent' || begun === undefined || begun.has(caller.threadId) || origin.poll !== undefined) {
		return continueWith(null);
	}
	const { threadId } = caller;
	return denyCall('INVALID_STATE', `the user has written nothing in thread ${threadId} here`, { threadId });
}

/** The name must be one that this caller may use now, whatever it was told before. */
export function checkAllowList(allowed: ReadonlySet<string> | undefined, call: BrokerCall): StepVerdict<null> {
	const { op } = call.asked;
	return allowed === undefined || allowed.has(op)
		? continueWith(null)
		: denyCall('DENIED_BY_RULE', `${op} is not among the ops of this caller. Use one of: ${[...allowed].join(', ')}`);
}

export function checkTrust(ports: GatePorts, work: OpWork): StepVerdict<null> {
	const decision = decideTrust(work.def, ports.workspace.isTrusted);
	return decision.kind === 'deny'
		? denyCall(decision.code, `${work.op}: ${inEnglish(decision.reason)}`, { rule: decision.rule })
		: continueWith(null);
}

/** Finds out what exactly would happen. From here on it is frozen, and its hash is what is approved. */
export async function prepareCall(
	work: OpWork,
	params: unknown,
	call: BrokerCall,
	signal: AbortSignal,
): Promise<StepVerdict<Prepared<unknown>>> {
	const { opId } = call.asked;
	try {
		const prepared = await work.prepare(params, { opId, caller: call.origin.caller, signal });
		signal.throwIfAborted();
		if (prepared.title !== undefined) {
			call.title = prepared.title;
			call.origin.onProgress({ opId, kind: 'titled', said: prepared.title });
		}
		return continueWith(sealPrepared(work, params, prepared, call));
	} catch (error) {
		signal.throwIfAborted();
		return failCall(asProwessError(error, work.op));
	}
}

/** Freezes what would happen; the ledger gets its hash. */
export function sealPrepared(
	{ op }: OpWork,
	params: unknown,
	prepared: Prepared<unknown>,
	call: BrokerCall,
): Prepared<unknown> {
	const { targets, detail } = prepared;
	deepFreeze(targets);
	deepFreeze(detail);
	call.paramsHash = sha256(canonicalJson({ op, params: showParams({ op, params }), targets, detail }));
	return Object.freeze(prepared);
}

/** Returns the decision of the gate under the rulings in force. A caller that acts on it records it in the call. */
export function judgeCall(
	ports: GatePorts,
	rulings: Rulings,
	work: OpWork,
	prepared: Prepared<unknown>,
	call: BrokerCall,
): GateDecision {
	return decideOn(ports, rulings, work, prepared.targets, call);
}

export function refusedByGate(
	work: OpWork,
	{ code, rule, reason, unattended }: Extract<GateDecision, { kind: 'deny' }>,
): CallRefusal {
	return denyCall(code, `${work.op} is refused by the rule "${rule}": ${inEnglish(reason)}`, {
		rule,
		reason,
		...(unattended === undefined ? {} : { unattended }),
	});
}

/** True when the op may touch this target too, under the rulings in force, without anybody being asked. */
export function isAllowedToo(
	ports: GatePorts,
	rulings: Rulings,
	work: OpWork,
	target: OpTarget,
	call: BrokerCall,
): boolean {
	return decideOn(ports, rulings, work, [target], call).kind === 'allow';
}

function decideOn(
	ports: GatePorts,
	{ grants, policies, projectRules, levelOf, modeOf, loadedBy, skillToolsOf, textsReadBy, tighten }: Rulings,
	work: OpWork,
	targets: readonly OpTarget[],
	call: BrokerCall,
): GateDecision {
	return decideOp({
		op: work.op,
		params: call.params,
		def: work.def,
		caller: call.origin.caller,
		// Each poll asks for the same: what it sends was settled with the first one.
		texts: (call.origin.poll?.number ?? 1) > 1 ? [] : (textsReadBy?.(call.origin.caller) ?? []),
		...(tighten === undefined ? {} : { tighten }),
		isFlowGranted: (...pair) => grants.hasFlow(call.threadId, ...pair),
		targets,
		mode: ports.approvalMode,
		threadMode: modeOf?.(call.threadId) ?? 'agent',
		skillTools: skillToolsOf?.(call.threadId) ?? [],
		loaded: loadedBy?.(call.origin.caller) ?? [],
		level: levelOf?.(call.threadId) ?? ports.settings.current['prowess.approvals.level'],
		strict: mergeStrictRules([userStrictRules(ports.settings), policies, askedByHook(work, call)]),
		rules: [
			...parseAllowRules(projectRules, 'project'),
			...parseAllowRules(ports.settings.current['prowess.approvals.allow'], 'everywhere'),
			...parseAllowRules([...grants.rulesOf(call.threadId), ...(call.origin.poll?.rules ?? [])], 'thread'),
		],
		hasSeveralFolders: ports.workspace.folders.length > 1,
		isTurnGranted: hasTurnGrant(grants, call),
		isGranted: (op, each) =>
			(call.origin.isAgreed === true && isInWordsOfCommand(each)) ||
			grants.has(call.threadId, op, isOpName(op) ? ops[op] : work.def, each),
	});
}

/** True for what the words of a command name openly, as who has agreed to them has read them. */
function isInWordsOfCommand(target: OpTarget): boolean {
	return target.kind === 'command' || (target.kind === 'file' && !target.isSecret && !target.isProtected);
}

/** Returns the wish of a hook as an `ask` rule, like one of the user. */
function askedByHook({ op }: OpWork, { hookAsks }: BrokerCall): StrictRules {
	const rule = { text: `${op} *`, op, pattern: '*', source: `a hook (${hookAsks})` };
	return hookAsks === undefined ? NO_STRICT_RULES : { ...NO_STRICT_RULES, ask: [rule] };
}

function hasTurnGrant(grants: ThreadGrants, { origin: { caller } }: BrokerCall): boolean {
	return caller.kind === 'agent' && grants.hasTurn(caller.threadId, caller.turnId);
}

export function checkPermissions(work: OpWork, call: BrokerCall): StepVerdict<null> {
	const { permission, risk, needsNoPermission = false } = work.def;
	const { caller } = call.origin;
	if (caller.kind === 'execution' && compareRisk(risk, caller.level) > 0) {
		const message = `${work.op} is ${risk}, and this capability runs as ${caller.level}, which does not reach it`;
		const reason = text('{op} does more than this capability asks for in its manifest.', { op: work.op });
		return denyCall('DENIED_BY_RULE', message, { risk, level: caller.level, reason });
	}
	return needsNoPermission || resolveCallerPermissions(caller).has(permission)
		? continueWith(null)
		: denyCall('DENIED_BY_RULE', `${work.op} needs the permission "${permission}", which this caller does not have`, {
				reason: text('{op} needs the permission "{permission}", which the capability does not have.', {
					op: work.op,
					permission,
				}),
			});
}

/** With nobody there, an op only reads, or is the command that a person has agreed to, and nothing about it is a question. */
export function checkPoll({ op, def }: OpWork, judged: GateDecision, { origin }: BrokerCall): StepVerdict<null> {
	// A denial that has nothing to do with who is there keeps its reason.
	if (origin.poll === undefined || (judged.kind === 'deny' && judged.unattended === undefined)) {
		return continueWith(null);
	}
	const isReading = def.effect === 'read' || (judged.kind === 'allow' && judged.allowedBy?.kind === 'reads');
	const isAgreed = origin.isAgreed === true && op === 'shell.run';
	if (!isReading && !isAgreed) {
		return denyCall('DENIED_BY_RULE', `${op}: a watch polls only what reads, and this does more`, {
			rule: 'watch',
			isAgreeable: op === 'shell.run',
			reason: text('A watch runs only commands that are known to read, unless you agree to this one.'),
		});
	}
	return judged.kind !== 'ask'
		? continueWith(null)
		: denyCall(
				'DENIED_BY_RULE',
				`${op}: nobody is there to be asked while a watch polls: ${inEnglish(judged.reason)}`,
				{
					rule: 'watch',
					reason: judged.reason,
				},
			);
}

/** The user is not kept from their own acts, but by the limit that is fixed. */
export async function checkRate(
	ports: GatePorts,
	rate: Rate,
	work: OpWork,
	call: BrokerCall,
): Promise<StepVerdict<RatePlace>> {
	const { risk } = work.def;
	const limit =
		call.origin.caller.kind === 'user' ? RISK_LEVEL_RULES[risk].perHour : limitPerHour(risk, ports.settings.current);
	const entered = await rate.enter(work.op, limit);
	if ('place' in entered) {
		return continueWith(entered.place);
	}
	const { exceeded } = entered;
	const minutes = Math.max(1, Math.ceil(exceeded.waitMs / 60_000));
	const nextAt = exceeded.nextAt.toISOString();
	return denyCall(
		'RATE_LIMITED',
		`${work.op} ran ${limit} times in the last 60 minutes or is about to, which is its limit. The next is possible in ${minutes} min (${nextAt})`,
		{ op: work.op, limit, minutes, nextAt },
	);
}

/** For the person who is asked; recorded where the risk level says so. */
export function assessRisk(work: OpWork, prepared: Prepared<unknown>, call: BrokerCall): Assessment {
	const assessment = assessTargets(prepared.targets);
	if (RISK_LEVEL_RULES[work.def.risk].assessed) {
		call.assessed = assessment.level;
	}
	return assessment;
}

/** Facts that decide whether a call is worth a prediction. */
interface SimulatedFacts extends Pick<Prepared<unknown>, 'targets'> {
	readonly assessment: Assessment;
	/** A person is asked about it. */
	readonly isAsked: boolean;
}

/**
 * Returns the prediction of a model; undefined when there is none or it failed. A prediction or a failure is recorded
 * in the decision. Only what a person is asked about, or what may not be undone, is predicted (S0-15): nothing for a
 * risk below RESTRICTED, or for commands that only read.
 */
export async function simulateCall(
	simulation: SimulationPort | undefined,
	work: OpWork,
	call: BrokerCall,
	{ targets, assessment, isAsked }: SimulatedFacts,
	signal: AbortSignal,
): Promise<string | undefined> {
	const commands = targets.filter((target) => target.kind === 'command');
	const onlyReads = commands.length > 0 && commands.every((command) => readsUnasked(command, call.origin.caller));
	const isWorthIt = !onlyReads && (isAsked || assessment.level !== 'low');
	if (simulation === undefined || !isWorthIt || compareRisk(work.def.risk, 'RESTRICTED') < 0) {
		return undefined;
	}
	const limit = deriveSignal(signal, { what: 'the simulation', timeoutMs: SIMULATION_TIMEOUT_MS });
	try {
		const { shownParams, threadId, origin } = call;
		const readContext = async (within: AbortSignal) => {
			const messages = (await origin.readThread?.(within)) ?? [];
			return messages.findLast(({ sender }) => sender === 'user')?.content ?? '';
		};
		const simulated = { op: work.op, params: shownParams, threadId, context: readContext };
		call.simulation = await simulation.simulate(simulated, limit.signal);
		if (call.simulation !== undefined) {
			call.decision = addDecisionNote(call.decision, `simulated: ${call.simulation}`);
		}
		return call.simulation;
	} catch (error) {
		signal.throwIfAborted();
		call.decision = addDecisionNote(call.decision, `simulation failed: ${toErrorMessage(error)}`);
		return undefined;
	} finally {
		limit.dispose();
	}
}

/** After this nothing can change what was judged. Plain data only. */
function deepFreeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const member of Object.values(value)) {
			deepFreeze(member);
		}
	}
	return value;
}
