/**
 * Factors from our token estimate to a model's own count, by address and model: a moving average of the counts that
 * providers report. Kept while this process runs.
 */
import { modelLimits } from '../limits.ts';
import type { ModelEndpoint, ModelUsage, StopReason } from '../model-port.ts';

type CalibratedModel = Pick<ModelEndpoint, 'baseUrl' | 'modelId'>;

/** An answer to a request, as far as it tells what the request took. */
interface Measured {
	readonly stopReason: StopReason | undefined;
	readonly usage: ModelUsage | undefined;
}

export class Calibrations {
	readonly #factors = new Map<string, number>();

	/** 1 where nothing has been measured. */
	of(place: CalibratedModel): number {
		return this.#factors.get(createCalibrationKey(place)) ?? 1;
	}

	/** `estimated`: tokens of the whole request. Only answers that came to their end count, and only figures that can be meant. */
	measured(place: CalibratedModel, estimated: number, { stopReason, usage }: Measured): void {
		if (usage === undefined || usage.estimated || (stopReason !== 'stop' && stopReason !== 'toolCalls')) {
			return;
		}
		const ratio = usage.inputTokens / estimated;
		if (ratio < 1 / modelLimits.farOff || ratio > modelLimits.farOff) {
			return;
		}
		const before = this.of(place);
		const after = before + modelLimits.calibrationWeight * (ratio - before);
		this.#factors.set(
			createCalibrationKey(place),
			Math.min(modelLimits.mostFactor, Math.max(modelLimits.leastFactor, after)),
		);
	}
}

function createCalibrationKey({ baseUrl, modelId }: CalibratedModel): string {
	return JSON.stringify([baseUrl, modelId]);
}
