/**
 * Conversation of the host and a long-lived worker: one JSON object a line, on the worker's standard input and output. Many
 * calls and many dispatches are in flight at once; ids tell them apart, no order does. The host goes by its
 * own record of what a call may do: the `__caps__` that a worker sends back change nothing.
 */
import type { DispatchError } from './execution.ts';
import { frameLimits } from './execution.ts';
import { budgetProblem } from './frame-budget.ts';

/** Ways to run a skill in a worker, by the program that does, with the file each loads when the manifest names none. */
export const WORKER_ENTRIES = { 'node-worker': 'index.js', 'python-worker': 'skill.py' } as const;
export type WorkerRuntime = keyof typeof WORKER_ENTRIES;

/** Modules of Node that a tool cannot use, and what of the SDK, or else, stands in for each. Python's are in its worker. */
export const MODULE_ALTERNATIVES: Readonly<Record<string, string>> = {
	child_process: 'shell',
	cluster: 'shell',
	worker_threads: 'async functions',
	...Object.fromEntries(['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns'].map((name) => [name, 'http'])),
	sqlite: 'sql',
	vm: 'plain functions',
	inspector: 'progress',
};

export type HostLine =
	| {
			readonly __type__: 'call';
			readonly __id__: string;
			readonly __call__: {
				/** Absolute, in the copy that the worker may read. */
				readonly module: string;
				readonly function: string;
				readonly kwargs: Readonly<Record<string, unknown>>;
				readonly working_dir: string;
				/** For the skill to know; the host goes by its own record. */
				readonly capabilities: readonly string[];
				/** `skill`: its name, after which the secrets of its connections are called. */
				readonly env: { readonly timezone: string; readonly locale: string; readonly skill: string };
			};
	  }
	/** Exactly one for each dispatch that has an answer. */
	| { readonly __type__: 'dispatch_result'; readonly __dispatch_id__: string; readonly payload: unknown }
	| { readonly __type__: 'dispatch_result'; readonly __dispatch_id__: string; readonly __error__: DispatchError }
	/** Nobody waits for the result any more. The call has a moment to end in order. */
	| { readonly __type__: 'cancel'; readonly __id__: string };

export type WorkerLine =
	/** The first line of each worker, once: it runs, so what binds its life to the host's is in force. */
	| { readonly type: 'ready' }
	| {
			readonly type: 'dispatch';
			readonly callId: string;
			readonly dispatchId: string;
			/** The number in its id. Each is higher than all before it. */
			readonly number: number;
			readonly op: string;
			readonly params: unknown;
			/** Rights that it claims. */
			readonly caps: readonly unknown[] | undefined;
	  }
	| { readonly type: 'result'; readonly callId: string; readonly value: unknown }
	| {
			readonly type: 'result';
			readonly callId: string;
			readonly error: { readonly message: string; readonly code?: unknown };
	  };

type CheckedWorkerLine =
	| { readonly ok: true; readonly line: WorkerLine }
	| { readonly ok: false; readonly problem: string };

const WORKER_CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const DISPATCH_ID = /^d-([1-9][0-9]{0,14})$/;
const WORKER_OP_NAME = /^[A-Za-z0-9_.-]{1,100}$/;
const DISPATCH_FIELDS: ReadonlySet<string> = new Set([
	'__type__',
	'__id__',
	'__dispatch_id__',
	'__caps__',
	'__dispatch__',
]);
const OWN_FIELDS: ReadonlySet<string> = new Set(['__type__', '__id__', '__wrapped__', '__error__']);

/** Reads one line of a worker. Never throws. */
export function readWorkerLine(text: string): CheckedWorkerLine {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return refuseLine('not JSON');
	}
	if (!isJsonObject(value)) {
		return refuseLine('not an object');
	}
	const budget = budgetProblem(text, value);
	if (budget !== undefined) {
		return refuseLine(budget);
	}
	const { __type__: type, __id__: callId } = value;
	if (type === 'ready') {
		return Object.keys(value).length === 1 ? { ok: true, line: { type } } : refuseLine('ready, with more than that');
	}
	if (typeof callId !== 'string' || !WORKER_CALL_ID.test(callId)) {
		return refuseLine('without the id of a call');
	}
	switch (type) {
		case 'dispatch':
			return readDispatch(callId, value);
		case 'result':
			return readResult(callId, value);
		default:
			return refuseLine('an unknown type');
	}
}

function readDispatch(callId: string, line: Readonly<Record<string, unknown>>): CheckedWorkerLine {
	const { __dispatch_id__: dispatchId, __dispatch__: asked, __caps__: caps } = line;
	const stray = Object.keys(line).find((key) => !DISPATCH_FIELDS.has(key));
	if (stray !== undefined) {
		return refuseLine(`dispatch: an unknown field ${JSON.stringify(stray.slice(0, 40))}`);
	}
	const [, number] = typeof dispatchId === 'string' ? (DISPATCH_ID.exec(dispatchId) ?? []) : [];
	if (typeof dispatchId !== 'string' || number === undefined) {
		return refuseLine('dispatch: its id is not d- and a number');
	}
	if (!isJsonObject(asked) || typeof asked['op'] !== 'string' || !WORKER_OP_NAME.test(asked['op'])) {
		return refuseLine('dispatch: op is no name');
	}
	if (caps !== undefined && !Array.isArray(caps)) {
		return refuseLine('dispatch: caps is no list');
	}
	const params = asked['params'] ?? {};
	const dispatch = {
		type: 'dispatch',
		callId,
		dispatchId,
		number: Number(number),
		op: asked['op'],
		params,
		caps,
	} as const;
	return { ok: true, line: dispatch };
}

function readResult(callId: string, line: Readonly<Record<string, unknown>>): CheckedWorkerLine {
	const { __wrapped__: wrapped, __error__: error } = line;
	const stray = Object.keys(line).find((key) => key.startsWith('__') && !OWN_FIELDS.has(key));
	if (stray !== undefined) {
		return refuseLine(`result: an unknown field ${JSON.stringify(stray.slice(0, 40))}`);
	}
	if (wrapped !== undefined && wrapped !== true) {
		return refuseLine('result: __wrapped__ is not true');
	}
	if (error !== undefined) {
		return isJsonObject(error) && typeof error['message'] === 'string'
			? { ok: true, line: { type: 'result', callId, error: { message: error['message'], code: error['code'] } } }
			: refuseLine('result: its error is not { message }');
	}
	const own = Object.fromEntries(Object.entries(line).filter(([key]) => !OWN_FIELDS.has(key)));
	return { ok: true, line: { type: 'result', callId, value: wrapped === true ? own['value'] : own } };
}

/**
 * Returns a tool's value as it travels: an object beside the fields of the line, anything else by itself and marked.
 */
export function resultFields(value: unknown): Readonly<Record<string, unknown>> {
	return isJsonObject(value) ? value : { value: value ?? null, __wrapped__: true };
}

/** A key of a tool's result that would pass for a field of the line. */
export function reservedKeyIn(value: unknown): string | undefined {
	return isJsonObject(value) ? Object.keys(value).find((key) => key.startsWith('__')) : undefined;
}

export const MAX_LINE_BYTES: number = frameLimits.bytes;

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseLine(problem: string): CheckedWorkerLine {
	return { ok: false, problem };
}
