/** Text that a person does not see and a model reads: it has no place in what a package says of itself. */
import { refused, type PackageFile } from './package-file.ts';

const TEXT = /\.(?:md|markdown|txt|ya?ml|json|jsonc?|[cm]?[jt]sx?|py|sh)$/i;
/**
 * Overrides and isolates of direction, tags, variation selectors beyond the usual ones, blanks without width, and control
 * characters. Not the joiners, which emoji and some scripts need.
 */
const HIDDEN =
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

/** Throws EXTRACTION_FAILED with the line. */
export function refuseHiddenText(files: readonly PackageFile[]): void {
	for (const { path, bytes } of files) {
		if (!TEXT.test(path)) {
			continue;
		}
		// A byte order mark at the start is dropped by the decoder.
		const text = new TextDecoder('utf-8').decode(bytes);
		const found = HIDDEN.exec(text);
		if (found !== null) {
			const line = text.slice(0, found.index).split('\n').length;
			const character = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
			throw refused(`${path}:${line}`, `it holds the character U+${character}, which is not seen`);
		}
	}
}
