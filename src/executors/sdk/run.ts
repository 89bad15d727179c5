/** Connects to the host, takes the one call, runs it, sends the one result, ends the process. */
import { inspect } from 'node:util';
import { inParallelGroups } from '../../base/parallel-groups.ts';
import {
	EXECUTION_PROTOCOL,
	frameLimits,
	type HostFrame,
	ONE_WAY_OPS,
	type ThreadContext,
} from '../../protocol/execution/execution.ts';
import { readSyntaxReport } from '../../protocol/text/syntax-report.ts';
import { openHostChannel } from './channel.ts';
import { toExecutionFailure, syntaxFailure, formatErrorTrace } from './failure.ts';
import { type Topics, createTopics, takeReport } from './topics.ts';
import { type Host, createHost, OpFailure, type OpListener, type OpFunction } from './host.ts';

interface ExecutorSdk {
	readonly host: Host;
	readonly op: OpFunction;
	/**
	 * Runs several ops in order; neighbours with the same `parallelGroup` run in parallel. A failed op does not affect the
	 * others, and results keep the order of the calls. Never rejects.
	 */
	batch(calls: readonly BatchCall[]): Promise<PromiseSettledResult<unknown>[]>;
	/** Shown to the person while the capability runs; `fraction` of the whole, 0 to 1. */
	readonly progress: ((message: string, fraction?: number) => void) & Topics['progress'];
	/** Aborts when the execution is stopped; two seconds later the process is killed. */
	readonly signal: AbortSignal;
	/** For the log of the host. */
	log(...values: unknown[]): void;
}

interface BatchCall {
	readonly op: string;
	readonly params?: unknown;
	readonly parallelGroup?: string;
}

/** Second argument of a capability's function, after its params. */
export type ExecutionContext = ThreadContext & ExecutorSdk & { readonly params: unknown };
export type Execute = (params: unknown, context: ExecutionContext) => unknown;

/** Loads a capability module; `sdk` is at hand before its first line runs. */
type LoadExecute = (context: ExecutionContext) => Promise<Execute>;

type DispatchResultFrame = Extract<HostFrame, { type: 'dispatch_result' }>;

interface PendingDispatch {
	resolve(answer: DispatchResultFrame): void;
	reject(error: unknown): void;
	readonly onOutput: OpListener['onOutput'];
}

