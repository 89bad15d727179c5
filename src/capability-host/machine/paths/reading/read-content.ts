/**
 * What a file holds, to be compared with what it held: its text, or a mark that stands for bytes which are no text. A mark is
 * never written to a file.
 */
import { createHash } from 'node:crypto';
import { isProwessError } from '../../../../protocol/errors.ts';
import type { Located } from '../workspace-paths.ts';
import { readBytes } from './read-file.ts';
import { decodeText } from './text-encoding.ts';

const MARK = '\0bytes ';

/** Rejects with FILE_TOO_LARGE as reading a text does. */
export async function readContent(located: Located, signal: AbortSignal): Promise<string> {
	const bytes = await readBytes(located, signal);
	try {
		return decodeText(located.path, bytes, located.usualEncoding).text;
	} catch (error) {
		if (isProwessError(error) && error.code === 'FILE_IS_BINARY') {
			return `${MARK}${createHash('sha256').update(bytes).digest('hex')}`;
		}
		throw error;
	}
}

/** Also true of a text that looks like a mark: then it is treated as carefully. */
export function standsForBytes(content: string | null | undefined): boolean {
	return content?.startsWith(MARK) === true;
}
