/** Actions of the user on the permission level of the thread on the screen. The extension decides about each choice. */
import type { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { levelRequests } from '../../protocol/thread/thread-level.ts';
import { openThreadId } from '../state/view-state.ts';
import { type ActionContext, orShow } from './asking.ts';

export type LevelActions = ReturnType<typeof levelActions>;

export function levelActions(asking: ActionContext) {
	const { peer, store, signal } = asking;
	return {
		async fetch(): Promise<void> {
			const threadId = openThreadId(store.state.open);
			const inForce = await orShow(asking, peer.call(levelRequests.of, { threadId }, signal));
			if (inForce !== undefined) {
				store.dispatch({ type: 'level', threadId, inForce });
			}
		},
		async choose(level: PermissionLevel): Promise<void> {
			const threadId = openThreadId(store.state.open);
			const inForce = await orShow(asking, peer.call(levelRequests.choose, { threadId, level }, signal));
			if (inForce !== undefined) {
				store.dispatch({ type: 'level', threadId, inForce });
			}
		},
	};
}
