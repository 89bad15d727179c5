/**
 * The thread of the chat that had the keyboard last, on which palette commands act. The side bar's thread is remembered
 * for this workspace; tabs know their own.
 */
import { Emitter } from '../../base/emitter.ts';
import type { WorkspaceMemory } from '../../machine/home-files/workspace-memory.ts';
import { ThreadId } from '../../protocol/ids.ts';

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
