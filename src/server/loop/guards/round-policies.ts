/**
 * Decides what follows from an answer and its calls: go on, say something first, or end. A list of small policies, each
 * with its own state.
 */
import { assertNever } from '../../../base/assert-never.ts';
import { NOTICE_TEXTS } from '../../../protocol/text/notice-texts.ts';
import { isOfProvider } from '../../models/failover/judge-fault.ts';
import { isProviderError } from '../../models/streams/provider-error.ts';
import { loopLimits } from '../limits.ts';
import type { LoopEnd } from '../loop.ts';
import type { ModelAnswer } from '../model-answer.ts';
import type { ReadCall } from '../calls/read-call.ts';

/** An answer of the model, after its calls were run. */
export interface Round {
	readonly answer: ModelAnswer;
	readonly calls: readonly ReadCall[];
	/** Tool of the call in which the token limit fell, empty where nobody knows it; it is not among `calls`. */
	readonly cutTool: string | undefined;
	readonly hasText: boolean;
	readonly text: string;
}

export type RoundVerdict =
	/**
	 * Ask again; `saying` goes before it, where the model has to hear why, `notice` tells the user, `leftToDo` is in its
	 * words. `doubted`: sentence of this answer that nothing bears out, so the next answer replaces this one.
	 */
	| {
			readonly kind: 'again';
			readonly saying?: string;
			readonly notice?: string;
			readonly leftToDo?: string;
			readonly doubted?: string;
	  }
	| { readonly kind: 'end'; readonly how: Exclude<LoopEnd['kind'], 'cut' | 'iterationLimit' | 'costLimit' | 'stuck'> }
	/** The end of the loop, with what is said about its answer. */
	| { readonly kind: 'done'; readonly unproven: string }
	| { readonly kind: 'cut'; readonly error: unknown };

/** Sees every round, so that it can count; undefined leaves the decision to the policies after it. */
export type RoundPolicy = (round: Round) => RoundVerdict | undefined;

/**
 * Text for the model after an answer that was cut off at the token limit; the texts below are for other faulty answers.
 */
const CONTINUE =
	'Your answer was cut off at the token limit. Go on exactly where it stopped, without repeating anything.';

const CONTINUE_BROKEN_OFF =
	'The connection broke off in the middle of your answer; what came until then is above. Go on exactly where it stopped, without repeating anything, and make the calls you meant to make.';

const TOO_MANY_CALLS = `Your answer had more than ${loopLimits.callsPerAnswer} calls. The first ${loopLimits.callsPerAnswer} were run, the others were not. Make fewer calls in one answer.`;

const GO_ON = 'Go on where you paused.';

/** Reasoning alone has filled the answer: the same request would end the same way. */
const CONTINUE_UNSAID =
	'Your answer reached its token limit before you had said or called anything. Think less this time and answer, or make your next call.';

function cutCall(tool: string): string {
	const call = tool === '' ? 'The tool call that you had begun' : `Your call of ${tool}`;
	return `${call} was cut off at the limit of one answer and was not run. Do it in smaller parts: several calls, each with less text (create the file with its first part, then add to it with edits).`;
}

const UNREADABLE_CALL =
	'Your tool call could not be read, so nothing was run. Call one of the tools you have, with a JSON object as its input.';

/** For one loop: the first policy that decides counts. */
export function judgeRounds(more: readonly RoundPolicy[]): (round: Round) => RoundVerdict {
	const policies: readonly RoundPolicy[] = [
		endlessAnswer(),
		cutStream(),
		judgeRefusal,
		badCalls(),
		unreadableCall(),
		cutOff(),
		emptyAnswer(),
		...more,
	];
	return (round) => {
		const verdicts = policies.map((judge) => judge(round));
		return verdicts.find((verdict) => verdict !== undefined) ?? judgeRest(round);
	};
}

/** Returns the end of the loop that the verdict means; undefined when the loop goes on. */
export function toLoopEnd(verdict: RoundVerdict, requests: number): LoopEnd | undefined {
	switch (verdict.kind) {
		case 'again':
			return undefined;
		case 'end':
			return { kind: verdict.how, requests };
		case 'done':
			return { ...verdict, requests };
		case 'cut':
			return { kind: 'cut', requests, error: verdict.error };
		default:
			return assertNever(verdict);
	}
}

