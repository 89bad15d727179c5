/** Titles of the newest threads, for what names threads by their ids. */
import type { Peer } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../editor/limits.ts';

/** Empty while no server runs. */
export async function readThreadTitles(
	server: Peer | undefined,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	if (server === undefined) {
		return new Map();
	}
	const { threads } = await server.call(threadRequests.list, { limit: extensionLimits.titledThreads }, signal);
	return new Map(threads.map(({ id, title }) => [id, title]));
}
