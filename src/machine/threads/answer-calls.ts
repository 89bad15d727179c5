/** Loop of a thread that answers calls (`thread-calls.ts`): the same for a worker of one host and for one that many hosts share. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import {
	CLOSE,
	type CallInput,
	type CallResult,
	type CallTable,
	type ThreadAnswer,
	type ThreadReply,
	type ThreadRequest,
} from './call-messages.ts';

/** Handles requests that have arrived together. Never throws. */
type AnswerRequests = (requests: readonly ThreadRequest[], post: (replies: readonly ThreadReply[]) => void) => void;

/** Implementation of each call in a thread. */
export type CallHandlers<T extends CallTable<T>> = {
	readonly [N in keyof T]: (input: CallInput<T, N>) => CallResult<T, N>;
};

/** Answers what a host asks through a port, until the host closes it. */
export function answerRequests(port: MessagePort, answer: AnswerRequests): void {
	port.on('message', (first: readonly ThreadRequest[]) => {
		const batch = [...first];
		for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
			batch.push(...(more.message as readonly ThreadRequest[]));
		}
		answer(batch, (replies) => port.postMessage(replies));
		if (batch.some(({ name }) => name === CLOSE)) {
			port.close();
		}
	});
}

/** Answers each call of a table as soon as it is done. `close`: called once, when the host closes the thread in good order. */
export function answerCalls<T extends CallTable<T>>(port: MessagePort, calls: CallHandlers<T>, close = () => {}): void {
	const handlers = calls as Readonly<Record<string, ((input: unknown) => unknown) | undefined>>;
	const runRequest = ({ name, input }: ThreadRequest): unknown => {
		if (name === CLOSE) return close();
		const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
		if (handler === undefined) throw new ProwessError('INTERNAL', `there is no call "${name}" here`, { name });
		return handler(input);
	};
	answerRequests(port, (requests, post) => {
		for (const request of requests) {
			try {
				post([{ kind: 'result', id: request.id, result: runRequest(request) }]);
			} catch (error) {
				post([toErrorAnswer(request.id, error)]);
			}
		}
	});
}

/** Tells the host of something that it has not asked for. */
export function tellHost<E extends object, N extends keyof E & string>(port: MessagePort, name: N, value: E[N]): void {
	port.postMessage([{ kind: 'event', name, value }] satisfies readonly ThreadReply[]);
}

/** Keeps the code of an error, where it has one. */
function toErrorAnswer(id: number, error: unknown): Extract<ThreadAnswer, { kind: 'error' }> {
	const about = isProwessError(error) ? { code: error.code, facts: error.facts } : {};
	return { kind: 'error', id, message: toErrorMessage(error), ...about };
}
