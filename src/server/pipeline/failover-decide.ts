/** Stage 6: what the end of the execution means for the turn, and what the user is told and offered. A table, no effects. */
import { type ErrorCode, ProwessError } from '../../protocol/errors.ts';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { NOTICE_TEXTS } from '../../protocol/notice-texts.ts';
import type { NoticeAction } from '../../protocol/thread.ts';
import { asOpError } from '../loop/perform-call.ts';
import type { LoopEnd } from '../loop/loop.ts';
import type { Circle } from '../loop/loop-guard.ts';
import type { TurnEnd } from '../turn/turn.ts';

export type Ending =
	| { readonly kind: 'ended'; readonly end: LoopEnd }
	| { readonly kind: 'failed'; readonly error: unknown }
	| { readonly kind: 'stopped' }
	/** The server or its host goes away. */
	| { readonly kind: 'interrupted' };

export function failoverDecide(ending: Ending): TurnEnd {
	switch (ending.kind) {
		case 'stopped':
			return { outcome: 'stopped' };
		case 'interrupted':
			return interruptedEnd;
		case 'failed':
			return failed(ending.error);
		case 'ended':
			return ended(ending.end);
	}
}

/** Also said of a turn that is found unfinished when the server starts. */
export const interruptedEnd: TurnEnd = {
	outcome: 'interrupted',
	notice: {
		level: 'warning',
		text: NOTICE_TEXTS.interrupted,
		actions: ['continue'],
	},
};

function ended(end: LoopEnd): TurnEnd {
	switch (end.kind) {
		case 'done':
			return { outcome: 'done' };
		case 'iterationLimit':
			return withNotice(
				new ProwessError('ITERATION_LIMIT', `stopped after ${end.requests} model calls (prowess.agent.maxIterations)`, {
					limit: end.requests,
				}),
				['continue'],
			);
		case 'stuck':
			return withNotice(new ProwessError('GOING_IN_CIRCLES', CIRCLES[end.circle], {}), ['continue', 'switchModel']);
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
			return failed(end.error);
	}
}

function failed(error: unknown): TurnEnd {
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
	STREAM_CUT: ['retry', 'continue'],
	THREAD_BUSY: ['retry'],
	STORE_UNAVAILABLE: ['retry', 'showLogs'],
};

function withNotice(error: unknown, actions: readonly NoticeAction[]): TurnEnd {
	const about = asOpError(error);
	const text = textForUser(about, (template) => template);
	return { outcome: 'failed', error: about, notice: { level: 'error', text, actions: [...actions], error: about } };
}

const CIRCLES: { readonly [C in Circle]: string } = {
	calls: 'stopped: the turn has made too many calls',
	failures: 'stopped: many calls in a row failed or were denied',
};
