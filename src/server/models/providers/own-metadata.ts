/**
 * Metadata that an endpoint wants back with a part of its answer: signatures, encrypted reasoning. Kept under the
 * dialect's name with the address it came from, and sent to no other address.
 */
import type { ProviderMetadata } from '../model-port.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';
import type { Endpoint } from './vendor.ts';

export function ownMetadata(dialect: string, { baseUrl }: Endpoint, kept: JsonObject): ProviderMetadata {
	return { [dialect]: { ...kept, from: parseUrlOrigin(baseUrl) } };
}

/**
 * Returns the metadata that this endpoint gave; undefined: none. Metadata kept by older versions has no address, and
 * counts for its dialect.
 */
export function ofThisEndpoint(
	dialect: string,
	{ baseUrl }: Endpoint,
	metadata: ProviderMetadata | undefined,
): JsonObject | undefined {
	const kept = metadata?.[dialect];
	if (kept === undefined) {
		return undefined;
	}
	const own = objectOrEmpty(kept);
	return own['from'] === undefined || own['from'] === parseUrlOrigin(baseUrl) ? own : undefined;
}

function parseUrlOrigin(baseUrl: string): string {
	return new URL(baseUrl).origin;
}
