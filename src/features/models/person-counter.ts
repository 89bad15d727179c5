/** Several effects of one sub-turn may ask a person at once; the op they belong to waits as long as any of them does. */
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';

export class PersonCounter {
	readonly #context: Pick<OpContext, 'waitForPerson'>;
	readonly #waiting = new Set<OpId>();
	#end: (() => void) | undefined;

	constructor(context: Pick<OpContext, 'waitForPerson'>) {
		this.#context = context;
	}

	/** `reason`: the op waits for a person; undefined: it does not, or not any more. */
	note(opId: OpId, reason: string | undefined): void {
		if (reason === undefined) {
			this.#waiting.delete(opId);
			if (this.#waiting.size === 0) {
				this.#end?.();
				this.#end = undefined;
			}
			return;
		}
		this.#waiting.add(opId);
		if (this.#end === undefined) {
			const over = new Promise<void>((resolve) => (this.#end = resolve));
			void this.#context.waitForPerson(reason, () => over);
		}
	}
}
