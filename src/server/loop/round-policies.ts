/** What follows from an answer and its calls: go on, say something first, or end. A list of small policies, each with its own state. */
import { assertNever } from '../../base/assert-never.ts';
import { limits } from './limits.ts';
import type { LoopEnd } from './loop.ts';
import type { ModelAnswer } from './model-answer.ts';
import type { ReadCall } from './read-call.ts';

/** One answer, after its calls were run. */
export interface Round {
	readonly answer: ModelAnswer;
	readonly calls: readonly ReadCall[];
	readonly hasText: boolean;
}

type Verdict =
	/** Ask again; `saying` goes before it, where the model has to hear why. */
	| { readonly kind: 'again'; readonly saying?: string }
	| { readonly kind: 'end'; readonly how: Exclude<LoopEnd['kind'], 'cut' | 'iterationLimit'> }
	| { readonly kind: 'cut'; readonly error: unknown };

/** Sees every round, so that it can count; undefined leaves the decision to the policies after it. */
type RoundPolicy = (round: Round) => Verdict | undefined;

const CONTINUE =
	'Your answer was cut off at the token limit. Go on exactly where it stopped, without repeating anything.';

/** For one loop: the first policy that decides counts. */
export function judgeRounds(): (round: Round) => Verdict {
	const policies: readonly RoundPolicy[] = [cutStream, badCalls(), continuation(), emptyAnswer()];
	return (round) => {
		const verdicts = policies.map((judge) => judge(round));
		return verdicts.find((verdict) => verdict !== undefined) ?? rest(round);
	};
}

/** How a loop ends by this verdict; undefined when it goes on. */
export function endOf(verdict: Verdict, requests: number): LoopEnd | undefined {
	switch (verdict.kind) {
		case 'again':
			return undefined;
		case 'end':
			return { kind: verdict.how, requests };
		case 'cut':
			return { kind: 'cut', requests, error: verdict.error };
		default:
			return assertNever(verdict);
	}
}

/** The stream ended too early. */
function cutStream({ answer }: Round): Verdict | undefined {
	return answer.cutBy === undefined ? undefined : { kind: 'cut', error: answer.cutBy };
}

/** Several responses in a row with no call that could be run. */
function badCalls(): RoundPolicy {
	let rounds = 0;
	return ({ calls }) => {
		if (calls.length > 0) {
			rounds = calls.every(({ kind }) => kind === 'bad') ? rounds + 1 : 0;
		}
		return rounds >= limits.badRounds ? { kind: 'end', how: 'badCalls' } : undefined;
	};
}

/** An answer that stopped at its token limit goes on. */
function continuation(): RoundPolicy {
	let continuations = 0;
	return ({ answer, calls, hasText }) => {
		if (calls.length > 0) {
			continuations = 0;
			return undefined;
		}
		if (!answer.truncated) {
			return undefined;
		}
		continuations += 1;
		if (continuations > limits.continuations) {
			return { kind: 'end', how: 'tooLong' };
		}
		return hasText ? { kind: 'again', saying: CONTINUE } : { kind: 'again' };
	};
}

/** An answer with nothing in it is asked for once more. */
function emptyAnswer(): RoundPolicy {
	let emptyAnswers = 0;
	return ({ answer, calls, hasText }) => {
		if (calls.length > 0) {
			emptyAnswers = 0;
			return undefined;
		}
		if (hasText || answer.truncated) {
			return undefined;
		}
		emptyAnswers += 1;
		return emptyAnswers > limits.emptyAnswers ? { kind: 'end', how: 'empty' } : { kind: 'again' };
	};
}

/** What no policy has decided: the loop rests when the model calls nothing more. */
function rest({ calls }: Round): Verdict {
	return calls.length > 0 ? { kind: 'again' } : { kind: 'end', how: 'done' };
}
