/** The order of the entries of one folder: by name, in UTF-8 order, as ripgrep's `--sort path` walks them. */
export function compareNames(a: string, b: string): number {
	return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
