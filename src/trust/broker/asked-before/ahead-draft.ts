/** The question about an op before its turn: the steps of the broker that have no effect, up to the question. */
import type { OpHooks } from '../../../contract/ops/op-implementation.ts';
import type { SimulationPort } from '../../../contract/ports/ports.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { createDecision } from '../../../contract/decision.ts';
import type { RequestedOp, OpOrigin, OpWork } from '../../../contract/ops/perform-op.ts';
import type { GateDecision } from '../../gate/policy/gate-decision.ts';
import { type PersonQuestionDeps, askPerson } from '../person/ask-person.ts';
import type { AheadDraft } from './asked-ahead.ts';
import { createCall } from '../call.ts';
import {
	assessRisk,
	checkAllowList,
	checkPermissions,
	checkThread,
	checkTrust,
	type GatePorts,
	judgeCall,
	parseCall,
	prepareCall,
	type Rulings,
	simulateCall,
} from '../steps.ts';

/** Ports, rulings and lookups that the broker judges an op with. */
export interface AheadSteps {
	readonly ports: GatePorts;
	readonly hooks: OpHooks | undefined;
	readonly simulation: SimulationPort | undefined;
	readonly begun: ReadonlySet<ThreadId> | undefined;
	workOf(op: string): OpWork | undefined;
	allowedOps(caller: Caller): ReadonlySet<string> | undefined;
	refreshRules(signal: AbortSignal): Promise<void>;
	/** Returns the rulings that are in force at the moment of the call. */
	rulings(): Rulings;
	asking(judgeAgain: () => GateDecision): PersonQuestionDeps;
}

/** Undefined where there is no question, or only the turn of the op can tell. */
export async function aheadDraft(
	steps: AheadSteps,
	asked: RequestedOp,
	origin: Omit<OpOrigin, 'onProgress'>,
	signal: AbortSignal,
): Promise<AheadDraft | undefined> {
	const { ports } = steps;
	// A hook is asked once, and may refuse it.
	if (steps.hooks?.concerns(asked.op) === true) return undefined;
	const { caller } = origin;
	const call = createCall(asked, { ...origin, onProgress: () => {} }, 0);
	const parsed = parseCall(steps.workOf(asked.op), call);
	if (parsed.kind === 'refused') return undefined;
	const { work, params } = parsed.value;
	const checks = [
		checkThread(steps.begun, call),
		checkAllowList(steps.allowedOps(caller), call),
		checkTrust(ports, work),
		checkPermissions(work, call),
	];
	if (checks.some(({ kind }) => kind === 'refused')) return undefined;
	const prepared = await prepareCall(work, params, call, signal);
	if (prepared.kind === 'refused') return undefined;
	await steps.refreshRules(signal);
	const judgeAgain = () => judgeCall(ports, steps.rulings(), work, prepared.value, call);
	const judged = judgeAgain();
	if (judged.kind !== 'ask') return undefined;
	call.decision = createDecision(judged, []);
	const assessment = assessRisk(work, prepared.value, call);
	// Kept for the turn of the op, which asks for the same.
	const weighed = { targets: prepared.value.targets, assessment, isAsked: true };
	const warned = { assessment, advice: await simulateCall(steps.simulation, work, call, weighed, signal) };
	return {
		call,
		prepared: prepared.value,
		put: (life) => askPerson(steps.asking(judgeAgain), work, prepared.value, call, warned, life),
	};
}
