/** A model of a connected provider. Asks for the key and loads the vendor's code at each request, keeps neither. */
import { matchesPattern } from '../../base/text/matches-pattern.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import { isLoopbackUrl, isPrivateNetwork } from '../../protocol/base-url.ts';
import type { ModelSettings, Price, ProviderConfig } from '../../protocol/turn/models.ts';
import { checkedBaseUrl } from './base-url.ts';
import { type ImageData, knownToTakeImages } from './images.ts';
import { modelLimits, localStreamLimits, type StreamLimits, streamLimits } from './limits.ts';
import type { ModelPart, ModelPort, ModelRequest } from './model-port.ts';
import { providers } from './providers/index.ts';
import { loadVendor } from './providers/load-vendor.ts';
import type { JsonObject } from './providers/loose-json.ts';
import { IMAGES, type Refusals } from './streams/refusals.ts';
import { ToldWindow } from './windows/told-window.ts';

/** The host's secret store, by the provider's id; null when it holds none. */
export type GetKey = (providerId: string, signal: AbortSignal) => Promise<string | null>;

type OnFirstEvent = (event: JsonObject, key: string | null, signal: AbortSignal) => Promise<boolean> | undefined;

interface ProviderModelOptions {
	readonly config: ProviderConfig;
	readonly modelId: string;
	/** In tokens; what is known of it may change while it is used. */
	readonly contextWindow: () => number;
	readonly mostOutput?: number | undefined;
	readonly price?: Price | undefined;
	readonly getKey: GetKey;
	/**
	 * The user's settings of the model, which override what is known of it; `contextWindow` includes the window set
	 * here.
	 */
	readonly known?: ModelSettings | undefined;
	readonly refusals: Refusals;
	readonly imageData: ImageData;
	/** Factor from `Calibrations.of`. Default: 1. */
	readonly tokenFactor?: number;
	/** Called with the first event of an answer, see `Windows.answering`. */
	readonly onFirstEvent?: OnFirstEvent;
	/** Context that Ollama is to run the model with, in tokens; undefined for other servers, or where nobody wants any. */
	readonly ollamaWindow?: (() => number | undefined) | undefined;
	/** The error to be thrown in place of one that came before any part of an answer. */
	readonly onRefused?: (error: unknown, signal: AbortSignal) => Promise<unknown>;
	/** For tests. */
	readonly limits?: StreamLimits;
	/** Milliseconds that only grow; for tests. */
	readonly now?: () => number;
}

export function providerModel({
	config,
	modelId,
	contextWindow,
	mostOutput,
	price,
	getKey,
	known = {},
	refusals,
	imageData,
	tokenFactor = 1,
	onFirstEvent,
	ollamaWindow,
	onRefused = (error) => Promise.resolve(error),
	limits,
	now = () => performance.now(),
}: ProviderModelOptions): ModelPort {
	const images = known.images ?? knownToTakeImages(modelId);
	/** For the next request alone, if it is made soon. */
	let coming: { readonly key: Promise<string | null>; readonly askedAt: number } | undefined;
	const findFreshKey = () =>
		coming !== undefined && now() - coming.askedAt <= modelLimits.preparedKeyMs ? coming : undefined;
	// Load the vendor's code while the request is put together. The request itself reports a failure.
	loadVendor(config.kind).catch(() => {});
	return {
		id: `${config.id}/${modelId}`,
		get contextWindow() {
			return contextWindow();
		},
		mostOutput,
		endpoint: {
			baseUrl: config.baseUrl ?? providers[config.kind].baseUrl ?? '',
			modelId,
			settings: JSON.stringify(known),
		},
		tokenFactor,
		price,
		get takesImages() {
			const baseUrl = config.baseUrl ?? providers[config.kind].baseUrl ?? '';
			return images ?? (refusals.of({ baseUrl, modelId }).has(IMAGES) ? false : undefined);
		},
		prepare(signal) {
			coming = findFreshKey() ?? { key: getKey(config.id, signal), askedAt: now() };
			// The request itself reports a key that cannot be had.
			coming.key.catch(() => {});
		},
		stream(request, signal) {
			const asked = findFreshKey()?.key;
			coming = undefined;
			const getKeyOnce: GetKey = asked === undefined ? getKey : () => asked;
			return createLazyStream(
				{ config, modelId, getKey: getKeyOnce, known, images, imageData, refusals, onFirstEvent, ollamaWindow, limits },
				withKnown(request, known),
				onRefused,
				signal,
			);
		},
	};
}

/** The smaller of two limits counts; a temperature that was asked for goes before the usual one. */
function withKnown(
	request: ModelRequest,
	{ maxOutput, temperature = request.temperature }: ModelSettings,
): ModelRequest {
	const limits = [request.maxOutputTokens, maxOutput].filter((limit) => limit !== undefined);
	return {
		...request,
		...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
		...(temperature !== undefined && { temperature: request.temperature ?? temperature }),
	};
}

