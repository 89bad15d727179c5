/** Titles of the newest threads, for what names threads by their ids. */
import type { Peer } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { limits } from '../editor/limits.ts';

/** Empty while no server runs. */
export async function threadTitles(
	server: Peer | undefined,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	if (server === undefined) {
		return new Map();
	}
	const { threads } = await server.call(threadRequests.list, { limit: limits.titledThreads }, signal);
	return new Map(threads.map(({ id, title }) => [id, title]));
}
