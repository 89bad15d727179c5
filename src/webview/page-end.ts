/**
 * Parts that every page of ours has: the element it draws into, the state that the editor keeps for it, and the far end
 * of its messages.
 */
import type { Peer } from '../protocol/rpc/peer.ts';

export interface PageEnd<Editor> {
	readonly root: HTMLElement;
	readonly editor: Editor;
	readonly peer: Peer;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
}
