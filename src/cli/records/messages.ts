/** `prowess thread messages` and `thread fork`: what the user said in a thread, by numbers, and another thread from there. */
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { RequestDef, ParamsOf, ResultOf } from '../../protocol/rpc/message.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { callThreadServer, readThreadId } from './threads.ts';
import { printResult } from '../invocation/print-result.ts';

/** A message with which a turn began. */
export interface NumberedMessage {
	/** From 1, in the order of the thread. */
	readonly number: number;
	readonly turnId: TurnId;
	/** ISO time. */
	readonly at: string;
	readonly text: string;
}

type ServerCall = <D extends RequestDef>(def: D, params: ParamsOf<D>) => Promise<ResultOf<D>>;

const MESSAGE_PAGE_ITEMS = 1000;
const SHOWN_MESSAGE_CHARS = 100;

export const listMessages: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	const messages = await readTurnMessages(
		(def, params) => callThreadServer(invocation, context, def, params),
		threadId,
	);
	return printResult(invocation, context, messages, messages.map(messageLine).join(''));
};

export const forkThreadCommand: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	const [, named] = invocation.operands;
	const call: ServerCall = (def, params) => callThreadServer(invocation, context, def, params);
	const before = named === undefined ? undefined : requireMessage(await readTurnMessages(call, threadId), named);
	const params = { threadId, ...(before === undefined ? {} : { before: before.turnId }) };
	await callThreadServer(invocation, context, threadRequests.fork, params, async (host, { thread, said }) => {
		await (await host.trustedBase()).modes.set(thread.id, thread.mode, context.signal);
		context.terminal.out(`${thread.id}\n`);
		if (said !== null) {
			context.terminal.err(`It ends before: ${visibleLine(said.text).slice(0, SHOWN_MESSAGE_CHARS)}\n`);
		}
	});
	return exitCodes.done;
};

/**
 * Returns all messages of a thread that began a turn, the oldest first. Messages sent while a turn ran belong to the
 * message that began it.
 */
export async function readTurnMessages(call: ServerCall, threadId: ThreadId): Promise<NumberedMessage[]> {
	let { items, earlier } = await call(threadRequests.open, { threadId, items: MESSAGE_PAGE_ITEMS });
	while (earlier > 0 && items[0] !== undefined) {
		const page = await call(threadRequests.earlier, { threadId, before: items[0].id, limit: MESSAGE_PAGE_ITEMS });
		items = [...page.items, ...items];
		({ earlier } = page);
	}
	const begun = items.flatMap((item) => (item.kind === 'user' && item.isSteering !== true ? [item] : []));
	return begun.map(({ turnId, at, text }, index) => ({ number: index + 1, turnId, at, text }));
}

/** The message that was named by its number or its turn. */
export function requireMessage(messages: readonly NumberedMessage[], named: string): NumberedMessage {
	const found = messages.find(({ number, turnId }) => String(number) === named || turnId === named);
	if (found === undefined) {
		const all = messages.length === 0 ? 'it has none' : `it has 1 to ${messages.length}`;
		throw new UsageError(`"${named}" is no message of this thread: ${all}; see prowess thread messages`);
	}
	return found;
}

export function messageLine({ number, at, text }: NumberedMessage): string {
	const when = at.slice(0, 16).replace('T', ' ');
	return `${String(number).padStart(3)}  ${when}  ${visibleLine(text.split('\n', 1)[0] ?? '').slice(0, SHOWN_MESSAGE_CHARS)}\n`;
}
