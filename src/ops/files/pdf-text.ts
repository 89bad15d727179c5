/**
 * Shows a PDF as the text of its pages. A part that cannot be read is mentioned where it would stand; no text is
 * written back to the PDF.
 */
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { PdfPage } from '../../machine/pdf/read-pdf.ts';
import { readBytes } from '../../machine/paths/reading/read-file.ts';
import { isPdf } from '../../machine/paths/reading/text-encoding.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';

interface PagesOfPdf {
	readonly text: string;
	readonly pages: number;
}

export function isNamedPdf(path: string): boolean {
	return path.toLowerCase().endsWith('.pdf');
}

/** True when a file was refused as a text because it is a PDF. */
export function isRefusedPdf(error: unknown): boolean {
	return isProwessError(error) && error.code === 'FILE_IS_BINARY' && error.facts['pdf'] !== undefined;
}

/** Undefined: it is none, whatever its name says. Rejects with FILE_IS_BINARY for one that only its password opens. */
export async function pdfText(located: Located, signal: AbortSignal): Promise<PagesOfPdf | undefined> {
	const { path } = located;
	const bytes = await readBytes(located, signal);
	if (!isPdf(bytes)) {
		return undefined;
	}
	// Loaded for a PDF only.
	const { readPdf } = await import('../../machine/pdf/read-pdf.ts');
	const read = await readPdf(bytes, signal);
	if (read.kind === 'encrypted') {
		const message = `${path} is an encrypted PDF (${bytes.length} bytes), whose text is not read here`;
		throw new ProwessError('FILE_IS_BINARY', message, { path, bytes: bytes.length, pdf: path });
	}
	const { pages, count } = read;
	const shown = pages.map((page, index) => pageText(page, index + 1, count));
	return { text: [...shown, ...describeLeftOutPages(path, pages, count)].join('\n\n').concat('\n'), pages: count };
}

function pageText({ text, unreadable, isBroken }: PdfPage, number: number, count: number): string {
	const notes = [
		...(text === '' && !isBroken ? ['[no text: it may be a picture of one]'] : []),
		...(isBroken ? ['[a part of this page could not be read]'] : []),
		...(unreadable > 0
			? [`[${unreadable} signs, each a \uFFFD here: their font does not say which letters they are]`]
			: []),
	];
	return [`[page ${number} of ${count}]`, ...(text === '' ? [] : [text]), ...notes].join('\n');
}

function describeLeftOutPages(path: string, pages: readonly PdfPage[], count: number): string[] {
	if (count === 0) {
		return [`[${path} is a PDF in which no page was found: it is broken, or holds something else]`];
	}
	const rest = count - pages.length;
	return rest > 0 ? [`[${rest} more pages were not read: reading them takes too much]`] : [];
}