interface ProviderTarget {
	readonly config: ProviderConfig;
	readonly modelId: string;
	readonly getKey: GetKey;
	readonly known: ModelSettings;
	readonly images: boolean | undefined;
	readonly imageData: ImageData;
	readonly refusals: Refusals;
	readonly onFirstEvent: OnFirstEvent | undefined;
	readonly ollamaWindow: ProviderModelOptions['ollamaWindow'];
	readonly limits: StreamLimits | undefined;
}

/** Hands out the vendor's own generator: a generator around it would cost three more promises for each delta. */
function createLazyStream(
	target: ProviderTarget,
	request: ModelRequest,
	onRefused: NonNullable<ProviderModelOptions['onRefused']>,
	signal: AbortSignal,
): AsyncIterable<ModelPart> {
	return {
		[Symbol.asyncIterator]() {
			let inner: AsyncGenerator<ModelPart, void, undefined> | undefined;
			let isDone = false;
			let told: ToldWindow | undefined;
			const onAsking = (asking: Promise<boolean>) => {
				told = new ToldWindow(asking);
			};
			return {
				next() {
					if (inner !== undefined) {
						const begun = inner;
						return told === undefined ? begun.next() : told.next(() => begun.next());
					}
					if (isDone) {
						return Promise.resolve({ done: true, value: undefined });
					}
					return startVendorStream(target, request, onAsking, signal).then((begun) => {
						inner = begun;
						return begun.next().catch(async (error: unknown) => {
							throw await onRefused(error, signal);
						});
					});
				},
				return() {
					isDone = true;
					return inner === undefined ? Promise.resolve({ done: true, value: undefined }) : inner.return();
				},
			};
		},
	};
}

async function startVendorStream(
	{ config, modelId, getKey, known, images, imageData, refusals, onFirstEvent, ollamaWindow, limits }: ProviderTarget,
	request: ModelRequest,
	onAsking: (asking: Promise<boolean>) => void,
	signal: AbortSignal,
) {
	signal.throwIfAborted();
	const baseUrl = requireBaseUrl(config);
	const window = ollamaWindow?.();
	const [stored, { streamModel }] = await Promise.all([
		getKey(config.id, signal),
		window === undefined ? loadVendor(config.kind) : import('./providers/dialects/ollama.ts'),
	]);
	signal.throwIfAborted();
	const key = usableKey(config, stored);
	const isLocal = isNearby(baseUrl);
	return streamModel(
		{
			kind: config.kind,
			providerId: config.id,
			modelId,
			baseUrl,
			key,
			limits: limits ?? (isLocal ? localStreamLimits : streamLimits),
			effort: request.effort ?? known.effort,
			calls: known.calls,
			window,
			images,
			imageData,
			refusals,
			onFirstEvent(event) {
				const asking = onFirstEvent?.(event, key, signal);
				if (asking !== undefined) {
					onAsking(asking);
				}
			},
			headers: known.headers,
		},
		request,
		signal,
	);
}

/** Throws INVALID_PARAMS when there is none that may be used. */
export function requireBaseUrl(config: ProviderConfig): string {
	const baseUrl = config.baseUrl ?? providers[config.kind].baseUrl;
	if (baseUrl === undefined) {
		throw new ProwessError('INVALID_PARAMS', `provider "${config.id}" is ${config.kind} and needs a baseUrl`, {
			provider: config.id,
			said: text('The provider "{provider}" needs a base URL.', { provider: config.id }),
		});
	}
	return checkedBaseUrl(config.id, baseUrl);
}

/**
 * The key as it can be sent. Throws KEY_MISSING when there is none and the provider needs one, or when it cannot be a key:
 * the error that a header would throw instead shows it.
 */
export function usableKey(config: ProviderConfig, stored: string | null): string | null {
	const key = stored?.trim() ?? '';
	if (key === '') {
		if (needsKey(config)) {
			throw keyMissing(config, 'there is no key');
		}
		return null;
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw keyMissing(config, 'what is stored cannot be a key (it has spaces, line breaks or letters no key has)');
	}
	return key;
}

/** A model server of one's own usually wants none; one that does answers 401. */
function needsKey(config: ProviderConfig): boolean {
	return !(config.kind === 'openai-compatible' && isNearby(requireBaseUrl(config)));
}

export function isNearby(baseUrl: string): boolean {
	const url = new URL(baseUrl);
	return isLoopbackUrl(url) || isPrivateNetwork(url);
}

function keyMissing(config: ProviderConfig, what: string): ProwessError {
	return new ProwessError('KEY_MISSING', `provider "${config.id}": ${what}; connect it again to enter one`, {
		provider: config.id,
		retryable: false,
	});
}

/** True for a model that the rules of the user's organisation leave; the host says which, with each provider. */
export function isAllowedModel({ allowedModels }: ProviderConfig, modelId: string): boolean {
	return allowedModels === undefined || allowedModels.some((pattern) => matchesPattern(pattern, modelId));
}

/** Throws DENIED_BY_ORGANISATION. */
export function requireAllowedModel(config: ProviderConfig, modelId: string): void {
	if (isAllowedModel(config, modelId)) return;
	const said = text('Your organisation does not allow the model {model}.', { model: `${config.id}/${modelId}` });
	throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(said), { said });
}
