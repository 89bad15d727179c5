/** The calls in flight and the ops they wait for. AsyncLocalStorage says which call an op belongs to, however deep it is asked. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import { format, types } from 'node:util';
import { inParallelGroups } from '../../base/parallel-groups.ts';
import { frameLimits, ONE_WAY_OPS } from '../../protocol/execution/execution.ts';
import { type HostLine, reservedKeyIn, resultFields } from '../../protocol/execution/worker.ts';
import { createHost, OpFailure, type OpFunction } from '../sdk/host.ts';
import { formatErrorTrace, LoadFailure, toExecutionFailure } from '../sdk/failure.ts';
import { createTopics } from '../sdk/topics.ts';

type CallLine = Extract<HostLine, { __type__: 'call' }>;
type DispatchResultLine = Extract<HostLine, { __type__: 'dispatch_result' }>;

interface Current {
	readonly id: string;
	readonly caps: readonly string[];
	readonly stop: AbortController;
}

/** Room for the fields of a line around its value. */
const ENVELOPE_BYTES = 1_024;

export class WorkerCalls {
	readonly #send: (line: Readonly<Record<string, unknown>>) => void;
	readonly #current = new AsyncLocalStorage<Current>();
	readonly #running = new Map<string, Current>();
	readonly #parked = new Map<string, (answer: DispatchResultLine) => void>();
	#lastDispatch = 0;

	constructor(send: (line: Readonly<Record<string, unknown>>) => void) {
		this.#send = send;
	}

	/** Where the package that a tool imports looks for it. */
	installSdk(): void {
		const op = ((name: string, params: unknown) => this.#dispatch(name, params)) as OpFunction;
		const topics = createTopics(op);
		const sdk = {
			host: createHost(op),
			op,
			batch: (batched: readonly { op: string; params?: unknown; parallelGroup?: string }[]) =>
				inParallelGroups(
					batched,
					({ parallelGroup }) => parallelGroup,
					(each) => op(each.op, each.params),
					frameLimits.dispatchesInFlight,
				),
			log: (...values: unknown[]) => void process.stderr.write(`${format(...values)}\n`),
			signal: createCallSignal(() => this.#current.getStore()?.stop.signal),
			...topics,
		};
		(globalThis as Record<symbol, unknown>)[Symbol.for('prowess.sdk')] = sdk;
	}

	take(line: HostLine): void {
		switch (line.__type__) {
			case 'call':
				void this.#run(line);
				break;
			case 'dispatch_result':
				this.#parked.get(line.__dispatch_id__)?.(line);
				this.#parked.delete(line.__dispatch_id__);
				break;
			case 'cancel':
				this.#running.get(line.__id__)?.stop.abort(new OpFailure('CANCELLED', 'the call was stopped'));
		}
	}

	async #run({ __id__: id, __call__: asked }: CallLine): Promise<void> {
		const current = { id, caps: asked.capabilities, stop: new AbortController() };
		this.#running.set(id, current);
		let isLoaded = false;
		try {
			const value = await this.#current.run(current, async () => {
				const tool = await loadTool(asked.module, asked.function);
				isLoaded = true;
				return await tool(asked.kwargs, { signal: current.stop.signal });
			});
			this.#send({ ...toResultFields(value), __type__: 'result', __id__: id });
		} catch (error) {
			process.stderr.write(`${formatErrorTrace(error, asked.working_dir)}\n`);
			this.#send({ __type__: 'result', __id__: id, __error__: toExecutionFailure(error, asked.working_dir, isLoaded) });
		} finally {
			this.#running.delete(id);
		}
	}

	async #dispatch(op: string, params: unknown): Promise<unknown> {
		const { id, caps, stop } = this.#mine();
		stop.signal.throwIfAborted();
		if (typeof op !== 'string') throw new TypeError('op(name, params): name is a string');
		const dispatchId = `d-${this.#lastDispatch + 1}`;
		const line = {
			__type__: 'dispatch',
			__id__: id,
			__dispatch_id__: dispatchId,
			__caps__: caps,
			__dispatch__: { op, params: params ?? {} },
		};
		assertLineFits(JSON.stringify(line), `the params of ${op}`);
		this.#lastDispatch += 1;
		if (ONE_WAY_OPS.has(op)) {
			this.#send(line);
			return {};
		}
		const answered = new Promise<DispatchResultLine>((resolve) => this.#parked.set(dispatchId, resolve));
		this.#send(line);
		const answer = await answered;
		if ('__error__' in answer) {
			const { code, message, facts } = answer.__error__;
			throw new OpFailure(code, message, facts);
		}
		return answer.payload;
	}

	#mine(): Current {
		const current = this.#current.getStore();
		if (current === undefined) {
			throw new OpFailure(
				'INVALID_REQUEST',
				'an op belongs to a call: ask for it within a tool, not while the module loads',
			);
		}
		return current;
	}
}

/** A signal that a module imports once, and that is another call's each time it is looked at. */
function createCallSignal(current: () => AbortSignal | undefined): AbortSignal {
	const never = new AbortController().signal;
	return new Proxy(never, {
		get(_, key) {
			const signal = current() ?? never;
			const value = Reflect.get(signal, key, signal) as unknown;
			return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(signal) : value;
		},
	});
}

type Tool = (kwargs: unknown, context: { readonly signal: AbortSignal }) => unknown;

async function loadTool(path: string, name: string): Promise<Tool> {
	const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
	const tool = Object.hasOwn(module, name) ? module[name] : undefined;
	if (typeof tool !== 'function') {
		throw new LoadFailure('INVALID_ACTION_BLOCK', `it exports no function "${name}"`);
	}
	if (!types.isAsyncFunction(tool)) {
		throw new LoadFailure(
			'INVALID_ACTION_BLOCK',
			`${name} is not async: write "export async function ${name}". It was not run`,
		);
	}
	return tool as Tool;
}

function toResultFields(value: unknown): Readonly<Record<string, unknown>> {
	const reserved = reservedKeyIn(value);
	if (reserved !== undefined) {
		throw new OpFailure(
			'DATA_MALFORMED',
			`the result has a key "${reserved}"; keys that begin with __ belong to the protocol`,
		);
	}
	if (typeof value === 'function' || typeof value === 'symbol') {
		throw new OpFailure('DATA_MALFORMED', `the result is a ${typeof value}, which is no JSON; return plain data`);
	}
	let text: string;
	try {
		text = JSON.stringify(value ?? null);
	} catch (error) {
		throw new OpFailure('DATA_MALFORMED', `the result is no JSON; return plain data: ${String(error)}`);
	}
	assertLineFits(text, 'the result');
	return resultFields(JSON.parse(text));
}

function assertLineFits(text: string, what: string): void {
	const bytes = Buffer.byteLength(text);
	if (bytes > frameLimits.bytes - ENVELOPE_BYTES) {
		throw new OpFailure('MESSAGE_TOO_LONG', `${what}: ${bytes} bytes, the limit is ${frameLimits.bytes}`);
	}
}
