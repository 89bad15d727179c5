/**
 * Parts that every page of ours has: the element it draws into, the state that the editor keeps for it, and the far end
 * of its messages.
 */
import type { Peer } from '../../protocol/rpc/peer.ts';

export interface PageEnd {
	readonly root: HTMLElement;
	readonly editor: EditorState;
	readonly peer: Peer;
	/** Aborted when the page goes. */
	readonly signal: AbortSignal;
}

/** State that the editor keeps for the next page. */
export interface EditorState {
	getState(): unknown;
	setState(state: unknown): void;
}
