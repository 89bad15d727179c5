/** Texts that some editors of Windows write: pairs of bytes after a mark. */

/** Returns the text without its mark; undefined for what has none, or is no text. */
export function decodeUtf16(bytes: Uint8Array): string | undefined {
	const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
	if ((!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) || bytes.length % 2 !== 0) {
		return undefined;
	}
	const [low, high] = isLittle ? [0, 1] : [1, 0];
	let text = '';
	for (let at = 2; at < bytes.length; at += 2) {
		text += String.fromCharCode((bytes[at + low] ?? 0) + 256 * (bytes[at + high] ?? 0));
	}
	return text.isWellFormed() ? text : undefined;
}
