/**
 * Reads what an executor sends, with guards written by hand: they are on the path of every op. A field by which a frame
 * claims an identity or rights is dropped and named; any other fault refuses the frame.
 */
import { type ExecutorFrame, frameLimits } from './execution.ts';
import { budgetProblem } from './frame-budget.ts';

type CheckedFrame =
	/** `forged`: fields that claimed who sends it or what it may do; they were dropped. */
	| { readonly ok: true; readonly frame: ExecutorFrame; readonly forged: readonly string[] }
	| { readonly ok: false; readonly problem: string };

/** Which top-level fields a frame has; anything else is refused. */
const fields: Readonly<Record<ExecutorFrame['type'], readonly string[]>> = {
	ready: ['type', 'protocol'],
	dispatch: ['type', 'dispatchId', 'op', 'params', 'stream'],
	result: ['type', 'callId', 'value', 'error', 'additionalContext'],
	progress: ['type', 'callId', 'message', 'fraction'],
};

const claims: ReadonlySet<string> = new Set(['caps', 'level', 'agentId', 'executionId']);
const FRAME_ID = /^[A-Za-z0-9_-]{1,64}$/;
const FRAME_OP_NAME = /^[A-Za-z0-9_.-]{1,100}$/;

/** Reads what an executor sent. Never throws. */
export function readExecutorFrame(text: string): CheckedFrame {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return refuseFrame('not JSON');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return refuseFrame('not an object');
	}
	const budget = budgetProblem(text, value);
	return budget === undefined ? checkEnvelope(value as Record<string, unknown>) : refuseFrame(budget);
}

/** The fields of a frame whose budgets hold. */
export function checkEnvelope(value: Record<string, unknown>): CheckedFrame {
	const { type } = value;
	const known =
		type === 'dispatch' || type === 'progress' || type === 'result' || type === 'ready' ? fields[type] : undefined;
	if (known === undefined) {
		return refuseFrame('an unknown type');
	}
	let forged: string[] | undefined;
	let unknownField: string | undefined;
	for (const key in value) {
		if (!known.includes(key)) {
			if (claims.has(key)) {
				(forged ??= []).push(key);
			} else {
				unknownField ??= key;
			}
		}
	}
	if (unknownField !== undefined) {
		return refuseFrame(`${type as string}: an unknown field ${JSON.stringify(unknownField.slice(0, 40))}`);
	}
	for (const key of forged ?? []) {
		delete value[key];
	}
	const problem = fieldProblem(value);
	return problem === undefined
		? { ok: true, frame: value as unknown as ExecutorFrame, forged: forged ?? none }
		: refuseFrame(`${type as string}: ${problem}`);
}

const none: readonly string[] = [];

function fieldProblem(frame: Record<string, unknown>): string | undefined {
	switch (frame['type']) {
		case 'ready':
			return Number.isSafeInteger(frame['protocol']) ? undefined : 'protocol is no number';
		case 'dispatch':
			return !isId(frame['dispatchId'])
				? 'dispatchId is no id'
				: typeof frame['op'] !== 'string' || !FRAME_OP_NAME.test(frame['op'])
					? 'op is no name'
					: 'stream' in frame && typeof frame['stream'] !== 'boolean'
						? 'stream is neither true nor false'
						: undefined;
		case 'result':
			return !isId(frame['callId'])
				? 'callId is no id'
				: 'error' in frame && ('value' in frame || !isError(frame['error']))
					? 'error is not { message }, or comes with a value'
					: undefined;
		case 'progress':
			return !isId(frame['callId'])
				? 'callId is no id'
				: typeof frame['message'] !== 'string' || frame['message'].length > frameLimits.messageChars
					? 'message is no text, or too long'
					: 'fraction' in frame && !isFraction(frame['fraction'])
						? 'fraction is not between 0 and 1'
						: undefined;
		default:
			return 'an unknown type';
	}
}

function isId(value: unknown): boolean {
	return typeof value === 'string' && FRAME_ID.test(value);
}

function isFraction(value: unknown): boolean {
	return typeof value === 'number' && value >= 0 && value <= 1;
}

function isError(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function refuseFrame(problem: string): CheckedFrame {
	return { ok: false, problem };
}
