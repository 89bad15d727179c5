/**
 * Answers of `fs.read`: a page of a text that is held whole, or of a file above the limit, which is read in pieces; and for an
 * agent a picture.
 */
import { readBytes } from '../../machine/paths/reading/read-file.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { readPieces } from '../../machine/paths/reading/read-pieces.ts';
import { USUAL_ENCODING } from '../../machine/paths/reading/text-encoding.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import { withoutKeyLines } from '../../machine/secrets/key-lines.ts';
import { checkedImage, detectImageType } from '../../protocol/ops/images.ts';
import { currentText, isTooLarge } from './current-text.ts';
import type { FileDeps } from './file-deps.ts';
import { cutPage } from './text-page.ts';
import { PageOfPieces } from './page-of-pieces.ts';
import { notebookText } from './notebook-text.ts';
import { isNamedPdf, isRefusedPdf, pdfText } from './pdf-text.ts';
import { isModel, type SeenTexts } from '../seen-texts.ts';

const PICTURE_ENDINGS = ['.png', '.jpg', '.jpeg', '.gif', '.webp'];

interface PageLines {
	readonly offset: number | undefined;
	readonly limit: number | undefined;
	/** True for the text of the file itself, not the cells of a notebook or the pages of a PDF. */
	readonly raw: boolean | undefined;
}

type ReadDeps = Pick<FileDeps, 'documents'> & { readonly seen: SeenTexts };

export async function readFilePage(
	deps: ReadDeps,
	located: Located,
	lines: PageLines,
	context: OpContext,
): Promise<OpResult<'fs.read'>> {
	const { path } = located;
	const mayShowPages = isModel(context.caller) && lines.raw !== true;
	const isOpen = (await deps.documents.readOpen(located.absolutePath)) !== undefined;
	try {
		// A PDF of letters alone would pass for a text, so a file with the name of a PDF is read as one first.
		const pages = mayShowPages && !isOpen && isNamedPdf(path) ? await pageOfPdf(located, lines, context) : undefined;
		if (pages !== undefined) {
			return pages;
		}
		const { text, unsaved, encoding } = await currentText(deps, located, context.signal);
		const cells = mayShowPages ? notebookText(path, text) : undefined;
		if (cells !== undefined) {
			// Not noted as seen: whoever writes from this view would lose what it leaves out.
			return { path, ...cutPage(path, withoutKeyLines(cells), lines.offset, lines.limit), unsaved, cells: true };
		}
		deps.seen.saw(context.caller, located, text);
		return withEncoding(
			{ path, ...cutPage(path, withoutKeyLines(text), lines.offset, lines.limit), unsaved },
			encoding,
		);
	} catch (error) {
		if (isTooLarge(error)) {
			return await readLarge(located, lines, context);
		}
		const pages =
			mayShowPages && !isNamedPdf(path) && isRefusedPdf(error) ? await pageOfPdf(located, lines, context) : undefined;
		if (pages !== undefined) {
			return pages;
		}
		throw error;
	}
}

/** Not noted as seen: what was shown is not what the file holds. */
async function pageOfPdf(
	located: Located,
	{ offset, limit }: PageLines,
	{ signal }: OpContext,
): Promise<OpResult<'fs.read'> | undefined> {
	const { path } = located;
	const read = await pdfText(located, signal);
	return (
		read && { path, ...cutPage(path, withoutKeyLines(read.text), offset, limit), unsaved: false, pdfPages: read.pages }
	);
}

/** Nobody has seen the whole of such a file, so nothing is noted as seen. */
async function readLarge(
	located: Located,
	{ offset, limit }: PageLines,
	{ signal }: OpContext,
): Promise<OpResult<'fs.read'>> {
	const { path } = located;
	const createPageSink = () => new PageOfPieces(path, offset, limit);
	const { sink, encoding, isWhole } = await readPieces(located, createPageSink, signal);
	return withEncoding({ path, ...sink.page(isWhole), unsaved: false }, encoding);
}

function withEncoding(page: OpResult<'fs.read'>, encoding = USUAL_ENCODING): OpResult<'fs.read'> {
	return encoding === USUAL_ENCODING ? page : { ...page, encoding };
}

/**
 * Returns a picture as an agent is given it; capabilities are given texts alone. Undefined: it is read as a text. The name tells
 * what is looked at, the first bytes what it is.
 */
export async function readPicture(
	{ documents }: Pick<FileDeps, 'documents'>,
	located: Located,
	{ caller, signal }: OpContext,
): Promise<OpResult<'fs.read'> | undefined> {
	const { path, absolutePath } = located;
	const isPicture = PICTURE_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending));
	if (caller.kind !== 'agent' || !isPicture || (await documents.readOpen(absolutePath)) !== undefined) {
		return undefined;
	}
	const bytes = await readBytes(located, signal);
	if (detectImageType(bytes) === undefined) {
		// A text by the name of a picture is a text; anything else is refused as binary.
		return undefined;
	}
	const image = { ...checkedImage(bytes, path), data: bytes.toString('base64') };
	return { path, text: '', startLine: 1, endLine: 0, totalLines: 0, truncated: false, unsaved: false, image };
}
