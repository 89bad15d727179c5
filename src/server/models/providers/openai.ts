import { createOpenAI } from '@ai-sdk/openai';
import { streamAiSdkModel } from './ai-sdk-model.ts';
import { providerFetch } from './provider-fetch.ts';
import type { StreamModel } from './vendor.ts';

/** Responses, with nothing kept at the vendor: history goes out whole, reasoning encrypted with it. */
export const streamModel: StreamModel = (endpoint, request, signal) =>
	streamAiSdkModel(
		{
			endpoint,
			metadataKeys: ['openai'],
			callOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
			open: (watch) =>
				createOpenAI({
					baseURL: endpoint.baseUrl,
					apiKey: endpoint.key ?? '',
					fetch: providerFetch(endpoint.providerId, watch),
				}).responses(endpoint.modelId),
		},
		request,
		signal,
	);
