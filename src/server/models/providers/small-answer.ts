/** Small answers of endpoints, read whole: lists of models, embeddings, windows. */
import type { ProviderError } from '../model-port.ts';
import { refusalError } from '../streams/provider-error.ts';
import { refusalWords } from './refusal-words.ts';

/** Body of a small answer. Rejects with a RangeError when it is longer than `maxBytes`. */
export async function readResponseText(response: Response, maxBytes: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	let bytes = 0;
	for await (const chunk of response.body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > maxBytes) {
			throw new RangeError(`the answer is longer than ${maxBytes} bytes`);
		}
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

interface RefusedRequest {
	readonly provider: string;
	/** Never shown: endpoints repeat it in their words. */
	readonly key: string | null;
	/** Part of the answer that tells more than its words. */
	readonly body: string;
}

/** The error that a refusal with the text `answer` means. */
export function createResponseRefusal(
	response: Response,
	answer: string,
	{ provider, key, body }: RefusedRequest,
): ProviderError {
	const said = refusalWords(answer) ?? response.statusText;
	return refusalError({
		provider,
		status: response.status,
		message: key === null ? said : said.replaceAll(key, '[key]'),
		body,
		headers: Object.fromEntries(response.headers),
	});
}
