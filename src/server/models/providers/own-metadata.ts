/**
 * What an endpoint wants back with a part of its answer: signatures, encrypted reasoning. It is kept under the dialect's
 * name with the address it came from, and goes to no other address.
 */
import type { ProviderMetadata } from '../model-port.ts';
import { type JsonObject, objectOf } from './loose-json.ts';
import type { Endpoint } from './vendor.ts';

export function ownMetadata(dialect: string, { baseUrl }: Endpoint, kept: JsonObject): ProviderMetadata {
	return { [dialect]: { ...kept, from: originOf(baseUrl) } };
}

/** Undefined: nothing of this endpoint. What older versions kept has no address, and counts for its dialect. */
export function ofThisEndpoint(
	dialect: string,
	{ baseUrl }: Endpoint,
	metadata: ProviderMetadata | undefined,
): JsonObject | undefined {
	const kept = metadata?.[dialect];
	if (kept === undefined) {
		return undefined;
	}
	const own = objectOf(kept);
	return own['from'] === undefined || own['from'] === originOf(baseUrl) ? own : undefined;
}

function originOf(baseUrl: string): string {
	return new URL(baseUrl).origin;
}
