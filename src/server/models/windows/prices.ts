/**
 * Prices of tokens, in US dollars for a million. The user's price counts first, then the price that an endpoint lists.
 * The table below is for the vendors' own addresses only, as published up to the end of 2025. An unknown price stays
 * undefined.
 */
import type { Price, ProviderConfig } from '../../../protocol/turn/models.ts';
import type { ModelUsage } from '../model-port.ts';
import { providers } from '../providers/index.ts';
import { objectOrEmpty } from '../providers/loose-json.ts';

const MILLION = 1_000_000;

/** Prices by model name, without the date that may follow: input, output, cached input, written to the cache. */
const vendorPrices: Readonly<Record<string, readonly (readonly [name: string, number, number, number, number?])[]>> = {
	anthropic: [
		['claude-opus-4-5', 5, 25, 0.5, 6.25],
		['claude-opus-4-1', 15, 75, 1.5, 18.75],
		['claude-opus-4', 15, 75, 1.5, 18.75],
		['claude-sonnet-4-5', 3, 15, 0.3, 3.75],
		['claude-sonnet-4', 3, 15, 0.3, 3.75],
		['claude-3-7-sonnet', 3, 15, 0.3, 3.75],
		['claude-haiku-4-5', 1, 5, 0.1, 1.25],
		['claude-3-5-haiku', 0.8, 4, 0.08, 1],
	],
	openai: [
		['gpt-5.1', 1.25, 10, 0.125],
		['gpt-5', 1.25, 10, 0.125],
		['gpt-5-codex', 1.25, 10, 0.125],
		['gpt-5-mini', 0.25, 2, 0.025],
		['gpt-5-nano', 0.05, 0.4, 0.005],
		['gpt-4.1', 2, 8, 0.5],
		['gpt-4.1-mini', 0.4, 1.6, 0.1],
		['gpt-4.1-nano', 0.1, 0.4, 0.025],
		['gpt-4o', 2.5, 10, 1.25],
		['gpt-4o-mini', 0.15, 0.6, 0.075],
		['o3', 2, 8, 0.5],
		['o4-mini', 1.1, 4.4, 0.275],
	],
	google: [
		['gemini-2.5-flash', 0.3, 2.5, 0.03],
		['gemini-2.5-flash-lite', 0.1, 0.4, 0.01],
	],
};

/** Dates as the vendors write them, and `-latest`. */
const MODEL_DATE_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;
/** Cost otherwise than the model whose name they bear. */
const OTHERWISE: readonly string[] = ['gpt-4o-2024-05-13'];

/**
 * Returns the price at a vendor's own endpoint; undefined for any other address, which may charge more or less, and for
 * unlisted models.
 */
export function findListPrice(
	{ kind, baseUrl }: Pick<ProviderConfig, 'kind' | 'baseUrl'>,
	modelId: string,
): Price | undefined {
	const own = providers[kind].baseUrl;
	if ((baseUrl ?? own)?.replace(/\/+$/, '') !== own) {
		return undefined;
	}
	const name = OTHERWISE.includes(modelId) ? undefined : modelId.replace(MODEL_DATE_SUFFIX, '');
	const row = vendorPrices[kind]?.find(([each]) => each === name);
	if (row === undefined) {
		return undefined;
	}
	const [, input, output, cacheRead, cacheWrite] = row;
	return { input, output, cacheRead, ...(cacheWrite !== undefined && { cacheWrite }) };
}

/**
 * Reads a price as OpenRouter lists it: dollars for one token, as text. Undefined when the input or output price is
 * absent or is no price.
 */
export function priceIn(pricing: unknown): Price | undefined {
	const { prompt, completion, input_cache_read: read, input_cache_write: write } = objectOrEmpty(pricing);
	const [input, output, cacheRead, cacheWrite] = [prompt, completion, read, write].map(perMillion);
	return input === undefined || output === undefined
		? undefined
		: { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) };
}

/** Returns the cost of a request, in dollars. */
export function computeRequestCost(
	{ inputTokens, cachedInputTokens, cacheWriteTokens = 0, outputTokens }: ModelUsage,
	price: Price,
): number {
	const { input, output, cacheRead = input, cacheWrite = input } = price;
	const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
	return (
		(fresh * input + cachedInputTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / MILLION
	);
}

function perMillion(value: unknown): number | undefined {
	const price = typeof value === 'string' && value !== '' ? Number(value) * MILLION : Number.NaN;
	// The decimal places of a price for one token do not survive a multiplication.
	return price >= 0 && price <= MILLION ? Number(price.toPrecision(12)) : undefined;
}
