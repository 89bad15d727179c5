/** The model that is to answer, with its price: for a question to the user about it. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { modelRequests, type Price } from '../../protocol/turn/models.ts';
import type { AskServer } from './ask-server.ts';
import { MODEL_LIST_MS } from './limits.ts';

export interface PricedModel {
	/** `provider/model`. */
	readonly id: string;
	/** Undefined: nobody knows it, or it costs nothing. */
	readonly price: Price | undefined;
}

/** `named`: by the user; undefined: their default. Rejects with NO_MODEL. */
export async function pricedModel(
	ask: AskServer,
	named: string | undefined,
	signal: AbortSignal,
): Promise<PricedModel> {
	const limit = deriveSignal(signal, { what: 'the list of models', timeoutMs: MODEL_LIST_MS });
	try {
		const { models, selected } = await ask((peer) => peer.call(modelRequests.list, {}, limit.signal), limit.signal);
		const id = named ?? selected;
		const found = models.find((each) => each.id === id);
		// The scripted one of the tour answers nothing but the tour.
		if (id === null || found?.source === 'scripted') {
			throw new ProwessError('NO_MODEL', 'no model is connected');
		}
		return { id, price: found?.price };
	} finally {
		limit.dispose();
	}
}
