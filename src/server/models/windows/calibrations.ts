/**
 * Factors from our token estimate to a model's own count, by address and model: a moving average of the counts that
 * providers report. Kept while this process runs.
 */
import { limits } from '../limits.ts';
import type { ModelEndpoint, ModelUsage, StopReason } from '../model-port.ts';

type Place = Pick<ModelEndpoint, 'baseUrl' | 'modelId'>;

/** An answer to a request, as far as it tells what the request took. */
interface Measured {
	readonly stopReason: StopReason | undefined;
	readonly usage: ModelUsage | undefined;
}

export class Calibrations {
	readonly #factors = new Map<string, number>();

	/** 1 where nothing has been measured. */
	of(place: Place): number {
		return this.#factors.get(keyOf(place)) ?? 1;
	}

	/** `estimated`: tokens of the whole request. Only answers that came to their end count, and only figures that can be meant. */
	measured(place: Place, estimated: number, { stopReason, usage }: Measured): void {
		if (usage === undefined || usage.estimated || (stopReason !== 'stop' && stopReason !== 'toolCalls')) {
			return;
		}
		const ratio = usage.inputTokens / estimated;
		if (ratio < 1 / limits.farOff || ratio > limits.farOff) {
			return;
		}
		const before = this.of(place);
		const after = before + limits.calibrationWeight * (ratio - before);
		this.#factors.set(keyOf(place), Math.min(limits.mostFactor, Math.max(limits.leastFactor, after)));
	}
}

function keyOf({ baseUrl, modelId }: Place): string {
	return JSON.stringify([baseUrl, modelId]);
}
