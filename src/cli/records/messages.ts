/** `prowess thread messages` and `thread fork`: what the user said in a thread, by numbers, and another thread from there. */
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { readThreadId, type ServerCall, withThreadServer } from './threads.ts';
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

const SHOWN_MESSAGE_CHARS = 100;

export const listMessages: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	const messages = await withThreadServer(invocation, context, (call) => readTurnMessages(call, threadId));
	return printResult(invocation, context, messages, messages.map(messageLine).join(''));
};

export const forkThreadCommand: CommandAction = async (invocation, context) => {
	const threadId = readThreadId(invocation);
	const [, named] = invocation.operands;
	await withThreadServer(invocation, context, async (call, host) => {
		const before = named === undefined ? undefined : requireMessage(await readTurnMessages(call, threadId), named);
		const params = { threadId, ...(before === undefined ? {} : { before: before.turnId }) };
		const { thread, said } = await call(threadRequests.fork, params);
		const base = await host.trustedBase();
		await base.handOnLabel(threadId, thread.id, context.signal);
		await base.modes.set(thread.id, thread.mode, context.signal);
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
	const found: NumberedMessage[] = [];
	let page: ResultOf<typeof threadRequests.messages> | undefined;
	do {
		const after = page?.next ?? undefined;
		page = await call(threadRequests.messages, { threadId, ...(after !== undefined && { after }) });
		found.push(...page.messages.map((each, index) => ({ number: found.length + index + 1, ...each })));
	} while (page.next !== null);
	return found;
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
