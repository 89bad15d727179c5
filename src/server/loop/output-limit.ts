/**
 * Raises the output limit after an answer that was cut off inside a call: to the model's own limit, or to twice the
 * length of that answer when the model's limit is unknown.
 */
import type { ModelPort, ModelUsage, RaisedOutput } from '../models/model-port.ts';

interface CutAnswer {
	readonly model: ModelPort;
	readonly usage: ModelUsage;
	/** A raised limit that was kept to, and was too low. */
	readonly former: number | undefined;
}

export class OutputLimit {
	#cut: CutAnswer | undefined;
	/** Limit that the last request asked for; undefined: none. */
	#raised: number | undefined;

	cutOff(model: ModelPort, usage: ModelUsage | undefined): void {
		if (usage === undefined) {
			return;
		}
		const before = this.#cut?.model === model ? this.#cut.former : undefined;
		const wasRaised = this.#raised !== undefined && usage.outputTokens >= this.#raised;
		this.#cut = { model, usage, former: wasRaised ? this.#raised : before };
	}

	/** For the next request; undefined: as it is. A model that takes over has a limit of its own. */
	raisedFor(model: ModelPort, promptTokens: () => number): RaisedOutput | undefined {
		this.#raised = undefined;
		if (this.#cut?.model !== model) {
			return undefined;
		}
		const { inputTokens, outputTokens, estimated } = this.#cut.usage;
		const room = model.contextWindow - Math.max(inputTokens, promptTokens());
		const former = this.#cut.former !== undefined && this.#cut.former <= room ? this.#cut.former : undefined;
		// An estimate may be so low that its double is below the limit.
		const most = Math.min(model.mostOutput ?? (estimated ? 0 : 2 * outputTokens), room);
		this.#raised = most > outputTokens ? most : former;
		return this.#raised === undefined ? undefined : { tokens: this.#raised, former };
	}
}
