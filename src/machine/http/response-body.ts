/** The body of a response as text where it says or looks so, otherwise in base64. */
const textual = /^text\/|[/+](?:json|xml|javascript|ecmascript|yaml|x-www-form-urlencoded|graphql|x-ndjson|toml)\b/i;

export function responseBody(
	contentType: string | undefined,
	bytes: Buffer,
): { readonly body: string; readonly encoding: 'text' | 'base64' } {
	const charset = /charset\s*=\s*"?(?<label>[\w.:-]{1,40})/i.exec(contentType ?? '')?.groups?.['label'];
	const mayBeText = contentType === undefined || textual.test(contentType) || charset !== undefined;
	const body = mayBeText ? decodeResponseText(bytes, charset ?? 'utf-8', contentType === undefined) : undefined;
	return body === undefined ? { body: bytes.toString('base64'), encoding: 'base64' } : { body, encoding: 'text' };
}

function decodeResponseText(bytes: Buffer, label: string, fatal: boolean): string | undefined {
	try {
		return new TextDecoder(label, { fatal }).decode(bytes);
	} catch {
		// A character set nobody knows, or bytes that are no text.
		return undefined;
	}
}
