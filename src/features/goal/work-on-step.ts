/** Works on a claimed step: in one turn, or, where a condition is to hold, in one round. */
import { causeForUser } from '../../protocol/errors/error-text.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { scheduledTurn, type ScheduledTurnEnd, type TurnPorts } from '../schedule/scheduled-turn.ts';
import type { ClaimedStep, Goal, GoalStep, RoundUse } from './goal.ts';
import type { StepEnd } from './goal-store.ts';
import { goalLimits } from './limits.ts';
import { createStepMessage } from './step-messages.ts';
import type { ConditionPorts } from './until/condition-check.ts';
import { runGoalRound, type ThreadUse } from './until/run-round.ts';

export interface StepWorkPorts {
	readonly turns: TurnPorts;
	readonly condition: ConditionPorts;
	/** The message of the step is taken. */
	begun(): void;
	/** Returns what speaks against the verdict that was tried last; null: nothing does. */
	reasonOf(): Text | null;
	/** Told each event of the thread while a turn of the step runs. */
	onEvent(event: ThreadEvent): void;
	/** Keeps what a round has used. */
	use(used: RoundUse): void;
}

/** The end of the step unless its agent has given a verdict. Rejects where `signal` aborts. */
export async function workOnStep(claimed: ClaimedStep, ports: StepWorkPorts, signal: AbortSignal): Promise<StepEnd> {
	const { goal, step } = claimed;
	const { turns, condition } = ports;
	const take = (message: string, onUse: ((use: ThreadUse) => void) | undefined, until: AbortSignal) =>
		scheduledTurn(
			turns,
			{
				schedule: { text: message, mode: goal.mode },
				run: { threadId: goal.threadId, messageId: step.messageId },
				cause: createCause(goal, step),
				strategy: goal.until === undefined ? 'GOAL_STEP' : 'DIRECT_RESPONSE',
				onEvent(event) {
					if (event.type === 'usage') {
						const { inputTokens, outputTokens, cost = 0 } = event.usage;
						onUse?.({ tokens: inputTokens + outputTokens, cost });
					}
					ports.onEvent(event);
				},
			},
			() => ports.begun(),
			until,
		);
	if (goal.until === undefined) {
		return endWithoutVerdict(await take(createStepMessage(claimed), undefined, signal), ports.reasonOf());
	}
	turns.beginThread(goal.threadId, step.text, createCause(goal, step));
	return await runGoalRound(
		claimed,
		goal.until,
		{
			condition,
			turn: take,
			useOf: (threadId) => readThreadUse(threadId, turns),
			use: (used) => ports.use(used),
		},
		signal,
	);
}

/** Returns what the ops of a step name as their cause. */
export function createCause({ id }: Pick<Goal, 'id'>, { number }: Pick<GoalStep, 'number'>): string {
	return `step ${number} of ${id}`;
}

function endWithoutVerdict({ state, error }: ScheduledTurnEnd, lack: Text | null): StepEnd {
	switch (state) {
		case 'interrupted':
			return { state: 'waiting', reason: null };
		case 'stopped':
			return { state: 'failed', reason: text('The turn of this step was stopped.') };
		case 'failed': {
			const why = error === undefined ? '' : causeForUser(error, (template) => template);
			return { state: 'failed', reason: text('The turn of this step failed. {why}', { why }) };
		}
		case 'done':
			return { state: 'failed', reason: lack ?? text('The agent gave no verdict.') };
	}
}

async function readThreadUse(threadId: ThreadId, turns: Pick<TurnPorts, 'server'>): Promise<ThreadUse> {
	try {
		const server = await turns.server();
		const limit = AbortSignal.timeout(goalLimits.useMs);
		const { usage } = await server.call(threadRequests.open, { threadId, items: 1 }, limit);
		return usage === null
			? { tokens: 0, cost: 0 }
			: { tokens: usage.inputTokens + usage.outputTokens, cost: usage.cost ?? 0 };
	} catch {
		// The thread of a goal that has not begun does not exist.
		return { tokens: 0, cost: 0 };
	}
}
