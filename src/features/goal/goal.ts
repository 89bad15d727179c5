/** Data kept of a goal: steps that build on each other, each worked on in a turn of the goal's one thread. */
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { Mode } from '../../protocol/thread/thread.ts';

export interface PlannedStep {
	readonly text: string;
	/** Numbers of the steps that must be done before, from 1. */
	readonly after: readonly number[];
}

export interface NewGoal {
	readonly title: string;
	/** Real path of the project. */
	readonly folder: string;
	readonly mode: Mode;
	readonly steps: readonly PlannedStep[];
}

/** `claimed`: a process has it, and its message may not be taken yet. `started`: its turn has begun. */
export type StepState = 'waiting' | 'claimed' | 'started' | 'done' | 'failed';

export interface GoalStep extends PlannedStep {
	/** From 1. */
	readonly number: number;
	readonly state: StepState;
	/** Process that works on it; empty: none does. */
	readonly owner: string;
	/** Id of the message of its last attempt: however often it is sent, its turn begins once. */
	readonly messageId: ItemId;
	readonly attempts: number;
}

/** `open`: a process may go on with it. */
export type GoalState = 'open' | 'paused' | 'cancelled' | 'done' | 'failed';

export interface Goal extends Omit<NewGoal, 'steps'> {
	readonly id: string;
	readonly state: GoalState;
	readonly threadId: ThreadId;
	readonly createdAt: number;
	/** A host that stays, such as an editor with its folder open, goes on with it by itself. */
	readonly isFollowed: boolean;
	readonly steps: readonly GoalStep[];
}

/** A step that this process is to work on now. */
export interface ClaimedStep {
	readonly goal: Goal;
	readonly step: GoalStep;
	/** An earlier attempt was cut short: what it did stands. */
	readonly isContinued: boolean;
}