export async function runExecutor(load: LoadExecute): Promise<void> {
	const stop = new AbortController();
	const pending = new Map<string, PendingDispatch>();
	let lastDispatch = 0;
	let take: (call: Extract<HostFrame, { type: 'call' }>) => void;
	const called = new Promise<Extract<HostFrame, { type: 'call' }>>((resolve) => (take = resolve));
	const cancelExecution = (reason: string) => stop.abort(new OpFailure('CANCELLED', reason));
	// The host asks first and kills later: a capability may end in order.
	process.on('SIGTERM', () => cancelExecution('the execution is stopped'));

	const channel = await openHostChannel((frame) => {
		switch (frame.type) {
			case 'call':
				take(frame);
				break;
			case 'cancel':
				cancelExecution(frame.reason);
				break;
			case 'dispatch_output': {
				const waiting = pending.get(frame.dispatchId);
				try {
					waiting?.onOutput?.(frame.text);
				} catch (error) {
					pending.delete(frame.dispatchId);
					waiting?.reject(error);
				}
				break;
			}
			case 'dispatch_result': {
				const waiting = pending.get(frame.dispatchId);
				pending.delete(frame.dispatchId);
				waiting?.resolve(frame);
			}
		}
	});
	channel.send({ type: 'ready', protocol: EXECUTION_PROTOCOL });
	const { callId, params, context, variables } = await called;
	Object.assign(process.env, variables);

	const op = (async (name: string, opParams: unknown, { onOutput }: OpListener = {}) => {
		stop.signal.throwIfAborted();
		if (typeof name !== 'string') throw new TypeError(`op(name, params): name is a string, not ${inspect(name)}`);
		const dispatchId = `d-${++lastDispatch}`;
		const stream = onOutput === undefined ? {} : { stream: true };
		const frame = { type: 'dispatch', dispatchId, op: name, params: opParams ?? {}, ...stream } as const;
		assertFrameFits(JSON.stringify(frame), `the params of ${name}`);
		if (ONE_WAY_OPS.has(name)) {
			channel.send(frame);
			return {};
		}
		const answered = new Promise<DispatchResultFrame>((resolve, reject) =>
			pending.set(dispatchId, { resolve, reject, onOutput }),
		);
		channel.send(frame);
		const answer = await answered;
		if ('error' in answer) {
			// Made here, and not where the answer comes in: so its stack tells who asked.
			throw new OpFailure(answer.error.code, answer.error.message, answer.error.facts);
		}
		return answer.ok;
	}) as OpFunction;
	const topics = createTopics(op);
	const reportProgress = (message: string, fraction?: number) => {
		const report = takeReport(message, fraction);
		if (report !== undefined) channel.send({ type: 'progress', callId, ...report });
	};
	const sdk: ExecutorSdk = {
		host: createHost(op),
		op,
		batch: (calls) =>
			inParallelGroups(
				calls,
				({ parallelGroup }) => parallelGroup,
				(call) => op(call.op, call.params),
				frameLimits.dispatchesInFlight,
			),
		progress: Object.assign(reportProgress, { report: topics.progress.report }),
		signal: stop.signal,
		log: (...values) => void process.stderr.write(`${values.map(shownValue).join(' ')}\n`),
	};
	// The package that a capability imports reads it here, see `snapshot.ts` of the host.
	(globalThis as Record<symbol, unknown>)[Symbol.for('prowess.sdk')] = { ...topics, ...sdk };
	const full: ExecutionContext = { ...context, ...sdk, params };

	let settled: { value?: unknown; error?: { message: string; code?: string }; additionalContext?: unknown };
	let isLoaded = false;
	try {
		const execute = await load(full);
		isLoaded = true;
		settled = toExecutionResult(await execute(params, full));
		assertFrameFits(stringifyResult(settled), 'the result', '; return less, or write it with host.fs.write');
	} catch (error) {
		const report = error instanceof SyntaxError ? readSyntaxReport(error.stack ?? '') : undefined;
		if (report !== undefined && report.file === undefined) {
			await dieWithError(error);
		}
		// Where it was thrown is for the author, among what the executor prints; the answer says what happened.
		const { path } = context.capability;
		process.stderr.write(`${formatErrorTrace(error, path)}\n`);
		settled = { error: report === undefined ? toExecutionFailure(error, path, isLoaded) : syntaxFailure(report, path) };
	}
	channel.send({ type: 'result', callId, ...settled });
	await channel.close();
	process.exit();
}

/** `{ result, additionalContext }` is the structured form; anything else is the result itself. */
function toExecutionResult(value: unknown): { value?: unknown; additionalContext?: unknown } {
	if (value === undefined) {
		return {};
	}
	if (typeof value === 'function' || typeof value === 'symbol') {
		throw new OpFailure('DATA_MALFORMED', `the result is a ${typeof value}, which is no JSON; return plain data`);
	}
	if (typeof value === 'object' && value !== null && 'additionalContext' in value && 'result' in value) {
		return { value: value.result, additionalContext: value.additionalContext };
	}
	return { value };
}

/** The host would end the process for such a frame, without a word about who wrote it. */
function stringifyResult(settled: unknown): string {
	try {
		return JSON.stringify(settled);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new OpFailure('DATA_MALFORMED', `the result is no JSON; return plain data: ${why}`);
	}
}

function assertFrameFits(text: string, what: string, instead = ''): void {
	const bytes = Buffer.byteLength(text);
	// Room for the rest of the frame.
	if (bytes > frameLimits.bytes - 1024) {
		throw new OpFailure('MESSAGE_TOO_LONG', `${what}: ${bytes} bytes, the limit is ${frameLimits.bytes}${instead}`);
	}
}

/** Where in an ES module it does not parse, Node tells nobody but who reads what it prints at the end: the host. */
async function dieWithError(error: unknown): Promise<never> {
	setImmediate(() => {
		throw error;
	});
	return await new Promise<never>(() => {});
}

function shownValue(value: unknown): string {
	return typeof value === 'string' ? value : inspect(value, { breakLength: Infinity });
}
