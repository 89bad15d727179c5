/**
 * Messages that the user sends to a running turn. Each message is in the store before it is here, so none is lost with
 * this object.
 */
import type { UserItem } from '../../protocol/thread/items.ts';

export type SteeringMessage = Pick<UserItem, 'id' | 'text' | 'context'> & {
	readonly from?: UserItem['from'] | undefined;
};

/** Closed at first: a turn that asks no model takes nothing. */
export class Steering {
	/** Resolves once it is known whether the turn takes messages. */
	readonly settled: Promise<void>;
	#settle!: () => void;
	#isOpen = false;
	#isOver = false;
	#waiting: SteeringMessage[] = [];

	constructor() {
		this.settled = new Promise((resolve) => {
			this.#settle = resolve;
		});
	}

	get isOpen(): boolean {
		return this.#isOpen;
	}

	/** A message waits for the model to read it. */
	get isWaiting(): boolean {
		return this.#waiting.length > 0;
	}

	open(): void {
		this.#isOpen = !this.#isOver;
		this.#settle();
	}

	/** For good; what still waits stays in the store. */
	close(): void {
		this.#isOver = true;
		this.#isOpen = false;
		this.#settle();
	}

	add(message: SteeringMessage): void {
		this.#waiting.push(message);
	}

	/** In the order in which they came; then none waits. */
	take(): readonly SteeringMessage[] {
		const taken = this.#waiting;
		this.#waiting = [];
		return taken;
	}
}
