/** Carries out a step that this process has claimed, and ends it in the store, with its verdict where there is one. */
import { claimLost } from '../../contract/claim-lost.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { ClaimedStep, GoalStep, GoalWatcher } from './goal.ts';
import { type GoalStore, STATE_OF_VERDICT, type StepEnd } from './goal-store.ts';
import { goalLimits } from './limits.ts';
import { type StepWorkPorts, workOnStep } from './work-on-step.ts';

interface CarryOutPorts extends Pick<StepWorkPorts, 'turns' | 'condition'> {
	readonly store: GoalStore;
	/** Records that the step begins. Rejects where that cannot be recorded: then it does not begin. */
	recordStep(claimed: ClaimedStep, signal: AbortSignal): Promise<void>;
	onChange(): void;
}

/** Resolves also when the goal was cancelled meanwhile. Rejects when another process has taken the step over. */
export async function carryOutStep(
	claimed: ClaimedStep,
	{ store, recordStep, onChange, ...ports }: CarryOutPorts,
	watcher: GoalWatcher,
	signal: AbortSignal,
): Promise<void> {
	const { goal, step } = claimed;
	const life = new AbortController();
	const lost = claimLost(`step ${step.number} of ${goal.id}`);
	const look = setInterval(() => {
		if (store.hasLost(goal.id, step.number)) {
			life.abort(lost);
		} else if (store.get(goal.id)?.state === 'cancelled') {
			life.abort(createGoalStateError(goal.id, `${goal.id} was cancelled`, text('This goal was cancelled.')));
		}
	}, goalLimits.lookMs);
	const until = AbortSignal.any([signal, life.signal]);
	let end: StepEnd = { state: 'waiting', reason: goal.until === undefined ? null : step.reason };
	let isOurs = true;
	try {
		await recordStep(claimed, until);
		const noteBegun = () => {
			if (!store.started(goal.id, step.number)) {
				life.abort(lost);
			}
			onChange();
		};
		end = await workOnStep(
			claimed,
			{
				...ports,
				begun: noteBegun,
				onEvent: (event) => watcher.onEvent?.(event),
				reasonOf: () => findStep(store, claimed)?.reason ?? null,
				use: (used) => store.use(goal.id, used),
			},
			until,
		);
	} catch (error) {
		if (life.signal.aborted && life.signal.reason !== lost) {
			return;
		}
		throw error;
	} finally {
		clearInterval(look);
		isOurs = store.ended(goal.id, step.number, findVerdict(store, claimed) ?? end);
	}
	if (!isOurs && store.hasLost(goal.id, step.number)) {
		throw lost;
	}
}

/** Returns the end that the verdict on the step gives it; undefined: there is none. */
function findVerdict(store: GoalStore, claimed: ClaimedStep): StepEnd | undefined {
	const now = findStep(store, claimed);
	return now?.verdict === undefined || now.verdict === null
		? undefined
		: { state: STATE_OF_VERDICT[now.verdict], reason: now.reason };
}

/** Returns the step as the store has it now. */
function findStep(store: GoalStore, { goal, step }: ClaimedStep): GoalStep | undefined {
	return store.get(goal.id)?.steps.find(({ number }) => number === step.number);
}

export function createGoalStateError(id: string, message: string, said: Text): ProwessError {
	return new ProwessError('INVALID_STATE', message, { id, said });
}
