/**
 * The host and the process of one execution, over a WebSocket on an inherited descriptor; JSON text, one frame a message.
 * The executor begins with `ready`, the host answers with the one `call`; then the executor dispatches ops until it sends the
 * one `result`. What the executor sends is read with hand-written guards: they are on the path of every op, and the
 * executor's own bundle must stay small. Nothing in a frame says who sends it: that is the connection.
 */
import type { ErrorCode } from './errors.ts';

export const EXECUTION_PROTOCOL = 1;

/** The request with which the executor opens the channel. */
export const CHANNEL_PATH = '/exec';
export const CHANNEL_SUBPROTOCOL = 'prowess.execution.v1';

/** What one frame of an executor may be, and how many there may be. */
export const frameLimits = {
	bytes: 1_048_576,
	depth: 32,
	keys: 10_000,
	messageChars: 10_000,
	dispatchesInFlight: 64,
	framesPerSecond: 200,
	burst: 400,
} as const;

export interface ThreadMessage {
	readonly messageId: string;
	readonly threadId: string;
	readonly content: string;
	readonly sender: 'user' | 'agent' | 'system';
	readonly timestamp: string;
	readonly templateType?: string;
	readonly payload?: unknown;
}

/** What the executor is told of the conversation it works for. */
export interface ThreadContext {
	readonly threadId: string | null;
	readonly messages: readonly ThreadMessage[];
	readonly projectPath: string | null;
	readonly agentId: string | null;
	readonly agentInstanceId: string | null;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** The capability that runs, with its whole manifest; its path is where the executor finds it. */
	readonly capability: {
		readonly name: string;
		readonly type: string;
		readonly path: string;
		readonly config: unknown;
		readonly executionId: string;
	};
}

export interface CallLimits {
	/** Milliseconds the execution may take; null: no limit of its own. */
	readonly timeoutMs: number | null;
	readonly dispatchesInFlight: number;
	readonly frameBytes: number;
}

export interface DispatchError {
	readonly code: ErrorCode;
	readonly message: string;
	readonly facts?: Readonly<Record<string, unknown>>;
}

export type HostFrame =
	| {
			readonly type: 'call';
			readonly callId: string;
			readonly params: unknown;
			readonly context: ThreadContext;
			readonly limits: CallLimits;
	  }
	/** Exactly one for each dispatch. */
	| { readonly type: 'dispatch_result'; readonly dispatchId: string; readonly ok: unknown }
	| { readonly type: 'dispatch_result'; readonly dispatchId: string; readonly error: DispatchError }
	| { readonly type: 'cancel'; readonly callId: string; readonly reason: string };

export type ExecutorFrame =
	| { readonly type: 'ready'; readonly protocol: number }
	| { readonly type: 'dispatch'; readonly dispatchId: string; readonly op: string; readonly params: unknown }
	| {
			readonly type: 'result';
			readonly callId: string;
			readonly value?: unknown;
			readonly error?: { readonly message: string };
			readonly additionalContext?: unknown;
	  }
	/** Has no reply. */
	| {
			readonly type: 'progress';
			readonly callId: string;
			readonly message: string;
			/** Of the whole, 0 to 1. */
			readonly fraction?: number;
	  };

export type CheckedFrame =
	/** `forged`: fields that claimed who sends it or what it may do; they were dropped. */
	| { readonly ok: true; readonly frame: ExecutorFrame; readonly forged: readonly string[] }
	| { readonly ok: false; readonly problem: string };

/** Which top-level fields a frame has; anything else is refused. */
const fields: Readonly<Record<ExecutorFrame['type'], readonly string[]>> = {
	ready: ['type', 'protocol'],
	dispatch: ['type', 'dispatchId', 'op', 'params'],
	result: ['type', 'callId', 'value', 'error', 'additionalContext'],
	progress: ['type', 'callId', 'message', 'fraction'],
};

const claims: ReadonlySet<string> = new Set(['caps', 'level', 'agentId', 'executionId']);
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const OP = /^[A-Za-z0-9_.-]{1,100}$/;
const UTF8_BYTES_PER_CHAR = 3;

/** Reads what an executor sent. Never throws. */
export function readExecutorFrame(text: string): CheckedFrame {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return refused('not JSON');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return refused('not an object');
	}
	const budget = budgetProblem(text, value);
	return budget === undefined ? checkEnvelope(value as Record<string, unknown>) : refused(budget);
}

