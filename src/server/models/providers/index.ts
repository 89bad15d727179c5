/**
 * Facts of the vendors. A provider that speaks a form of request that is there is one line in
 * `extension/models/connect/provider-choices.ts`. A new form is a file in `dialects/` with a `streamModel`, a kind in
 * `protocol/turn/models.ts`, and its lines here and in `load-vendor.ts`.
 */
import type { ProviderKind } from '../../../protocol/turn/models.ts';

interface ProviderEntry {
	/** The vendor's own address; absent: the user has to give one. */
	readonly baseUrl?: string;
	/** Header that carries the key. */
	readonly keyHeader: (key: string) => Readonly<Record<string, string>>;
	/** Path of the list of models below the base URL. */
	readonly modelsPath: string;
}

export const providers: Readonly<Record<ProviderKind, ProviderEntry>> = {
	anthropic: {
		baseUrl: 'https://api.anthropic.com/v1',
		keyHeader: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
		modelsPath: '/models?limit=1000',
	},
	openai: {
		baseUrl: 'https://api.openai.com/v1',
		keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
		modelsPath: '/models',
	},
	google: {
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
		keyHeader: (key) => ({ 'x-goog-api-key': key }),
		modelsPath: '/models?pageSize=1000',
	},
	'openai-compatible': {
		keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
		modelsPath: '/models',
	},
};
