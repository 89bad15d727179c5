/** The order of a walk that visits the entries of each folder by name, in UTF-8 order: what ripgrep's `--sort path` does. */
export function comparePaths(a: string, b: string): number {
	const left = a.split('/');
	const right = b.split('/');
	for (let at = 0; at < Math.min(left.length, right.length); at++) {
		const order = compareNames(left[at] ?? '', right[at] ?? '');
		if (order !== 0) {
			return order;
		}
	}
	return left.length - right.length;
}

export function compareNames(a: string, b: string): number {
	return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
