/** The steps of an op before its effect, in the order in which the broker takes them. None has an effect on the machine. */
import { messageOf } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { isOpName, OP_NAMES, ops } from '../../protocol/ops.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { PermissionLevel } from '../../protocol/permission-level.ts';
import { compareRisk } from '../../protocol/ops/risk.ts';
import { problemsOf } from '../../protocol/text/schema-problem.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { parseAllowRules } from '../gate/policy/rules/allow-rule.ts';
import { decide, decideTrust } from '../gate/policy/gate.ts';
import type { GateDecision } from '../gate/policy/gate-decision.ts';
import { LEVELS, riskOf } from '../gate/policy/levels/levels.ts';
import { permissionsOf } from '../gate/policy/levels/permissions.ts';
import { limitPerHour, type Place, type Rate } from '../gate/policy/executions/rate.ts';
import { type Assessment, assess } from '../gate/policy/commands/risk-assessor.ts';
import { mergeStrictRules, NO_STRICT_RULES, type StrictRules } from '../gate/policy/rules/strict-rule.ts';
import type { ThreadGrants } from '../gate/policy/levels/thread-grants.ts';
import { userStrictRules } from '../gate/policy/rules/user-rules.ts';
import { canonicalJson, sha256 } from '../record/store/chain/canonical-json.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { type Call, denied, failed, go, type Refusal, type Verdict } from './call.ts';
import type { AllowedBeforehand, Caller } from '../../contract/ops/caller.ts';
import type { Work } from '../../contract/ops/perform-op.ts';
import { asProwessError } from '../../contract/ops/as-prowess-error.ts';
import { noted } from '../../contract/decision.ts';
import { deepFreeze } from './deep-freeze.ts';
import { HOOK_TIMEOUT_MS, SIMULATION_TIMEOUT_MS } from './limits.ts';
import type { Prepared } from '../../contract/ops/op-implementation.ts';
import type { Target } from '../../contract/ops/target.ts';
import type { OpHooks } from '../../contract/ops/op-hooks.ts';
import type { SimulationPort } from '../../contract/ports/simulation-port.ts';

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
}

export type GatePorts = Pick<HostPorts, 'workspace' | 'settings' | 'approvalMode'>;

export async function askHooks(hooks: OpHooks | undefined, call: Call, signal: AbortSignal): Promise<Verdict<null>> {
	const { opId, op, params } = call.asked;
	if (hooks === undefined || !hooks.concerns(op)) {
		return go(null);
	}
	const limit = deriveSignal(signal, { what: `the hooks before ${op}`, timeoutMs: HOOK_TIMEOUT_MS });
	try {
		const verdict = await hooks.before({ opId, op, params, caller: call.origin.caller }, limit.signal);
		for (const asked of verdict.asked) call.decision = noted(call.decision, `hook: ${asked}`);
		if (verdict.kind === 'continue') call.hookAsks = verdict.ask;
		return verdict.kind === 'continue'
			? go(null)
			: denied('DENIED_BY_RULE', `a hook refuses ${op}: ${verdict.reason}`, {
					reason: text('A hook refuses it: {words}', { words: verdict.reason }),
				});
	} catch (error) {
		signal.throwIfAborted();
		return denied('DENIED_BY_RULE', `a hook before ${op} failed, which refuses it: ${messageOf(error)}`);
	} finally {
		limit.dispose();
	}
}

export function parse(work: Work | undefined, call: Call): Verdict<{ readonly work: Work; readonly params: unknown }> {
	const { op, params } = call.asked;
	call.risk = work?.def.risk ?? riskOf(op);
	if (work === undefined) {
		const topic = `${op.split('.', 1)[0] ?? ''}.`;
		const near = OP_NAMES.filter((name) => name.startsWith(topic));
		const hint = near.length === 0 ? '' : `; there are ${near.join(', ')}`;
		return failed(new ProwessError('UNKNOWN_OP', `there is no op "${op}"${hint}`, { op }));
	}
	const parsed = work.def.params.safeParse(params);
	if (!parsed.success) {
		const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
		return failed(new ProwessError('INVALID_PARAMS', `${op}: ${problemsOf(parsed.error)}`, { problems }));
	}
	call.title = work.def.title(parsed.data);
	return go({ work, params: deepFreeze(parsed.data) });
}

