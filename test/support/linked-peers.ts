/** Two peers in one process, each at one end of the same conversation; messages are copied on the way. */
import { Emitter } from '../../src/base/emitter.ts';
import { Peer } from '../../src/protocol/rpc/peer.ts';
import { type PostMessageWire, postMessageWire } from '../../src/protocol/rpc/post-message-wire.ts';

interface LinkedPeers {
	readonly near: Peer;
	readonly far: Peer;
	/** For frames that no honest peer sends. */
	readonly farWire: PostMessageWire;
}

export function linkedPeers(): LinkedPeers {
	const toNear = new Emitter<unknown>();
	const toFar = new Emitter<unknown>();
	const carry = (to: Emitter<unknown>) => (frame: unknown) => {
		const copy = structuredClone(frame);
		queueMicrotask(() => to.fire(copy));
	};
	const nearWire = postMessageWire({ post: carry(toFar), listen: (receive) => toNear.event(receive) });
	const farWire = postMessageWire({ post: carry(toNear), listen: (receive) => toFar.event(receive) });
	return { near: new Peer(nearWire), far: new Peer(farWire), farWire };
}