/** The fields of a frame whose budgets hold. */
export function checkEnvelope(value: Record<string, unknown>): CheckedFrame {
	const { type } = value;
	const known =
		type === 'dispatch' || type === 'progress' || type === 'result' || type === 'ready' ? fields[type] : undefined;
	if (known === undefined) {
		return refused('an unknown type');
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
		return refused(`${type as string}: an unknown field ${JSON.stringify(unknownField.slice(0, 40))}`);
	}
	for (const key of forged ?? []) {
		delete value[key];
	}
	const problem = fieldProblem(value);
	return problem === undefined
		? { ok: true, frame: value as unknown as ExecutorFrame, forged: forged ?? none }
		: refused(`${type as string}: ${problem}`);
}

const none: readonly string[] = [];

function fieldProblem(frame: Record<string, unknown>): string | undefined {
	switch (frame['type']) {
		case 'ready':
			return Number.isSafeInteger(frame['protocol']) ? undefined : 'protocol is no number';
		case 'dispatch':
			return !isId(frame['dispatchId'])
				? 'dispatchId is no id'
				: typeof frame['op'] !== 'string' || !OP.test(frame['op'])
					? 'op is no name'
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
	return typeof value === 'string' && ID.test(value);
}

function isFraction(value: unknown): boolean {
	return typeof value === 'number' && value >= 0 && value <= 1;
}

function isError(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function refused(problem: string): CheckedFrame {
	return { ok: false, problem };
}

/** Size, depth, keys, numbers and the names of keys, whatever the frame is. */
function budgetProblem(text: string, value: unknown): string | undefined {
	if (
		text.length > frameLimits.bytes ||
		(text.length * UTF8_BYTES_PER_CHAR > frameLimits.bytes && utf8Length(text) > frameLimits.bytes)
	) {
		return `larger than ${frameLimits.bytes} bytes`;
	}
	const seen = { keys: 0 };
	const problem = walk(value, 1, seen);
	if (problem !== undefined) {
		return problem;
	}
	// A colon for each key: as many colons as keys are left means that no key was there twice.
	return countOf(text, ':') !== seen.keys && hasKeyTwice(text) ? 'a key twice in one object' : undefined;
}

function walk(value: unknown, depth: number, seen: { keys: number }): string | undefined {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? undefined : 'a number that is too large';
	}
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	if (depth > frameLimits.depth) {
		return `deeper than ${frameLimits.depth}`;
	}
	if (Array.isArray(value)) {
		for (const each of value) {
			const problem = walk(each, depth + 1, seen);
			if (problem !== undefined) return problem;
		}
		return undefined;
	}
	for (const key in value) {
		if (key === '__proto__' || key === 'constructor') {
			return `a key "${key}"`;
		}
		if (++seen.keys > frameLimits.keys) {
			return `more than ${frameLimits.keys} keys`;
		}
		const problem = walk((value as Record<string, unknown>)[key], depth + 1, seen);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function countOf(text: string, char: string): number {
	let count = 0;
	for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) {
		count += 1;
	}
	return count;
}

/** Of a text that is JSON. */
function hasKeyTwice(text: string): boolean {
	/** The keys of each open object; null for an array. */
	const open: (Set<string> | null)[] = [];
	let isKeyNext = false;
	for (let at = 0; at < text.length; at += 1) {
		switch (text[at]) {
			case '{':
				open.push(new Set());
				isKeyNext = true;
				break;
			case '[':
				open.push(null);
				isKeyNext = false;
				break;
			case '}':
			case ']':
				open.pop();
				isKeyNext = false;
				break;
			case ',':
				isKeyNext = open.at(-1) instanceof Set;
				break;
			case '"': {
				const end = endOfString(text, at);
				if (isKeyNext) {
					const key = JSON.parse(text.slice(at, end + 1)) as string;
					const keys = open.at(-1);
					if (keys?.has(key) === true) return true;
					keys?.add(key);
					isKeyNext = false;
				}
				at = end;
				break;
			}
			default:
		}
	}
	return false;
}

function endOfString(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at += 1) {
		const char = text[at];
		if (char === '"') return at;
		if (char === '\\') at += 1;
	}
	return text.length;
}

function utf8Length(text: string): number {
	let bytes = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		// Each half of a pair counts two of its four bytes.
		bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
	}
	return bytes;
}

/** One run of a capability, for those who asked for it. */
export const EXECUTION_STATUSES = [
	'starting',
	'running',
	'completed',
	'failed',
	'timeout',
	'stopping',
	'stopped',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export interface CapabilityExecutionResult {
	readonly success: boolean;
	readonly executionId: string;
	readonly result?: unknown;
	/** For the agent beside the result. */
	readonly additionalContext?: unknown;
	readonly error?: DispatchError;
	readonly capabilityPath: string;
}