/** An agent works only where the user has said something through this host: any other thread a server has made up or picked. */
export function checkThread(begun: ReadonlySet<ThreadId> | undefined, { origin }: Call): Verdict<null> {
	const { caller } = origin;
	if (caller.kind !== 'agent' || begun === undefined || begun.has(caller.threadId)) {
		return go(null);
	}
	const { threadId } = caller;
	return denied('INVALID_STATE', `the user has written nothing in thread ${threadId} here`, { threadId });
}

/** The name must be one that this caller may use now, whatever it was told before. */
export function checkAllowList(allowed: ReadonlySet<string> | undefined, call: Call): Verdict<null> {
	const { op } = call.asked;
	return allowed === undefined || allowed.has(op)
		? go(null)
		: denied('DENIED_BY_RULE', `${op} is not among the ops of this caller. Use one of: ${[...allowed].join(', ')}`);
}

export function checkTrust(ports: GatePorts, work: Work): Verdict<null> {
	const decision = decideTrust(work.def, ports.workspace.isTrusted);
	return decision.kind === 'deny'
		? denied(decision.code, `${work.op}: ${inEnglish(decision.reason)}`, { rule: decision.rule })
		: go(null);
}

/** Finds out what exactly would happen. From here on it is frozen, and its hash is what is approved. */
export async function prepare(
	work: Work,
	params: unknown,
	call: Call,
	signal: AbortSignal,
): Promise<Verdict<Prepared<unknown>>> {
	const { opId } = call.asked;
	try {
		const prepared = await work.prepare(params, { opId, caller: call.origin.caller, signal });
		signal.throwIfAborted();
		return go(sealed(work, params, prepared, call));
	} catch (error) {
		signal.throwIfAborted();
		return failed(asProwessError(error, work.op));
	}
}

/** Freezes what would happen; the ledger gets its hash. */
export function sealed({ op }: Work, params: unknown, prepared: Prepared<unknown>, call: Call): Prepared<unknown> {
	const { targets, detail } = prepared;
	deepFreeze(targets);
	deepFreeze(detail);
	call.paramsHash = sha256(canonicalJson({ op, params, targets, detail }));
	return Object.freeze(prepared);
}

/** Returns the decision of the gate under the rulings in force. A caller that acts on it records it in the call. */
export function judge(
	ports: GatePorts,
	rulings: Rulings,
	work: Work,
	prepared: Prepared<unknown>,
	call: Call,
): GateDecision {
	return decideOn(ports, rulings, work, prepared.targets, call);
}

export function refusedByGate(
	work: Work,
	{ code, rule, reason, unattended }: Extract<GateDecision, { kind: 'deny' }>,
): Refusal {
	return denied(code, `${work.op} is refused by the rule "${rule}": ${inEnglish(reason)}`, {
		rule,
		reason,
		...(unattended === undefined ? {} : { unattended }),
	});
}

/** True when the op may touch this target too, under the rulings in force, without anybody being asked. */
export function isAllowedToo(ports: GatePorts, rulings: Rulings, work: Work, target: Target, call: Call): boolean {
	return decideOn(ports, rulings, work, [target], call).kind === 'allow';
}

function decideOn(
	ports: GatePorts,
	{ grants, policies, projectRules, levelOf, modeOf, loadedBy, skillToolsOf }: Rulings,
	work: Work,
	targets: readonly Target[],
	call: Call,
): GateDecision {
	return decide({
		op: work.op,
		def: work.def,
		caller: call.origin.caller,
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
			...parseAllowRules(grants.rulesOf(call.threadId), 'thread'),
		],
		hasSeveralFolders: ports.workspace.folders.length > 1,
		isTurnGranted: hasTurnGrant(grants, call),
		isGranted: (op, each) => grants.has(call.threadId, op, isOpName(op) ? ops[op] : work.def, each),
	});
}

