/**
 * Applies the state of the server to the rest of the state: without a server no turn runs, and with a new one an old
 * failure is past.
 */
import type { ServerState } from '../../protocol/pages/chat-view.ts';
import { atRest } from '../../protocol/thread/stored-thread.ts';
import type { OpenCallThread, ViewState } from './view-state.ts';

export function followServer(state: ViewState, server: ServerState): ViewState {
	if (server.kind === 'degraded') {
		const threads = state.threads.map((info) => (info.running ? { ...info, running: false } : info));
		return { ...state, server, threads, open: openAtRest(state.open) };
	}
	const isOver = state.server.kind === 'degraded';
	return { ...state, server, problem: isOver ? null : state.problem };
}

function openAtRest(open: OpenCallThread): OpenCallThread {
	return open.kind === 'open' && open.snapshot.info.running ? { ...open, snapshot: atRest(open.snapshot) } : open;
}
