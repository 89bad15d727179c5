/**
 * Lists the forms in which one secret value may turn up in a text: the usual encodings, each as the source of a
 * pattern.
 */

export function listEncodings(value: string): string[] {
	const bytes = Buffer.from(value, 'utf8');
	const sources = new Set<string>([
		escapePatternText(value),
		escapePatternText(JSON.stringify(value).slice(1, -1)),
		escapePatternText(encodeURIComponent(value.toWellFormed())),
		escapePatternText(encodeURIComponent(value.toWellFormed()).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())),
		escapePatternText(new URLSearchParams([['', value]]).toString().slice(1)),
		escapePatternText(bytes.toString('hex')),
		escapePatternText(bytes.toString('hex').toUpperCase()),
		...base64Sources(bytes),
	]);
	return [...sources];
}

/**
 * Base64 of the value at each of the three places it can have in a longer text (`user:secret` begins anywhere), without
 * the characters at both ends that depend on its neighbours.
 */
function base64Sources(bytes: Buffer): string[] {
	const sources: string[] = [];
	for (const lead of [0, 1, 2]) {
		const encoded = Buffer.concat([Buffer.alloc(lead), bytes])
			.toString('base64')
			.replace(/=+$/, '');
		const first = lead === 0 ? 0 : lead + 1;
		const isWhole = (lead + bytes.length) % 3 === 0;
		const stable = encoded.slice(first, isWhole ? undefined : -1);
		const tail = isWhole ? '' : '[A-Za-z0-9+/_-]?={0,2}';
		sources.push(`${escapePatternText(stable)}${tail}`);
		sources.push(`${escapePatternText(stable.replaceAll('+', '-').replaceAll('/', '_'))}${tail}`);
	}
	return sources;
}

function escapePatternText(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