/** Returns the wish of a hook as an `ask` rule, like one of the user. */
function askedByHook({ op }: Work, { hookAsks }: Call): StrictRules {
	const rule = { text: `${op} *`, op, pattern: '*', source: `a hook (${hookAsks})` };
	return hookAsks === undefined ? NO_STRICT_RULES : { ...NO_STRICT_RULES, ask: [rule] };
}

function hasTurnGrant(grants: ThreadGrants, { origin: { caller } }: Call): boolean {
	return caller.kind === 'agent' && grants.hasTurn(caller.threadId, caller.turnId);
}

export function checkPermissions(work: Work, call: Call): Verdict<null> {
	const { permission, risk, needsNoPermission = false } = work.def;
	const { caller } = call.origin;
	if (caller.kind === 'execution' && compareRisk(risk, caller.level) > 0) {
		const message = `${work.op} is ${risk}, and this capability runs as ${caller.level}, which does not reach it`;
		const reason = text('{op} is {risk}, and this capability runs as {level}, which does not allow it.', {
			op: work.op,
			risk,
			level: caller.level,
		});
		return denied('DENIED_BY_RULE', message, { risk, level: caller.level, reason });
	}
	return needsNoPermission || permissionsOf(caller).has(permission)
		? go(null)
		: denied('DENIED_BY_RULE', `${work.op} needs the permission "${permission}", which this caller does not have`, {
				reason: text('{op} needs the permission "{permission}", which the capability does not have.', {
					op: work.op,
					permission,
				}),
			});
}

/** The user is not kept from their own acts, but by the limit that is fixed. */
export async function checkRate(ports: GatePorts, rate: Rate, work: Work, call: Call): Promise<Verdict<Place>> {
	const { risk } = work.def;
	const limit = call.origin.caller.kind === 'user' ? LEVELS[risk].perHour : limitPerHour(risk, ports.settings.current);
	const entered = await rate.enter(work.op, limit);
	if ('place' in entered) {
		return go(entered.place);
	}
	const { exceeded } = entered;
	const minutes = Math.max(1, Math.ceil(exceeded.waitMs / 60_000));
	const nextAt = exceeded.nextAt.toISOString();
	return denied(
		'RATE_LIMITED',
		`${work.op} ran ${limit} times in the last 60 minutes or is about to, which is its limit. The next is possible in ${minutes} min (${nextAt})`,
		{ op: work.op, limit, minutes, nextAt },
	);
}

/** For the person who is asked; recorded where the risk level says so. */
export function assessRisk(work: Work, prepared: Prepared<unknown>, call: Call): Assessment {
	const assessment = assess(prepared.targets);
	if (LEVELS[work.def.risk].assessed) {
		call.assessed = assessment.level;
	}
	return assessment;
}

/**
 * Returns the prediction of a model; undefined when there is none or it failed. A prediction or a failure is recorded
 * in the decision. Without a simulation port, or for a risk below RESTRICTED, nothing is predicted and nothing
 * recorded.
 */
export async function simulate(
	simulation: SimulationPort | undefined,
	work: Work,
	call: Call,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (simulation === undefined || compareRisk(work.def.risk, 'RESTRICTED') < 0) {
		return undefined;
	}
	const limit = deriveSignal(signal, { what: 'the simulation', timeoutMs: SIMULATION_TIMEOUT_MS });
	try {
		const { asked, threadId, origin } = call;
		const context = async (within: AbortSignal) => {
			const messages = (await origin.readThread?.(within)) ?? [];
			return messages.findLast(({ sender }) => sender === 'user')?.content ?? '';
		};
		const simulated = { op: work.op, params: asked.params, threadId, context };
		call.simulation = await simulation.simulate(simulated, limit.signal);
		if (call.simulation !== undefined) {
			call.decision = noted(call.decision, `simulated: ${call.simulation}`);
		}
		return call.simulation;
	} catch (error) {
		signal.throwIfAborted();
		call.decision = noted(call.decision, `simulation failed: ${messageOf(error)}`);
		return undefined;
	} finally {
		limit.dispose();
	}
}
