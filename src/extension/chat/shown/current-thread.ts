/** The thread that is shown, remembered for this workspace; what palette commands act on. */
import { Emitter } from '../../../base/emitter.ts';
import type { WorkspaceMemory } from '../../../capability-host/machine/home-files/workspace-memory.ts';
import { ThreadId } from '../../../protocol/ids.ts';

export class CurrentThread {
	readonly #memory: WorkspaceMemory;
	readonly #changed = new Emitter<ThreadId | null>();
	readonly onDidChange = this.#changed.event;

	constructor(memory: WorkspaceMemory) {
		this.#memory = memory;
	}

	/** Null: none, or what is remembered is none of ours. */
	get id(): ThreadId | null {
		return ThreadId.nullable().catch(null).parse(this.#memory.value);
	}

	set(id: ThreadId | null): void {
		if (id !== this.id) {
			this.#memory.set(id);
			this.#changed.fire(id);
		}
	}
}
