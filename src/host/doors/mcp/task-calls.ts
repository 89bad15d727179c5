/**
 * Calls that go on after their answer: tasks of the revision of 2025-11-25, for which the SDK has words and no runtime. A client
 * asks for the state of a task, and for its result, which waits for the end. Questions of a task are asked while its result is
 * waited for. A task is forgotten after its time to live; one that still runs then is stopped.
 */
import { randomUUID } from 'node:crypto';
import {
	type CallToolResult,
	type ElicitRequestFormParams,
	ProtocolError,
	ProtocolErrorCode,
	RELATED_TASK_META_KEY,
	type Result,
	type Server,
	type ServerContext,
	type Task,
} from '@modelcontextprotocol/server';
import { Emitter } from '../../../base/emitter.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import type { ClientRight } from '../../../protocol/approvals/access.ts';
import { textForModel } from '../../../protocol/errors/error-text.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import * as z from '../../../protocol/text/zod.ts';
import { mcpDoorLimits } from '../limits.ts';
import type { AskedCalls, FormCall } from './asked-calls.ts';

type AwaitedForm = { readonly form: ElicitRequestFormParams; readonly over: AbortSignal };
type Filled = Record<string, unknown> | undefined;

interface TaskParts {
	readonly calls: AskedCalls;
	/** Asks the client of that request; undefined: it gives no answer. */
	ask(form: AwaitedForm, context: ServerContext['mcpReq']): Promise<Filled>;
	/** Throws ACCESS_DENIED where the client has no such right now. */
	check(right: ClientRight): void;
	log(message: string): void;
}

interface KeptTask {
	readonly call: FormCall;
	readonly forgetting: NodeJS.Timeout;
	task: Task;
	/** Question that waits for a client that waits for the result. */
	form?: (AwaitedForm & { fillIn(filled: Filled): void }) | undefined;
	result?: CallToolResult;
}

const TaskWish = z.looseObject({ ttl: z.number().positive().default(mcpDoorLimits.taskMs) });
const TaskAddress = z.looseObject({ taskId: z.string().max(100) });

/** Time to live of the task that a call is to be, in milliseconds; undefined: it is to be none. Throws for what is no wish for one. */
export function readTaskWish(params: object): number | undefined {
	if (!('task' in params)) return undefined;
	const wish = TaskWish.safeParse(params.task);
	if (!wish.success) throw refuseParams('task: ttl is a number of milliseconds above 0');
	return Math.min(Math.ceil(wish.data.ttl), mcpDoorLimits.taskMs);
}

export class TaskCalls {
	readonly #parts: TaskParts;
	readonly #tasks = new Map<string, KeptTask>();
	readonly #changed = new Emitter<string>();
	/** Requests that wait for a result. */
	#waiting = 0;

	constructor(parts: TaskParts) {
		this.#parts = parts;
	}

