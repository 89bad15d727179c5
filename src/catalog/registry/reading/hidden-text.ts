/** Text that a person does not see and a model reads: it has no place in what a package says of itself. */
import { decodeUtf16 } from '../../../base/text/utf16.ts';
import { createExtractionError, type PackageFile } from '../../package-file.ts';

const TEXT_FILE =
	/\.(?:md|markdown|txt|ya?ml|toml|json|jsonc?|[cm]?[jt]sx?|py|rb|go|rs|java|sh|ps1|html?|css|xml|svg)$/i;
/**
 * Overrides and isolates of direction, tags, variation selectors beyond the usual ones, blanks without width, fillers, and
 * control characters. Joiners, marks of direction and selectors are needed by emoji and some scripts: there one stands alone,
 * and none within plain ASCII. Many of them, or some between letters, are text in a code that only a program reads.
 */
const HIDDEN_TEXT = new RegExp(
	[
		'[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u202a-\\u202e\\u2060-\\u206f]',
		'[\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]',
		'[\\u00ad\\u061c\\u180b-\\u180d\\u180f\\u200c-\\u200f\\ufe00-\\ufe0f]{3}',
		'(?<=[!-~])[\\u200c\\u200d\\ufe00-\\ufe0d]+(?=[!-~])',
	].join('|'),
	'u',
);

const PLAIN_ASCII = /^[\t\n\r -~]*$/;

/** Throws EXTRACTION_FAILED with the line and the column. */
export function refuseHiddenText(files: readonly PackageFile[]): void {
	for (const { path, bytes } of files) {
		if (!TEXT_FILE.test(path)) {
			continue;
		}
		// A byte order mark at the start is dropped by the decoder.
		const found = findHiddenCharacter(decodeUtf16(bytes) ?? new TextDecoder('utf-8').decode(bytes));
		if (found !== undefined) {
			throw createExtractionError(
				`${path}:${found.line}:${found.column}`,
				`it holds the character ${found.character}, which is not seen`,
			);
		}
	}
}

interface HiddenCharacter {
	/** Both from 1; the column counts UTF-16 code units. */
	readonly line: number;
	readonly column: number;
	/** Such as U+200B. */
	readonly character: string;
}

/** The first such character; undefined without any. */
export function findHiddenCharacter(text: string): HiddenCharacter | undefined {
	// Most texts are plain, and there may be thousands.
	const found = PLAIN_ASCII.test(text) ? null : HIDDEN_TEXT.exec(text);
	if (found === null) return undefined;
	const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	const before = text.slice(0, found.index).split('\n');
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, character: `U+${code}` };
}
