/**
 * The vendors. To add one: a file beside this with a `streamModel`, a kind in `protocol/models.ts`, and its line here.
 * Each file is imported when its first request is made, as a chunk of its own.
 */
import type { ProviderKind } from '../../../protocol/models.ts';
import type { StreamModel } from './vendor.ts';

interface ProviderEntry {
	/** The vendor's own address; absent: the user has to give one. */
	readonly baseUrl?: string;
	/** Header that carries the key. */
	readonly keyHeader: (key: string) => Readonly<Record<string, string>>;
	/** Path of the list of models below the base URL. */
	readonly modelsPath: string;
	load(): Promise<{ readonly streamModel: StreamModel }>;
}

export const providers: Readonly<Record<ProviderKind, ProviderEntry>> = {
	anthropic: {
		baseUrl: 'https://api.anthropic.com/v1',
		keyHeader: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
		modelsPath: '/models?limit=1000',
		load: () => import('./dialects/anthropic.ts'),
	},
	openai: {
		baseUrl: 'https://api.openai.com/v1',
		keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
		modelsPath: '/models',
		load: () => import('./dialects/openai.ts'),
	},
	google: {
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
		keyHeader: (key) => ({ 'x-goog-api-key': key }),
		modelsPath: '/models?pageSize=1000',
		load: () => import('./dialects/google.ts'),
	},
	'openai-compatible': {
		keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
		modelsPath: '/models',
		load: () => import('./dialects/openai-compatible.ts'),
	},
};
