/** Holds the state and tells who draws it. Told at once; the listener decides when it draws. */
import { Emitter, type Event } from '../../base/emitter.ts';
import { reduceView } from './reduce.ts';
import type { ViewEvent } from './view-event.ts';
import type { ViewState } from './view-state.ts';

export class Store {
	#state: ViewState;
	readonly #changed = new Emitter<ViewState>();
	readonly onDidChange: Event<ViewState> = this.#changed.event;

	constructor(state: ViewState) {
		this.#state = state;
	}

	get state(): ViewState {
		return this.#state;
	}

	dispatch(event: ViewEvent): void {
		const next = reduceView(this.#state, event);
		if (next !== this.#state) {
			this.#state = next;
			this.#changed.fire(next);
		}
	}
}
