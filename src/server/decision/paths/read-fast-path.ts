/**
 * Fast path: shows a file or page that the prompt names by its path or address. The op is the one that a model would
 * have called; its text is shown, without the middle when that is too long for a chat.
 */
import { fenceCodeBlock } from '../../../base/text/fenced.ts';
import type { OpResult } from '../../../protocol/op-table/ops.ts';
import { createExcerpt } from '../../history/excerpt.ts';
import { promptLimits } from '../../prompt/limits.ts';
import type { Turn, TurnDeps } from '../../turn/turn.ts';
import { type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { runJournaledOp, runSilentOp, writeAnswer } from '../run-op.ts';

const NAMED_TARGET_PATTERN = '(?:`([^`\\n]+)`|"([^"\\n]+)"|(\\S+?))\\.?$';
const REQUEST = {
	en: new RegExp(`^(?:show|read|open)(?: me)?(?: the)?(?: file| page)? ${NAMED_TARGET_PATTERN}`, 'i'),
	de: new RegExp(`^(?:zeige?|lies|öffne)(?: mir)?(?: die| das)?(?: datei| seite)? ${NAMED_TARGET_PATTERN}`, 'i'),
};
/** No address, pattern, line number or list of files. */
const NOT_ONE_PATH = /[*?{}<>|:;,`"']|^@|[/\\]$/;

interface RequestedRead {
	readonly language: Language;
	readonly path?: string;
	readonly url?: string;
}

export const readFastPath: FastPath<RequestedRead> = {
	name: 'read',
	openings: toWordSet('show read open zeige zeig lies öffne'),
	match(text) {
		if (!mayNameOne(text)) {
			return undefined;
		}
		const [en, de] = [REQUEST.en.exec(text.trim()), REQUEST.de.exec(text.trim())];
		const found = en ?? de;
		const language = en === null ? 'de' : 'en';
		const what = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
		if (what.includes('://') && /^https?:\/\/[^\s/]+\S*$/i.test(what) && URL.canParse(what)) {
			return { language, url: what };
		}
		const isPath = /[./\\]/.test(what) && /[\p{L}\p{N}]/u.test(what) && !NOT_ONE_PATH.test(what);
		return isPath ? { language, path: what } : undefined;
	},
	async run({ language, path, url }, turn, deps, signal) {
		if (url !== undefined) {
			await answerWithPage(url, language, turn, deps, signal);
		} else if (path !== undefined) {
			await answerWithFile(path, language, turn, deps, signal);
		}
	},
};

/** More words than an unquoted request has: "show me the file a.ts". */
const MOST_REQUEST_WORDS = 5;

/** Leaves what has more to say to the model, and no pattern is compiled for it. */
function mayNameOne(text: string): boolean {
	return text.includes('`') || text.includes('"') || text.trim().split(' ').length <= MOST_REQUEST_WORDS;
}

async function answerWithFile(path: string, language: Language, turn: Turn, deps: TurnDeps, signal: AbortSignal) {
	// A text in the form of a path may be code, a branch or a variable.
	const { kind } = await runSilentOp('fs.stat', { path }, turn, deps, signal);
	if (kind !== 'file') {
		throw new Error(`${path} is no file`);
	}
	const { result: file, text } = await runJournaledOp('fs.read', { path }, turn, deps, signal);
	if (file === undefined) {
		writeAnswer(turn.journal, `${describeReadFailure(path, language)} ${text}`.trimEnd());
		return;
	}
	const about = language === 'de' ? germanSentence(path, file) : englishSentence(path, file);
	writeAnswer(turn.journal, file.text === '' ? about : `${about}\n\n${shownText(path, file)}`, about);
}

async function answerWithPage(url: string, language: Language, turn: Turn, deps: TurnDeps, signal: AbortSignal) {
	const { result, text } = await runJournaledOp('http.get', { url }, turn, deps, signal);
	const about = result === undefined ? describeReadFailure(url, language) : `\`${url}\`:`;
	const shown = createExcerpt(text, promptLimits.contextRefChars).text;
	writeAnswer(turn.journal, result === undefined ? `${about} ${text}` : `${about}\n\n${fenceCodeBlock(shown)}`, about);
}

function describeReadFailure(what: string, language: Language): string {
	return language === 'de' ? `\`${what}\` konnte nicht gelesen werden.` : `\`${what}\` could not be read.`;
}

type ReadFile = OpResult<'fs.read'>;

function englishSentence(
	path: string,
	{ text, cells, pdfPages, totalLines, truncated, startLine, endLine }: ReadFile,
): string {
	if (text === '') {
		return `\`${path}\` is empty.`;
	}
	if (cells === true) {
		return `\`${path}\` is a notebook. These are its ${truncated ? 'first ' : ''}cells:`;
	}
	if (pdfPages !== undefined) {
		return `\`${path}\` is a PDF of ${pdfPages} ${pdfPages === 1 ? 'page' : 'pages'}. This is ${truncated ? 'the beginning of ' : ''}its text:`;
	}
	if (totalLines === undefined) {
		return `\`${path}\` is large. These are lines ${startLine} to ${endLine}:`;
	}
	const part = truncated ? ` These are lines ${startLine} to ${endLine}:` : '';
	return `\`${path}\` has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}.${part}`;
}

function germanSentence(
	path: string,
	{ text, cells, pdfPages, totalLines, truncated, startLine, endLine }: ReadFile,
): string {
	if (text === '') {
		return `\`${path}\` ist leer.`;
	}
	if (cells === true) {
		return `\`${path}\` ist ein Notebook. Das sind seine ${truncated ? 'ersten ' : ''}Zellen:`;
	}
	if (pdfPages !== undefined) {
		return `\`${path}\` ist ein PDF mit ${pdfPages} ${pdfPages === 1 ? 'Seite' : 'Seiten'}. Das ist ${truncated ? 'der Anfang des Textes' : 'der Text'}:`;
	}
	if (totalLines === undefined) {
		return `\`${path}\` ist groß. Das sind die Zeilen ${startLine} bis ${endLine}:`;
	}
	const part = truncated ? ` Das sind die Zeilen ${startLine} bis ${endLine}:` : '';
	return `\`${path}\` hat ${totalLines} ${totalLines === 1 ? 'Zeile' : 'Zeilen'}.${part}`;
}

/** With its middle left out where it is too long for a chat. */
function shownText(path: string, { text }: ReadFile): string {
	const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
	return fenceCodeBlock(createExcerpt(text, promptLimits.contextRefChars).text, language.toLowerCase());
}
