import { createGoogle } from '@ai-sdk/google';
import { streamAiSdkModel } from './ai-sdk-model.ts';
import { providerFetch } from './provider-fetch.ts';
import type { StreamModel } from './vendor.ts';

export const streamModel: StreamModel = (endpoint, request, signal) =>
	streamAiSdkModel(
		{
			endpoint,
			metadataKeys: ['google'],
			acceptsEmptyText: true,
			callOptions: { google: { thinkingConfig: { includeThoughts: true } } },
			open: (watch) =>
				createGoogle({
					baseURL: endpoint.baseUrl,
					apiKey: endpoint.key ?? '',
					fetch: providerFetch(endpoint.providerId, watch),
				})(endpoint.modelId),
		},
		request,
		signal,
	);
