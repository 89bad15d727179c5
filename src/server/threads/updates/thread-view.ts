/** Rows as the server shows and uses them, beside what `stored-thread.ts` makes of them for every host. */
import type { OpError } from '../../../protocol/turn/broker.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import { readStoredItem, parsedOr, storedInfo } from '../../../protocol/thread/stored-thread.ts';
import type { AgentOfThread } from '../../../protocol/thread/thread-requests.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import type { CompactionRow, MessageRow, ThreadRow, TurnRow } from '../../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { parseProcessName } from '../../../store/threads/process-lease-holder.ts';
import { storedAt } from '../../history/messages.ts';
import { isResultId } from '../../history/stored-texts.ts';
import type { ModelMessage } from '../../models/model-port.ts';

/** `holder`: name of the other process that works in it. */
export function toThreadInfo(row: ThreadRow, holder?: string): ThreadInfo {
	return { ...storedInfo(row), ...(holder === undefined ? {} : { heldBy: parseProcessName(holder).kind }) };
}

/** Returns the agent that the thread follows: a sub-agent's, or a custom one; undefined: it follows none. */
export function parseThreadAgent({ agent }: Pick<ThreadRow, 'agent'>): AgentOfThread | undefined {
	return agent === null ? undefined : parsedOr<AgentOfThread | undefined>(agent, undefined);
}

export function parseStoredMessage(row: MessageRow): ModelMessage {
	return storedAt(parsedOr<ModelMessage>(row.body, DAMAGED), row.position);
}

/** Whole text of a result of this thread, by its short id. */
export function storedResult(store: ThreadStore, threadId: ThreadId, id: string, ofTurn?: TurnId): string | undefined {
	const row = isResultId(id) ? store.itemOfOp(threadId, id) : undefined;
	const item = row === undefined ? undefined : readStoredItem(row);
	const isMeant = ofTurn === undefined || item?.turnId === ofTurn;
	return item?.kind === 'tool' && isMeant ? (row?.whole ?? item.output) : undefined;
}

/** Returns the messages that the model reads in place of older messages. */
export function parseStandIn(row: CompactionRow | undefined): readonly ModelMessage[] {
	return row === undefined ? [] : parsedOr<readonly ModelMessage[]>(row.body, [DAMAGED]);
}

const DAMAGED: ModelMessage = {
	role: 'user',
	text: '[A message of this conversation is damaged on the disk and cannot be read.]',
};

export function parseTurnError(row: TurnRow): OpError | undefined {
	return row.error === null ? undefined : parsedOr<OpError | undefined>(row.error, undefined);
}

/** The first line of the first message, as a heading. */
export function titleFrom(text: string, maxChars: number): string {
	const [line = ''] = text.trim().split('\n', 1);
	const characters = [...line.replace(/\s+/g, ' ').trim()];
	return characters.length > maxChars
		? `${characters.slice(0, maxChars - 1).join('')}…`
		: characters.join('') || 'New thread';
}
