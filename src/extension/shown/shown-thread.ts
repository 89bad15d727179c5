/** Reads the messages of the shown thread, for a capability that the user runs while it is shown. */
import { withTimeLimit } from '../../base/time/with-time-limit.ts';
import { threadMessages } from '../../trust/broker/person/thread-messages.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { extensionLimits } from '../editor/limits.ts';
import type { CurrentThread } from './current-thread.ts';

/** Null when none is shown, or the one that was is gone: then it runs without. */
export async function shownThread(
	server: Peer,
	{ id }: Pick<CurrentThread, 'id'>,
	log: LogPort,
): Promise<{ readonly id: ThreadId; readonly messages: readonly ThreadMessage[] } | null> {
	if (id === null) {
		return null;
	}
	const limit = { what: 'reading the thread', timeoutMs: extensionLimits.readThreadMs };
	try {
		return { id, messages: await withTimeLimit(limit, (signal) => threadMessages(server, id, signal)) };
	} catch (error) {
		log.warn(`a capability runs without the thread ${id}: ${error instanceof Error ? error.message : String(error)}`);
		return null;
	}
}