/** An answer whose rest was not read: told once where it has too many calls, else it is the end. */
function endlessAnswer(): RoundPolicy {
	let hasTold = false;
	return ({ answer }) => {
		switch (answer.endless) {
			case 'repeats':
				return { kind: 'end', how: 'repeats' };
			case 'long':
				return { kind: 'end', how: 'tooLong' };
			case 'calls':
				if (hasTold) {
					return { kind: 'end', how: 'manyCalls' };
				}
				hasTold = true;
				return { kind: 'again', saying: TOO_MANY_CALLS };
			default:
				return undefined;
		}
	};
}

/** The stream ended too early: after a text it goes on from there, once. */
function cutStream(): RoundPolicy {
	let hasGoneOn = false;
	return ({ answer, hasText }) => {
		const { cutBy } = answer;
		if (cutBy === undefined) {
			hasGoneOn = false;
			return undefined;
		}
		// Asked again, the provider says the same at once, and the next model of the list takes over.
		const mayGoOn = isProviderError(cutBy) && (cutBy.facts.retryable || isOfProvider(cutBy));
		if (!hasText || hasGoneOn || !mayGoOn) {
			return { kind: 'cut', error: cutBy };
		}
		hasGoneOn = true;
		return { kind: 'again', saying: CONTINUE_BROKEN_OFF, notice: NOTICE_TEXTS.brokeOff };
	};
}

/** Several responses in a row with no call that could be run. */
function badCalls(): RoundPolicy {
	let rounds = 0;
	return ({ calls }) => {
		if (calls.length > 0) {
			rounds = calls.every(({ kind }) => kind === 'bad') ? rounds + 1 : 0;
		}
		return rounds >= loopLimits.badRounds ? { kind: 'end', how: 'badCalls' } : undefined;
	};
}

/** The model, or its vendor, will not answer: asking the same again would not help. */
function judgeRefusal({ answer }: Round): RoundVerdict | undefined {
	switch (answer.stopReason) {
		case 'refusal':
			return { kind: 'end', how: 'refused' };
		case 'contentFilter':
			return { kind: 'end', how: 'filtered' };
		default:
			return undefined;
	}
}

/** A call that the vendor itself could not read never reaches us; the model has to hear of it. */
function unreadableCall(): RoundPolicy {
	let rounds = 0;
	return ({ answer, calls }) => {
		if (answer.stopReason !== 'malformedCall' || calls.length > 0) {
			rounds = 0;
			return undefined;
		}
		rounds += 1;
		return rounds >= loopLimits.badRounds
			? { kind: 'end', how: 'badCalls' }
			: { kind: 'again', saying: UNREADABLE_CALL };
	};
}

/** An answer that stopped at its token limit, or paused, goes on; of a call that was cut off the model is told. */
function cutOff(): RoundPolicy {
	let cutAnswers = 0;
	return ({ answer, calls, cutTool, hasText }) => {
		if (cutTool === undefined && calls.length > 0) {
			cutAnswers = 0;
			return undefined;
		}
		if (answer.stopReason !== 'length' && answer.stopReason !== 'paused') {
			return undefined;
		}
		cutAnswers += 1;
		if (cutAnswers >= loopLimits.cutAnswers) {
			return { kind: 'end', how: cutTool === undefined && hasText ? 'tooLong' : 'answersCut' };
		}
		if (cutTool !== undefined) {
			return { kind: 'again', saying: cutCall(cutTool) };
		}
		if (answer.stopReason === 'paused') {
			return { kind: 'again', saying: GO_ON };
		}
		return { kind: 'again', saying: hasText ? CONTINUE : CONTINUE_UNSAID };
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
		if (hasText || answer.stopReason === 'length') {
			return undefined;
		}
		emptyAnswers += 1;
		return emptyAnswers > loopLimits.emptyAnswers ? { kind: 'end', how: 'empty' } : { kind: 'again' };
	};
}

/** Decides when no policy has: the loop rests when the model calls nothing more. */
function judgeRest({ calls }: Round): RoundVerdict {
	return calls.length > 0 ? { kind: 'again' } : { kind: 'end', how: 'done' };
}
