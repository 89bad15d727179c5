/** Input that the user has typed in this workspace and not sent: on the disk as soon as the page hands it over, for its next life or the next window's. */
import type { WorkspaceMemory } from '../../machine/home-files/workspace-memory.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { readTypedInput, type TypedInput, mergeTypedInput } from '../../protocol/pages/typed-input.ts';

export class KeptInput {
	readonly #memory: WorkspaceMemory;

	constructor(memory: WorkspaceMemory) {
		this.#memory = memory;
	}

	get typed(): TypedInput {
		return readTypedInput(this.#memory.value);
	}

	/** Takes what changed. */
	take(changed: TypedInput): void {
		this.#memory.set(mergeTypedInput(this.typed, changed));
	}

	/** Drops the draft and the queue of a thread that is gone. */
	drop(threadId: ThreadId): void {
		const { drafts, queues } = this.typed;
		if (Object.hasOwn(drafts, threadId) || Object.hasOwn(queues, threadId)) {
			this.take({ drafts: { [threadId]: { text: '', refs: [] } }, queues: { [threadId]: [] } });
		}
	}
}