	serve(server: Server): void {
		const named = { params: TaskAddress };
		server.setRequestHandler('tasks/get', named, ({ taskId }) => ({ ...this.#find(taskId).task }));
		server.setRequestHandler('tasks/list', { params: z.looseObject({}) }, () => {
			this.#check('look');
			return { tasks: [...this.#tasks.values()].map(({ task }) => task) };
		});
		server.setRequestHandler('tasks/cancel', named, ({ taskId }) => ({ ...this.#cancel(taskId) }));
		server.setRequestHandler('tasks/result', named, async ({ taskId }, { mcpReq }) => await this.#wait(taskId, mcpReq));
	}

	/** `ttl` in milliseconds. `finish` makes the result of the call from how it ended. */
	begin(
		ttl: number,
		call: FormCall,
		finish: (outcome: Awaited<FormCall['outcome']>) => CallToolResult,
	): { readonly task: Task } {
		const now = new Date().toISOString();
		const task: Task = {
			taskId: randomUUID(),
			status: 'working',
			ttl,
			createdAt: now,
			lastUpdatedAt: now,
			pollInterval: mcpDoorLimits.taskPollMs,
		};
		const { taskId } = task;
		const forgetting = setTimeout(() => this.#forget(taskId), ttl).unref();
		const kept: KeptTask = { call, forgetting, task };
		this.#tasks.set(taskId, kept);
		this.#forgetOldest();
		void this.#follow(kept, finish).catch((error: unknown) => {
			this.#parts.log(`a task has no result: ${toErrorMessage(error)}`);
			this.#end(kept, createInternalResult(), 'failed');
		});
		return { task: { ...task } };
	}

	async #follow(kept: KeptTask, finish: (outcome: Awaited<FormCall['outcome']>) => CallToolResult): Promise<void> {
		const { call } = kept;
		const { calls } = this.#parts;
		let step = await calls.next(call);
		while ('form' in step) {
			const { form, over, state } = step;
			const filled = await new Promise<Filled>((fillIn) => {
				over.addEventListener('abort', () => fillIn(undefined), { once: true });
				kept.form = { form, over, fillIn };
				this.#update(kept, 'input_required');
				if (over.aborted) fillIn(undefined);
			});
			kept.form = undefined;
			this.#update(kept, 'working');
			calls.fillIn(state, filled);
			step = await calls.next(call);
		}
		const result = finish(step.outcome);
		const isStopped = step.outcome.status === 'cancelled';
		this.#end(kept, result, isStopped ? 'cancelled' : result.isError === true ? 'failed' : 'completed');
	}

	#end(kept: KeptTask, result: CallToolResult, status: Task['status']): void {
		kept.result = result;
		// Behind those that have ended before it.
		const { taskId } = kept.task;
		if (this.#tasks.delete(taskId)) this.#tasks.set(taskId, kept);
		this.#update(kept, status);
	}

	/** The result, once it is there, for one of a bounded number of requests. */
	async #wait(taskId: string, mcpReq: ServerContext['mcpReq']): Promise<Result> {
		const most = mcpDoorLimits.taskWaits;
		if (this.#waiting >= most && this.#find(taskId).result === undefined) {
			throw refuseParams(`at most ${most} requests wait for results of tasks; ask for the state with tasks/get`);
		}
		this.#waiting += 1;
		try {
			return await this.#nextResult(taskId, mcpReq);
		} finally {
			this.#waiting -= 1;
		}
	}

	/** Until the result is there, questions of the task go to the client that waits. */
	async #nextResult(taskId: string, mcpReq: ServerContext['mcpReq']): Promise<Result> {
		for (;;) {
			const kept = this.#find(taskId);
			if (kept.result !== undefined) {
				return { ...kept.result, _meta: { ...kept.result._meta, [RELATED_TASK_META_KEY]: { taskId } } };
			}
			mcpReq.signal.throwIfAborted();
			if (kept.form === undefined) await this.#nextChange(taskId, mcpReq.signal);
			else {
				const { form } = kept;
				kept.form = undefined;
				const named = { ...form.form, _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
				form.fillIn(await this.#parts.ask({ form: named, over: form.over }, mcpReq));
			}
		}
	}

	async #nextChange(taskId: string, signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve) => {
			const heard = this.#changed.event((changed) => {
				if (changed === taskId) end();
			});
			const end = () => {
				heard.dispose();
				signal.removeEventListener('abort', end);
				resolve();
			};
			signal.addEventListener('abort', end, { once: true });
		});
	}

	#cancel(taskId: string): Task {
		this.#check('prompt');
		const kept = this.#find(taskId);
		if (isEnded(kept)) throw refuseParams(`the task "${taskId}" has ended: ${kept.task.status}`);
		this.#update(kept, 'cancelled');
		kept.call.stop(new ProwessError('CANCELLED', 'the client cancelled the task'));
		return kept.task;
	}

	/** The first end of a task stays. */
	#update(kept: KeptTask, status: Task['status']): void {
		if (!isEnded(kept)) kept.task = { ...kept.task, status, lastUpdatedAt: new Date().toISOString() };
		this.#changed.fire(kept.task.taskId);
	}

	/** Throws also for a client that may not look any more. */
	#find(taskId: string): KeptTask {
		this.#check('look');
		const kept = this.#tasks.get(taskId);
		if (kept === undefined) throw refuseParams(`there is no task "${taskId}"; one is forgotten after its ttl`);
		return kept;
	}

	#check(right: ClientRight): void {
		try {
			this.#parts.check(right);
		} catch (error) {
			throw isProwessError(error) ? new ProtocolError(ProtocolErrorCode.InvalidRequest, textForModel(error)) : error;
		}
	}

	#forget(taskId: string): void {
		const kept = this.#tasks.get(taskId);
		if (kept === undefined) return;
		clearTimeout(kept.forgetting);
		if (kept.result === undefined)
			kept.call.stop(new ProwessError('CANCELLED', 'the time to live of the task is over'));
		this.#tasks.delete(taskId);
		this.#changed.fire(taskId);
	}

	/** Forgets those that have ended longest ago, where there are too many. */
	#forgetOldest(): void {
		const ended = [...this.#tasks.values()].filter(({ result }) => result !== undefined);
		for (const { task } of ended.slice(0, Math.max(0, this.#tasks.size - mcpDoorLimits.tasks)))
			this.#forget(task.taskId);
	}
}

function isEnded({ task: { status } }: KeptTask): boolean {
	return status !== 'working' && status !== 'input_required';
}

/** Result of a call of which nothing can be told: what it did is in the ledger. */
function createInternalResult(): CallToolResult {
	const [code, message] = ['INTERNAL', 'the end of the call could not be told; the ledger has what it did'];
	const content = [{ type: 'text' as const, text: textForModel({ code, message }) }];
	return { content, structuredContent: { code, message }, isError: true };
}

function refuseParams(message: string): ProtocolError {
	return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
