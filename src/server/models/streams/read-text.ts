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
