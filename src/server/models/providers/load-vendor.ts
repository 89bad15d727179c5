/** Code of a vendor, imported when its first request is made, as a chunk of its own. */
import type { ProviderKind } from '../../../protocol/turn/models.ts';
import type { StreamModel } from './vendor.ts';

interface VendorModule {
	readonly streamModel: StreamModel;
}

const imports: Readonly<Record<ProviderKind, () => Promise<VendorModule>>> = {
	anthropic: () => import('./dialects/anthropic.ts'),
	openai: () => import('./dialects/openai.ts'),
	google: () => import('./dialects/google.ts'),
	'openai-compatible': () => import('./dialects/openai-compatible.ts'),
};

/** Rejects where the chunk cannot be read. */
export function loadVendor(kind: ProviderKind): Promise<VendorModule> {
	return imports[kind]();
}
