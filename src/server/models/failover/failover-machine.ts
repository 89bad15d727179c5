/**
 * State machine of failover: chooses the provider that is asked for an answer, and how often. Pure: states, events and
 * one table; the driver (`failover.ts`) reports what has happened. Source: the fallback machine of the pipeline (S1-22
 * to S1-25).
 *
 * The machine holds the candidates and the retries that are left, so that its end is a property of the machine. With n
 * candidates and r retries each, no run has more than n(2r + 3) + 2 transitions: one to start; for each candidate its
 * pick, r retries of two transitions each and two to leave it; one to end.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';

export type FailoverState = 'Idle' | 'Selecting' | 'Attempting' | 'Succeeded' | 'Retrying' | 'Exhausted' | 'Aborted';

/**
 * `ProviderSuccess`: a candidate was picked, a wait is over, or the answer is there, by the state. `RetryableError`: it failed in
 * a way that may pass; then, that it may be asked again. `Timeout`: it took too long; then, that the next one is to be asked.
 */
export type FailoverEvent = 'Start' | 'ProviderSuccess' | 'RetryableError' | 'FatalError' | 'UserAbort' | 'Timeout';

type NextFailoverState = FailoverState | ((machine: { readonly retriesLeft: number }) => FailoverState);

function againOrNext({ retriesLeft }: { readonly retriesLeft: number }): FailoverState {
	return retriesLeft > 0 ? 'Attempting' : 'Selecting';
}

/**
 * Transitions of the machine; an event that a state does not list is no transition. The end states take every event and
 * stay.
 */
const TABLE: { readonly [S in FailoverState]: { readonly [E in FailoverEvent]?: NextFailoverState } } = {
	Idle: { Start: 'Selecting', UserAbort: 'Aborted' },
	Selecting: { ProviderSuccess: 'Attempting', FatalError: 'Exhausted', UserAbort: 'Aborted' },
	Attempting: {
		ProviderSuccess: 'Succeeded',
		RetryableError: 'Retrying',
		FatalError: 'Aborted',
		UserAbort: 'Aborted',
		Timeout: 'Retrying',
	},
	Retrying: {
		// Both use up a retry: else a machine could go to and fro for ever.
		ProviderSuccess: againOrNext,
		RetryableError: againOrNext,
		FatalError: 'Aborted',
		UserAbort: 'Aborted',
		Timeout: 'Selecting',
	},
	Succeeded: {},
	Exhausted: {},
	Aborted: {},
};

const ENDS: ReadonlySet<FailoverState> = new Set(['Succeeded', 'Exhausted', 'Aborted']);

export interface FailoverTransition {
	readonly from: FailoverState;
	readonly event: FailoverEvent;
	readonly to: FailoverState;
	/** Detail from the driver, for people: the model that was picked, the code of a fault, or a wait. */
	readonly about?: string;
}

export class FailoverMachine {
	readonly #retries: number;
	readonly #bound: number;
	#state: FailoverState = 'Idle';
	#candidatesLeft: number;
	#retriesLeft = 0;
	readonly #steps: FailoverTransition[] = [];

	/** `candidates` are at least one; `retries` are those of each. */
	constructor({ candidates, retries }: { readonly candidates: number; readonly retries: number }) {
		this.#candidatesLeft = candidates;
		this.#retries = retries;
		this.#bound = candidates * (2 * retries + 3) + 2;
	}

	get state(): FailoverState {
		return this.#state;
	}

	get isOver(): boolean {
		return ENDS.has(this.#state);
	}

	/** Candidates that were not picked yet. */
	get candidatesLeft(): number {
		return this.#candidatesLeft;
	}

	/** Retries of the one that was picked last. */
	get retriesLeft(): number {
		return this.#retriesLeft;
	}

	/** Every transition, in order. */
	get steps(): readonly FailoverTransition[] {
		return this.#steps;
	}

	/** Throws INVALID_STATE for an event that means nothing in this state; the machine stays as it is. */
	take(event: FailoverEvent, about?: string): FailoverState {
		const from = this.#state;
		if (this.isOver) {
			return from;
		}
		const next = TABLE[from][event];
		const isPick = from === 'Selecting' && event === 'ProviderSuccess';
		if (next === undefined || (isPick && this.#candidatesLeft === 0)) {
			throw new ProwessError('INVALID_STATE', `failover: ${event} means nothing while ${from}`, { state: from, event });
		}
		const to = typeof next === 'function' ? next(this) : next;
		if (isPick) {
			this.#candidatesLeft -= 1;
			this.#retriesLeft = this.#retries;
		} else if (from === 'Retrying' && to === 'Attempting') {
			this.#retriesLeft = Math.max(0, this.#retriesLeft - 1);
		}
		this.#state = to;
		this.#steps.push({ from, event, to, ...(about !== undefined && { about }) });
		if (this.#steps.length > this.#bound) {
			throw new ProwessError('INTERNAL', `failover made more than ${this.#bound} transitions`, { bound: this.#bound });
		}
		return to;
	}
}
