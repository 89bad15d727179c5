/** An endpoint that does not know a model is asked for its list, so that the error names models that it has. */
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { findNearNames } from '../../../base/text/near-names.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors.ts';
import type { ProviderConfig } from '../../../protocol/models.ts';
import { modelLimits } from '../limits.ts';
import type { ModelLists } from './model-lists.ts';

const MOST_NAMED = 5;

interface Missing {
	readonly config: ProviderConfig;
	readonly modelId: string;
	readonly lists: ModelLists;
}

/** Any other error comes back as it is, and so does this one where there is no list. */
export async function namingOthers(
	error: unknown,
	{ config, modelId, lists }: Missing,
	signal: AbortSignal,
): Promise<unknown> {
	if (!isProwessError(error) || error.code !== 'MODEL_NOT_FOUND') {
		return error;
	}
	const limit = deriveSignal(signal, { what: 'listing models', timeoutMs: modelLimits.listForErrorMs });
	try {
		const names = (await lists.of({ ...config, models: [] }, limit.signal)).map(({ id }) => id);
		if (names.length === 0 || names.includes(modelId)) {
			return error;
		}
		const near = findNearNames(modelId, names);
		const quoteNames = (known: readonly string[]) => known.map((name) => `"${name}"`).join(', ');
		const what =
			near.length > 0 ? `did you mean ${quoteNames(near)}?` : `it lists ${quoteNames(names.slice(0, MOST_NAMED))}`;
		return new ProwessError(error.code, `${error.message}; ${what}`, error.facts, error);
	} catch {
		return error;
	} finally {
		limit.dispose();
	}
}
