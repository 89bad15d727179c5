/**
 * A call that a server carries out as a task, as in the revision of 2025-11-25: the server answers at once, says its
 * state when asked, and gives the result at the end. A call that is stopped cancels its task.
 */
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { cutText, escapeToLine } from '../../base/text/one-line.ts';
import { waitOrAborted } from '../../base/time/bounded-wait.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import * as z from '../../protocol/text/zod.ts';
import {
	ACCEPT_MS,
	LONGEST_POLL_MS,
	POLL_MS,
	SAID_CHARS,
	SHORTEST_POLL_MS,
	TASK_SIGN_MS,
	TASK_TTL_MS,
} from './limits.ts';

/** State of a task; members that this host does not read are left alone. */
const TaskState = z.looseObject({
	taskId: z.string().max(1_000),
	status: z.string(),
	statusMessage: z.string().optional().catch(undefined),
	pollInterval: z.number().optional().catch(undefined),
});
type TaskState = z.infer<typeof TaskState>;
/** Answer to a call: the task, or the result of a server that runs the call without a task. */
const Created = z.looseObject({ task: TaskState.optional() });
const Anything = z.looseObject({});

type Requester = Pick<Client, 'request'>;

/** True for a tool, as it is listed, whose calls the server carries out as tasks. */
export function takesTasks({ execution }: { readonly execution?: unknown }): boolean {
	const support: unknown =
		typeof execution === 'object' && execution !== null ? Reflect.get(execution, 'taskSupport') : '';
	return support === 'required' || support === 'optional';
}

/** `emit` hears of each state, and now and then that the task goes on. Rejects with the signal's reason, or as the server says. */
export async function callAsTask(
	client: Requester,
	call: { readonly name: string; readonly arguments: Record<string, unknown> },
	options: RequestOptions,
	emit: (line: string) => void,
	signal: AbortSignal,
): Promise<unknown> {
	const params = { ...call, task: { ttl: TASK_TTL_MS } };
	const { task, ...answer } = await client.request({ method: 'tools/call', params }, Created, options);
	if (task === undefined) return answer;
	try {
		const ended = await watchTask(client, task, options, emit, signal);
		if (ended.status === 'cancelled') throw new Error(`the server cancelled the task. ${shownMessage(ended)}`.trim());
		// Where the server waits for an answer, its question comes with this request.
		return await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, Anything, options);
	} catch (error) {
		if (signal.aborted) cancelTask(client, task.taskId);
		throw error;
	}
}

/** Asks for the state until the result can be asked for: when it is there, or when the server needs an answer first. */
async function watchTask(
	client: Requester,
	first: TaskState,
	{ timeout }: RequestOptions,
	emit: (line: string) => void,
	signal: AbortSignal,
): Promise<TaskState> {
	let state = first;
	let said = '';
	let saidAt = performance.now();
	for (;;) {
		const line = [state.status, shownMessage(state)].join(' ').trim();
		if (line !== said || performance.now() - saidAt >= TASK_SIGN_MS) {
			[said, saidAt] = [line, performance.now()];
			emit(`${line}\n`);
		}
		if (state.status !== 'working') return state;
		const pollMs = Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, state.pollInterval ?? POLL_MS));
		await waitOrAborted(pollMs, signal);
		const options = { signal, ...(timeout === undefined ? {} : { timeout }) };
		state = await client.request({ method: 'tasks/get', params: { taskId: first.taskId } }, TaskState, options);
	}
}

/** Tells the server that nobody waits for the result any more. Nobody waits for its answer either. */
function cancelTask(client: Requester, taskId: string): void {
	const limit = deriveSignal(new AbortController().signal, { what: 'the end of a task', timeoutMs: ACCEPT_MS });
	const options = { signal: limit.signal, timeout: ACCEPT_MS };
	client
		.request({ method: 'tasks/cancel', params: { taskId } }, Anything, options)
		.catch(() => undefined)
		.finally(() => limit.dispose());
}

function shownMessage({ statusMessage = '' }: TaskState): string {
	return cutText(escapeToLine(statusMessage), SAID_CHARS);
}
