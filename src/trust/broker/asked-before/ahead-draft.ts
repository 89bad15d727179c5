/** The question about an op before its turn: the steps of the broker that have no effect, up to the question. */
import type { ThreadId } from '../../../protocol/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { ruled } from '../../../contract/decision.ts';
import type { OpHooks } from '../../../contract/ops/op-hooks.ts';
import type { Asked, Origin, Work } from '../../../contract/ops/perform-op.ts';
import type { SimulationPort } from '../../../contract/ports/simulation-port.ts';
import type { GateDecision } from '../../gate/policy/gate-decision.ts';
import { type Asking, askPerson } from '../person/ask-person.ts';
import type { AheadDraft } from './asked-ahead.ts';
import { callOf } from '../call.ts';
import {
	assessRisk,
	checkAllowList,
	checkPermissions,
	checkThread,
	checkTrust,
	type GatePorts,
	judge,
	parse,
	prepare,
	type Rulings,
	simulate,
} from '../steps.ts';

/** Ports, rulings and lookups that the broker judges an op with. */
export interface AheadSteps {
	readonly ports: GatePorts;
	readonly hooks: OpHooks | undefined;
	readonly simulation: SimulationPort | undefined;
	readonly begun: ReadonlySet<ThreadId> | undefined;
	workOf(op: string): Work | undefined;
	allowedOps(caller: Caller): ReadonlySet<string> | undefined;
	refreshRules(signal: AbortSignal): Promise<void>;
	/** Returns the rulings that are in force at the moment of the call. */
	rulings(): Rulings;
	asking(judgeAgain: () => GateDecision): Asking;
}

/** Undefined where there is no question, or only the turn of the op can tell. */
export async function aheadDraft(
	steps: AheadSteps,
	asked: Asked,
	origin: Omit<Origin, 'onProgress'>,
	signal: AbortSignal,
): Promise<AheadDraft | undefined> {
	const { ports } = steps;
	// A hook is asked once, and may refuse it.
	if (steps.hooks?.concerns(asked.op) === true) return undefined;
	const { caller } = origin;
	const call = callOf(asked, { ...origin, onProgress: () => {} }, 0);
	const parsed = parse(steps.workOf(asked.op), call);
	if (parsed.kind === 'refused') return undefined;
	const { work, params } = parsed.value;
	const checks = [
		checkThread(steps.begun, call),
		checkAllowList(steps.allowedOps(caller), call),
		checkTrust(ports, work),
		checkPermissions(work, call),
	];
	if (checks.some(({ kind }) => kind === 'refused')) return undefined;
	const prepared = await prepare(work, params, call, signal);
	if (prepared.kind === 'refused') return undefined;
	await steps.refreshRules(signal);
	const judgeAgain = () => judge(ports, steps.rulings(), work, prepared.value, call);
	const judged = judgeAgain();
	if (judged.kind !== 'ask') return undefined;
	call.decision = ruled(judged, []);
	const assessment = assessRisk(work, prepared.value, call);
	// Kept for the turn of the op, which asks for the same.
	const warned = { assessment, advice: await simulate(steps.simulation, work, call, signal) };
	return {
		call,
		prepared: prepared.value,
		put: (life) => askPerson(steps.asking(judgeAgain), work, prepared.value, call, warned, life),
	};
}
