/** Where a message lies among those that are stored of its thread. A message that stands for several has the place of the first. */
import type { ModelMessage } from '../models/model-port.ts';

const positions = new WeakMap<ModelMessage, number>();

export function storedAt<M extends ModelMessage>(message: M, position: number | undefined): M {
	if (position !== undefined) {
		positions.set(message, position);
	}
	return message;
}

/** Undefined: it is not stored as it is. */
export function findStoredPosition(message: ModelMessage): number | undefined {
	return positions.get(message);
}
