/** Actions of the user on sub-agents of the thread on the screen. */
import { agentNotifications, agentRequests, type HandOff } from '../../protocol/agents/agent-view.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { openThreadId } from '../state/view-state.ts';
import { type ActionContext, orShow } from './asking.ts';

export type AgentActions = ReturnType<typeof agentActions>;

export function agentActions(asking: ActionContext) {
	const { peer, store, signal } = asking;
	return {
		/** The extension tells of changes, and when another thread is shown. */
		follow(): Disposable {
			return peer.on(agentNotifications, {
				changed: ({ threadId, agents }) => store.dispatch({ type: 'agents', threadId, agents }),
			});
		},
		async fetch(): Promise<void> {
			const threadId = openThreadId(store.state.open);
			if (threadId !== null) {
				const found = await orShow(asking, peer.call(agentRequests.list, { threadId }, signal));
				if (found !== undefined) store.dispatch({ type: 'agents', threadId, agents: found.agents });
			}
		},
		/** Returns the hand-offs of the custom agent that the thread follows; empty after a failure, which is shown. */
		async handOffs(threadId: ThreadId): Promise<readonly HandOff[]> {
			return (await orShow(asking, peer.call(agentRequests.handOffs, { threadId }, signal)))?.handOffs ?? [];
		},
		async handOff(threadId: ThreadId, at: number): Promise<void> {
			await orShow(asking, peer.call(agentRequests.handOff, { threadId, at }, signal));
		},
		async stop(id: ThreadId): Promise<void> {
			await orShow(asking, peer.call(agentRequests.stop, { id }, signal));
		},
	};
}
