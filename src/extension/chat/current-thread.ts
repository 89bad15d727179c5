/** The thread that is shown, remembered for this workspace; what palette commands act on. */
import type * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { ThreadId } from '../../protocol/ids.ts';

const KEY = 'prowess.thread';

export class CurrentThread {
	readonly #state: vscode.Memento;
	readonly #changed = new Emitter<ThreadId | null>();
	readonly onDidChange = this.#changed.event;

	constructor(state: vscode.Memento) {
		this.#state = state;
	}

	get id(): ThreadId | null {
		return ThreadId.nullable()
			.catch(null)
			.parse(this.#state.get(KEY) ?? null);
	}

	async set(id: ThreadId | null): Promise<void> {
		if (id !== this.id) {
			const stored = this.#state.update(KEY, id);
			this.#changed.fire(id);
			await stored;
		}
	}
}
