/**
 * Text of a PDF, page by page, with a note of the parts that could not be read. The reader is our own code: it runs no
 * program, opens no file, and ends in bounds with any bytes. pdf.js is eighty times its size, counts no unreadable signs,
 * and would need a thread that can be killed: a broken file of 800 kB keeps it busy for minutes.
 */
import { Budget, TooMuch } from './budget.ts';
import { MAX_PDF_DEPTH, MAX_PAGES } from './limits.ts';
import { PageReader } from './page-text.ts';
import { PdfFile } from './pdf-file.ts';
import { PlacedText } from './placed-text.ts';
import type { Dictionary, PdfValue } from './values.ts';

export interface PdfPage {
	readonly text: string;
	/** Signs that their font gives no text for; each is a replacement character in the text. */
	readonly unreadable: number;
	/** True when content of the page is broken, or packed in a way that the reader does not support. */
	readonly isBroken: boolean;
}

type PdfText =
	| { readonly kind: 'encrypted' }
	| {
			readonly kind: 'text';
			readonly pages: readonly PdfPage[];
			/** Pages that it has; more than were read if it takes too much. */
			readonly count: number;
	  };

/** Never rejects but with the reason of the signal. */
export async function readPdf(bytes: Buffer, signal: AbortSignal): Promise<PdfText> {
	const budget = new Budget(signal);
	const file = await PdfFile.open(bytes, budget);
	if (file.isEncrypted) {
		return { kind: 'encrypted' };
	}
	const found = listPdfPages(file);
	const reader = new PageReader(file, budget);
	const pages: PdfPage[] = [];
	try {
		for (const { page, resources } of found) {
			await budget.breathe();
			pages.push(readPdfPage(file, reader, page, resources));
		}
	} catch (error) {
		if (!(error instanceof TooMuch)) throw error;
	}
	return { kind: 'text', pages, count: found.length };
}

function readPdfPage(file: PdfFile, reader: PageReader, page: Dictionary, resources: Dictionary | undefined): PdfPage {
	const given = page.get('Contents');
	const streams = file.list(given) ?? (given === undefined ? [] : [given]);
	const contents = streams.map((each) => file.stream(each)?.bytes);
	const into = new PlacedText();
	const parts = contents.flatMap((each) => (each === undefined ? [] : [each, Buffer.from('\n')]));
	reader.draw(Buffer.concat(parts), resources, into);
	return { text: into.text(), unreadable: into.unreadable, isBroken: contents.includes(undefined) || into.isFull };
}

interface FoundPage {
	readonly page: Dictionary;
	/** Resources of the page itself, or those of the folder of pages that it lies in. */
	readonly resources: Dictionary | undefined;
}

/** In their order; of a tree that is broken, as they were written. */
function listPdfPages(file: PdfFile): readonly FoundPage[] {
	const pages: FoundPage[] = [];
	const seen = new Set<Dictionary>();
	const collectPages = (given: PdfValue | undefined, inherited: Dictionary | undefined, depth: number) => {
		const node = file.dictionary(given);
		if (node === undefined || seen.has(node) || depth > MAX_PDF_DEPTH || pages.length >= MAX_PAGES) return;
		seen.add(node);
		const resources = file.dictionary(node.get('Resources')) ?? inherited;
		const kids = file.list(node.get('Kids'));
		if (kids !== undefined) for (const kid of kids) collectPages(kid, resources, depth + 1);
		else if (file.name(node.get('Type')) !== 'Pages') pages.push({ page: node, resources });
	};
	collectPages(file.catalog?.get('Pages'), undefined, 0);
	if (pages.length > 0) return pages;
	return file
		.ofType('Page')
		.slice(0, MAX_PAGES)
		.map((page) => ({ page, resources: file.dictionary(page.get('Resources')) }));
}
