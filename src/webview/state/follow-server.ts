/** What the state of the server says about everything else: without it no turn runs, and with a new one an old failure is past. */
import type { ServerState } from '../../protocol/chat-view.ts';
import type { Item } from '../../protocol/thread.ts';
import type { OpenThread, ViewState } from './view-state.ts';

export function followServer(state: ViewState, server: ServerState): ViewState {
	if (server.kind === 'degraded') {
		const threads = state.threads.map((info) => (info.running ? { ...info, running: false } : info));
		return { ...state, server, threads, open: atRest(state.open) };
	}
	const isOver = state.server.kind === 'degraded';
	return { ...state, server, problem: isOver ? null : state.problem };
}

/** The thread as its next snapshot will say at least: the server that ran it is gone. */
function atRest(open: OpenThread): OpenThread {
	if (open.kind !== 'open' || !open.snapshot.info.running) {
		return open;
	}
	const { snapshot } = open;
	const info = { ...snapshot.info, running: false };
	return { ...open, snapshot: { ...snapshot, info, turnId: null, items: snapshot.items.map(ended) } };
}

function ended(item: Item): Item {
	switch (item.kind) {
		case 'text':
		case 'thinking':
			return item.done ? item : { ...item, done: true };
		case 'tool':
			return ['pending', 'waiting', 'running'].includes(item.status) ? { ...item, status: 'interrupted' } : item;
		default:
			return item;
	}
}
