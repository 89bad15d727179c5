/** Data kept of a goal: steps that build on each other, each worked on in a turn of the goal's one thread. */
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { Text } from '../../protocol/text/text.ts';
import type { Mode, ThreadEvent } from '../../protocol/thread/thread.ts';

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
	/** Present: the goal has one step, which is worked on in rounds until this holds. */
	readonly until?: UntilCondition | undefined;
}

/** Most that the rounds of a goal may use together. */
export interface RoundLimits {
	readonly rounds: number;
	readonly tokens: number;
	/** US dollars. */
	readonly cost: number;
	readonly minutes: number;
}

export interface UntilCondition {
	/** Command line that decides with its exit code; null: a model judges. */
	readonly check: string | null;
	readonly limits: RoundLimits;
	/** Hashes of what the check runs, as the user agreed to it; absent: nothing of the project, or not noted. */
	readonly scripts?: Readonly<Record<string, string>> | undefined;
}

/** Use of models and time by the rounds of a goal until now. */
export interface RoundUse {
	readonly tokens: number;
	readonly cost: number;
	readonly ms: number;
}

/** End of a step, as its agent says. */
export type GoalVerdict = 'done' | 'notDone' | 'needsYou';

/**
 * `claimed`: a process has it, and its message may not be taken yet. `started`: its turn has begun. `failed`: it is not
 * done, and the steps that wait for it do not begin. `needsYou`: neither, before the user has done or decided something.
 */
export type StepState = 'waiting' | 'claimed' | 'started' | 'done' | 'failed' | 'needsYou';

export interface GoalStep extends PlannedStep {
	/** From 1. */
	readonly number: number;
	readonly state: StepState;
	/** Process that works on it; empty: none does. */
	readonly owner: string;
	/** Id of the message of its last attempt: however often it is sent, its turn begins once. */
	readonly messageId: ItemId;
	readonly attempts: number;
	/** Verdict that its agent has given and the recorded ops bear out; null: none yet. */
	readonly verdict: GoalVerdict | null;
	/** Why it is not done, or what is still missing; null: nothing was said. */
	readonly reason: Text | null;
}

/** `open`: a process may go on with it. */
export type GoalState = 'open' | 'paused' | 'cancelled' | 'done' | 'failed' | 'needsYou';

export interface Goal extends Omit<NewGoal, 'steps'> {
	readonly id: string;
	readonly state: GoalState;
	readonly threadId: ThreadId;
	readonly createdAt: number;
	/** A host that stays, such as an editor with its folder open, goes on with it by itself. */
	readonly isFollowed: boolean;
	/** Use by the rounds of a goal with `until`; zero before its first round has ended. */
	readonly used: RoundUse;
	readonly steps: readonly GoalStep[];
}

/** A step that this process is to work on now. */
export interface ClaimedStep {
	readonly goal: Goal;
	readonly step: GoalStep;
	/** An earlier attempt was cut short: what it did stands. */
	readonly isContinued: boolean;
	/** The process that had begun it has died. */
	readonly isTakenOver: boolean;
}

/** Listener while a goal is worked on. */
export interface GoalWatcher {
	/** Hears of each step before it begins. */
	onStep?(claimed: ClaimedStep): void;
	/** Hears of each event in the goal's thread while a step runs. */
	onEvent?(event: ThreadEvent): void;
}
