/** *Show Trace of the Last Turn*: how the last turn of the thread on the screen went, and a line for each one before it. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/with-time-limit.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceHead, traceLines } from '../../protocol/trace-lines.ts';
import { traceRequests } from '../../protocol/turn-trace.ts';
import { limits } from '../limits.ts';

/** `threadId`: null for a thread that does not exist yet. */
export async function traceText(threadId: ThreadId | null, server: () => Promise<Peer>): Promise<string> {
	const none = `${vscode.l10n.t('Nothing has been asked in this thread yet.')}\n`;
	if (threadId === null) {
		return none;
	}
	return withTimeLimit({ what: 'reading a trace', timeoutMs: limits.traceMs }, async (signal) => {
		const peer = await server();
		const { turns } = await peer.call(traceRequests.list, { threadId }, signal);
		const last = turns.at(-1);
		if (last === undefined) {
			return none;
		}
		const trace = await peer.call(traceRequests.show, { turnId: last.turnId }, signal);
		const earlier = turns.slice(0, -1).map(traceHead).toReversed();
		const before = earlier.length === 0 ? [] : ['', vscode.l10n.t('Turns before it, newest first:'), ...earlier];
		return `${[...traceLines(trace), ...before].join('\n')}\n`;
	});
}
