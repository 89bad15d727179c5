/** Runs one round of a goal that is worked on until its condition holds: a turn, then the check. */
import { causeForUser } from '../../../protocol/errors/error-text.ts';
import { inEnglish, type Text, text } from '../../../protocol/text/text.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ScheduledTurnEnd } from '../../schedule/scheduled-turn.ts';
import type { ClaimedStep, RoundLimits, RoundUse, UntilCondition } from '../goal.ts';
import type { StepEnd } from '../goal-store.ts';
import { createRoundMessage } from '../step-messages.ts';
import { checkGoalCondition, type ConditionPorts, type ConditionState } from './condition-check.ts';

/** Use of models by a thread in all. */
export type ThreadUse = Pick<RoundUse, 'tokens' | 'cost'>;

interface RoundPorts {
	readonly condition: ConditionPorts;
	/** Rejects where `signal` aborts; the turn is stopped then. */
	turn(message: string, onUse: (use: ThreadUse) => void, signal: AbortSignal): Promise<ScheduledTurnEnd>;
	useOf(threadId: ThreadId): Promise<ThreadUse>;
	/** Keeps what the round has used. */
	use(used: RoundUse): void;
}

/**
 * Checks first where nobody has, or an earlier process may have died between the turn and its check. Rejects when the
 * signal aborts.
 */
export async function runGoalRound(
	claimed: ClaimedStep,
	until: UntilCondition,
	ports: RoundPorts,
	signal: AbortSignal,
): Promise<StepEnd> {
	const { goal, step, isTakenOver } = claimed;
	const { threadId, folder } = goal;
	const checkNow = () => checkGoalCondition({ threadId, condition: step.text, until, folder }, ports.condition, signal);
	let missing = step.reason;
	if (isTakenOver || (step.attempts === 1 && until.check !== null)) {
		const state = await checkNow();
		if (state.kind !== 'open') {
			return endOfCheck(state);
		}
		({ missing } = state);
	}
	const passed = findPassedLimit(until.limits, goal.used, step.attempts - 1);
	if (passed !== undefined) {
		return limitEnd(passed, missing);
	}
	const worked = await workOnce(claimed, until, missing, ports, signal);
	if (worked.end !== undefined) {
		return worked.end;
	}
	const state = await checkNow();
	if (state.kind !== 'open') {
		return endOfCheck(state);
	}
	const reached = findPassedLimit(until.limits, worked.used, step.attempts);
	return reached === undefined ? { state: 'waiting', reason: state.missing } : limitEnd(reached, state.missing);
}

/** Works in one turn, which ends where a limit is reached. `end`: without a look at the condition. */
async function workOnce(
	claimed: ClaimedStep,
	until: UntilCondition,
	missing: Text | null,
	ports: RoundPorts,
	signal: AbortSignal,
): Promise<{ readonly used: RoundUse; readonly end?: StepEnd }> {
	const { goal } = claimed;
	const before = await ports.useOf(goal.threadId);
	const began = performance.now();
	let now = before;
	const usedSince = (): RoundUse => ({
		tokens: Math.max(0, now.tokens - before.tokens),
		cost: Math.max(0, now.cost - before.cost),
		ms: performance.now() - began,
	});
	const readUseNow = () => addUse(goal.used, usedSince());
	const life = new AbortController();
	const timer = setTimeout(() => life.abort(), Math.max(0, until.limits.minutes * 60_000 - goal.used.ms));
	let turn: ScheduledTurnEnd | undefined;
	try {
		turn = await ports.turn(
			createRoundMessage(claimed, until, missing === null ? '' : inEnglish(missing)),
			(use) => {
				now = use;
				if (findPassedLimit(until.limits, readUseNow(), 0) !== undefined) life.abort();
			},
			AbortSignal.any([signal, life.signal]),
		);
	} catch (error) {
		if (signal.aborted || !life.signal.aborted) {
			throw error;
		}
	} finally {
		clearTimeout(timer);
		now = await ports.useOf(goal.threadId);
		ports.use(usedSince());
	}
	const end = turn === undefined ? undefined : endOfTurn(turn, missing);
	return { used: readUseNow(), ...(end === undefined ? {} : { end }) };
}

function addUse(a: RoundUse, b: RoundUse): RoundUse {
	return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost, ms: a.ms + b.ms };
}

/** Undefined: the turn came to its end, so that the condition is looked at. */
function endOfTurn({ state, error }: ScheduledTurnEnd, missing: Text | null): StepEnd | undefined {
	switch (state) {
		case 'done':
			return undefined;
		case 'interrupted':
			return { state: 'waiting', reason: missing };
		case 'stopped':
			return { state: 'needsYou', reason: text('The round was stopped.') };
		case 'failed': {
			const why = error === undefined ? '' : causeForUser(error, (template) => template);
			return { state: 'failed', reason: text('The round failed. {why}', { why }) };
		}
	}
}

function endOfCheck(state: Exclude<ConditionState, { kind: 'open' }>): StepEnd {
	return state.kind === 'holds' ? { state: 'done', reason: null } : { state: 'needsYou', reason: state.why };
}

function limitEnd(limit: Text, missing: Text | null): StepEnd {
	const reason =
		missing === null
			? text('A limit was reached: {limit}.', { limit })
			: text('A limit was reached: {limit}. Still missing: {missing}', { limit, missing });
	return { state: 'failed', reason };
}

function findPassedLimit(limits: RoundLimits, { tokens, cost, ms }: RoundUse, rounds: number): Text | undefined {
	if (rounds >= limits.rounds) {
		return limits.rounds === 1 ? text('1 round') : text('{n} rounds', { n: limits.rounds });
	}
	if (tokens >= limits.tokens) {
		return limits.tokens === 1 ? text('1 token') : text('{n} tokens', { n: limits.tokens });
	}
	if (cost >= limits.cost) {
		return limits.cost === 1 ? text('1 US dollar') : text('{n} US dollars', { n: limits.cost });
	}
	if (ms < limits.minutes * 60_000) return undefined;
	return limits.minutes === 1 ? text('1 minute') : text('{n} minutes', { n: limits.minutes });
}
