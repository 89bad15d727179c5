import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamAiSdkModel } from './ai-sdk-model.ts';
import { providerFetch } from './provider-fetch.ts';
import type { StreamModel } from './vendor.ts';

/** Whatever speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, llama.cpp, OpenRouter and many vendors. */
export const streamModel: StreamModel = (endpoint, request, signal) =>
	streamAiSdkModel(
		{
			endpoint,
			// A name of its own, not the user's id: metadata of an earlier request must be found after a rename.
			metadataKeys: ['openaiCompatible', 'google'],
			acceptsUnsignedThinking: true,
			open: (watch) =>
				createOpenAICompatible({
					name: 'openaiCompatible',
					baseURL: endpoint.baseUrl,
					...(endpoint.key !== null && { apiKey: endpoint.key }),
					includeUsage: true,
					fetch: providerFetch(endpoint.providerId, watch),
				})(endpoint.modelId),
		},
		request,
		signal,
	);
