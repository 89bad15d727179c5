/**
 * The thread of the chat that had the keyboard last, on which palette commands act, its messages, and titles of threads.
 * The side bar's thread is remembered for this workspace; tabs know their own.
 */
import { Emitter } from '../../base/emitter.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { WorkspaceMemory } from '../../machine/home-files/workspace-memory.ts';
import type { ThreadMessage } from '../../protocol/execution/execution.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ThreadInfo } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { threadMessages } from '../../trust/broker/person/thread-messages.ts';
import { extensionLimits } from '../editor/limits.ts';

interface OtherChat {
	readonly id: ThreadId | null;
}

export class CurrentThread {
	readonly #memory: WorkspaceMemory;
	readonly #changed = new Emitter<ThreadId | null>();
	readonly onDidChange = this.#changed.event;
	#inFront: OtherChat | undefined;
	#told: ThreadId | null;

	constructor(memory: WorkspaceMemory) {
		this.#memory = memory;
		this.#told = this.id;
	}

	/** Null: none, or what is remembered is none of ours. */
	get id(): ThreadId | null {
		return this.#inFront === undefined ? this.ofSideBar : this.#inFront.id;
	}

	get ofSideBar(): ThreadId | null {
		return ThreadId.nullable().catch(null).parse(this.#memory.value);
	}

	/** Undefined: the chat of the side bar. */
	get inFront(): OtherChat | undefined {
		return this.#inFront;
	}

	/** The side bar shows another thread. */
	set(id: ThreadId | null): void {
		if (id !== this.ofSideBar) {
			this.#memory.set(id);
			this.tell();
		}
	}

	/** Has the keyboard; undefined: the chat of the side bar has it. */
	bring(chat: OtherChat | undefined): void {
		this.#inFront = chat;
		this.tell();
	}

	/** Is closed. */
	leave(chat: OtherChat): void {
		if (this.#inFront === chat) {
			this.bring(undefined);
		}
	}

	/** Announces what is shown, if that is another one. */
	tell(): void {
		const { id } = this;
		if (id !== this.#told) {
			this.#told = id;
			this.#changed.fire(id);
		}
	}
}

/** Null when none is shown, or the one that was is gone: then it runs without. */
export async function shownThread(
	server: Peer,
	{ id }: Pick<CurrentThread, 'id'>,
	log: LogPort,
): Promise<{ readonly id: ThreadId; readonly messages: readonly ThreadMessage[] } | null> {
	if (id === null) {
		return null;
	}
	const limit = { what: 'reading the thread', timeoutMs: extensionLimits.readThreadMs };
	try {
		return { id, messages: await withTimeLimit(limit, (signal) => threadMessages(server, id, signal)) };
	} catch (error) {
		log.warn(`a capability runs without the thread ${id}: ${error instanceof Error ? error.message : String(error)}`);
		return null;
	}
}

/** Threads by id; empty while no server runs. */
export async function readKnownThreads(
	server: Peer | undefined,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, ThreadInfo>> {
	if (server === undefined) {
		return new Map();
	}
	const { threads } = await server.call(threadRequests.list, { limit: extensionLimits.titledThreads }, signal);
	return new Map(threads.map((thread) => [thread.id, thread]));
}
