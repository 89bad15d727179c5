/**
 * Use of a turn, as the chat shows it below its answer: from its begin to its end, in tokens, and in dollars where prices are
 * known.
 */
import type { viewRequests } from '../../protocol/pages/chat-view.ts';
import type { TurnId } from '../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';

export async function readTurnUse(
	server: Pick<Peer, 'call'>,
	turnId: TurnId,
	signal: AbortSignal,
): Promise<ResultOf<(typeof viewRequests)['turnUse']>> {
	const { startedAt, endedAt, tokens, items } = await server.call(traceRequests.show, { turnId }, signal);
	const costs = items.flatMap(({ cost }) => cost ?? []);
	return {
		tookMs: endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
		tokens: tokens.input + tokens.output,
		cost: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0),
	};
}
