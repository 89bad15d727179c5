/** Stage 6: what the end of the execution means for the turn, and what the user is told and offered. A table, no effects. */
import { type ErrorCode, ProwessError } from '../../protocol/errors/errors.ts';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { inEnglish, type Text, text } from '../../protocol/text/text.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { NoticeAction } from '../../protocol/thread/items.ts';
import { asOpError } from '../loop/calls/perform-call.ts';
import { createUnprovenNotice } from '../loop/guards/claim-policies.ts';
import type { LoopEnd } from '../loop/loop.ts';
import type { Circle } from '../loop/guards/loop-guard.ts';
import type { SettledTurnEnd } from '../turn/turn.ts';

export type ExecutionEnding =
	| { readonly kind: 'ended'; readonly end: LoopEnd }
	| { readonly kind: 'failed'; readonly error: unknown }
	| { readonly kind: 'stopped' }
	/** The server or its host goes away. */
	| { readonly kind: 'interrupted' };

export function failoverDecide(ending: ExecutionEnding): SettledTurnEnd {
	switch (ending.kind) {
		case 'stopped':
			return { outcome: 'stopped', notice: { level: 'info', text: NOTICE_TEXTS.stopped, actions: ['continue'] } };
		case 'interrupted':
			return interruptedEnd;
		case 'failed':
			return createFailedEnd(ending.error);
		case 'ended':
			return toTurnEnd(ending.end);
	}
}

/** Said of one turn more after several that were interrupted in a row: it does not offer to go on the same way. */
export const interruptedAgainEnd: SettledTurnEnd = {
	outcome: 'interrupted',
	notice: { level: 'warning', text: NOTICE_TEXTS.interruptedAgain, actions: ['showLogs'] },
};

/** Also said of a turn that is found unfinished when the server starts. */
export const interruptedEnd: SettledTurnEnd = {
	outcome: 'interrupted',
	notice: {
		level: 'warning',
		text: NOTICE_TEXTS.interrupted,
		actions: ['continue'],
	},
};

function toTurnEnd(end: LoopEnd): SettledTurnEnd {
	switch (end.kind) {
		case 'done':
			return end.unproven === undefined
				? { outcome: 'done' }
				: { outcome: 'done', notice: createUnprovenNotice(end.unproven) };
		case 'iterationLimit':
			return withNotice(end.maxRounds === undefined ? overCap(end.requests) : overRounds(end.maxRounds), ['continue']);
		case 'costLimit':
			return withNotice(overCost(end.maxCost), ['continue']);
		case 'stuck':
			return gotNowhere(CIRCLES[end.circle]);
		case 'badCalls':
			return withNotice(
				new ProwessError('STREAM_MALFORMED', 'stopped: the model keeps sending calls that cannot be run'),
				['retry', 'switchModel'],
			);
		case 'tooLong':
			return {
				outcome: 'done',
				notice: {
					level: 'warning',
					text: NOTICE_TEXTS.tooLong,
					actions: ['continue'],
				},
			};
		case 'answersCut':
			return withNotice(
				new ProwessError('ANSWERS_CUT', 'stopped: answer after answer was cut off at its length limit'),
				['continue', 'switchModel'],
			);
		case 'repeats':
			return withNotice(new ProwessError('ANSWER_REPEATS', 'stopped: the model says the same over and over'), [
				'continue',
				'switchModel',
			]);
		case 'manyCalls':
			return gotNowhere(text('answer after answer had too many calls'));
		case 'empty':
			return withNotice(new ProwessError('PROVIDER_ERROR', 'the model gave an empty answer, twice'), [
				'retry',
				'switchModel',
			]);
		case 'refused':
			return withNotice(new ProwessError('MODEL_REFUSED', 'the model refused to answer'), ['switchModel']);
		case 'filtered':
			return withNotice(new ProwessError('ANSWER_FILTERED', "the provider's content filter stopped the answer"), [
				'switchModel',
			]);
		case 'cut':
			return createFailedEnd(end.error);
	}
}

function createFailedEnd(error: unknown): SettledTurnEnd {
	const { code } = asOpError(error);
	return withNotice(
		error,
		actionsFor[code] ?? (code.startsWith('INTERNAL') ? ['showLogs', 'retry'] : ['retry', 'switchModel']),
	);
}

const actionsFor: Partial<Record<ErrorCode, readonly NoticeAction[]>> = {
	WORKSPACE_UNTRUSTED: ['trustWorkspace'],
	NO_MODEL: ['connectModel'],
	KEY_MISSING: ['connectModel', 'switchModel'],
	PROVIDER_AUTH: ['connectModel', 'switchModel'],
	PROVIDER_BILLING: ['switchModel', 'connectModel'],
	MODEL_NOT_FOUND: ['switchModel', 'connectModel'],
	MODEL_CONSENT_REFUSED: ['retry', 'switchModel'],
	CONTEXT_OVERFLOW: ['switchModel'],
	QUOTA_EXCEEDED: ['continue'],
	STREAM_CUT: ['retry', 'continue'],
	THREAD_BUSY: ['retry'],
	STORE_UNAVAILABLE: ['retry', 'showLogs'],
};

function withNotice(error: unknown, actions: readonly NoticeAction[]): SettledTurnEnd {
	const about = asOpError(error);
	const said = textForUser(about, (template) => template);
	return {
		outcome: 'failed',
		error: about,
		notice: { level: 'error', text: said, actions: [...actions], error: about },
	};
}

/** The round that would have been one too many was not begun. */
function overCap(max: number): ProwessError {
	const rounds = max + 1;
	return new ProwessError(
		'ITERATION_LIMIT',
		`model call ${rounds} of the turn was not made: prowess.agent.maxIterations is ${max}`,
		{ rounds, max },
	);
}

/** The request that would have followed was not sent. */
function overCost(max: number): ProwessError {
	return new ProwessError('COST_LIMIT', `the turn has cost the ${max} US dollars that it may cost`, { max });
}

/** The calls of the round that would have been one too many were not run (S1-16). */
function overRounds(max: number): ProwessError {
	const rounds = max + 1;
	const message = `round ${rounds} of the turn was not run: its message may take ${max} rounds of tool calls`;
	return new ProwessError('ITERATION_LIMIT', message, { rounds, max, ofMessage: max });
}

function gotNowhere(why: Text): SettledTurnEnd {
	const error = new ProwessError('GOING_IN_CIRCLES', `stopped: ${inEnglish(why)}`, { why });
	return withNotice(error, ['continue', 'switchModel']);
}

const CIRCLES: { readonly [C in Circle]: Text } = {
	calls: text('it made too many calls'),
	failures: text('many calls in a row failed or were denied'),
	repeats: text('it made the same calls again and again'),
	unchanged: text('the same call had the same result each time, however long it waited'),
	idle: text('many rounds of calls changed nothing and found nothing new'),
};
