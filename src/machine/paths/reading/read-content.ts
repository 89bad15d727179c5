/**
 * Content of a file, for a comparison with what it held before: its text, or a mark that stands for bytes which are not
 * text. A mark is never written to a file.
 */
import { createHash } from 'node:crypto';
import type { Located } from '../workspace-paths.ts';
import { readBytes } from './read-file.ts';
import { readableText } from './text-encoding.ts';

const BYTES_MARK = '\0bytes ';

/** Rejects with FILE_TOO_LARGE as reading a text does. */
export async function readContent(located: Located, signal: AbortSignal): Promise<string> {
	return contentIn(await readBytes(located, signal), located.usualEncoding);
}

/** The same of bytes that were read. */
export function contentIn(bytes: Buffer, usualEncoding: string | undefined): string {
	return readableText(bytes, usualEncoding)?.text ?? `${BYTES_MARK}${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Also true of a text that looks like a mark: then it is treated as carefully. */
export function standsForBytes(content: string | null | undefined): content is string {
	return content?.startsWith(BYTES_MARK) === true;
}
