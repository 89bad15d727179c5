import { createAnthropic } from '@ai-sdk/anthropic';
import { providerFetch } from './provider-fetch.ts';
import { streamAiSdkModel } from './ai-sdk-model.ts';
import type { StreamModel } from './vendor.ts';

const ephemeral = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Two cache marks: one ends tools and system, one is set for the whole request and lets the endpoint mark the last message.
 * No message carries a mark itself, so history stays the same bytes from request to request.
 */
export const streamModel: StreamModel = (endpoint, request, signal) =>
	streamAiSdkModel(
		{
			endpoint,
			metadataKeys: ['anthropic'],
			systemOptions: ephemeral,
			callOptions: ephemeral,
			open: (watch) =>
				createAnthropic({
					baseURL: endpoint.baseUrl,
					apiKey: endpoint.key ?? '',
					fetch: providerFetch(endpoint.providerId, watch),
				})(endpoint.modelId),
		},
		request,
		signal,
	);
