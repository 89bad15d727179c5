/** A thread as a client of the host follows it: each event once and in order, whichever messages bring it. */
import type { Disposable } from '../../base/disposable.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { type TurnEnd, TurnEnds } from './turn-ends.ts';

/** The server's process, as a client of threads uses it. */
export interface ThreadServer {
	readonly peer: Pick<Peer, 'on'>;
	/** Aborts when the process is gone, with the error for whoever waits. */
	readonly gone: AbortSignal;
	readonly call: Peer['call'];
	/** Ends it at once. */
	kill(): void;
}

/** `isElsewhere`: another process has written it. */
type HearEvent = (event: ThreadEvent, isElsewhere: boolean) => void;

export class ThreadFollower implements Disposable {
	readonly #ends = new TurnEnds();
	readonly #server: ThreadServer;
	readonly #subscription: Disposable;
	readonly #hear: HearEvent;
	#seq: number;
	/** Undefined when they are told as they come. */
	#held: (readonly [ThreadEvent, boolean])[] | undefined = [];

	/** `seq`: number of the last event that is known; what comes after it waits for `show`. */
	constructor(server: ThreadServer, { id, seq }: { readonly id: ThreadId; readonly seq: number }, hear: HearEvent) {
		this.#server = server;
		this.#hear = hear;
		this.#seq = seq;
		this.#subscription = server.peer.on(threadNotifications, {
			update: ({ threadId, seq: first, events, isElsewhere = false }) => {
				if (threadId !== id) return;
				const fresh = events.slice(Math.max(0, this.#seq - first + 1));
				this.#seq = Math.max(this.#seq, first + events.length - 1);
				for (const event of fresh) {
					if (this.#held === undefined) this.#take(event, isElsewhere);
					else this.#held.push([event, isElsewhere]);
				}
			},
		});
	}

	show(): void {
		const held = this.#held ?? [];
		this.#held = undefined;
		for (const [event, isElsewhere] of held) this.#take(event, isElsewhere);
	}

	/** Resolves with the one end of the turn; rejects when the server goes before it. */
	ended(turnId: string): Promise<TurnEnd> {
		return this.#ends.of(turnId, this.#server.gone);
	}

	dispose(): void {
		this.#subscription.dispose();
	}

	#take(event: ThreadEvent, isElsewhere: boolean): void {
		this.#hear(event, isElsewhere);
		if (event.type === 'turn.end') this.#ends.put(event);
	}
}

/** Ends the turn that runs in the thread, if one does, and its server where that takes longer than `timeoutMs`. Never rejects. */
export async function stopTurn(server: ThreadServer, threadId: ThreadId, timeoutMs: number): Promise<void> {
	if (server.gone.aborted) return;
	try {
		const limit = { what: 'stopping the turn', timeoutMs };
		await withTimeLimit(limit, (signal) => server.call(threadRequests.stop, { threadId }, signal));
	} catch {
		server.kill();
	}
}
