/**
 * Marks that models write in the place of text that they leave out: `// ... existing code ...`, `# rest of the file unchanged`. Written to a
 * file, they would replace that text. A line that was there before is text, and so is an example in a document.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { MARK_LINE_CHARS } from '../../limits.ts';

const DOTS = String.raw`(?:\.{3,}|…)`;
const WHAT =
	'(?:code|files?|contents?|text|lines?|imports?|exports?|functions?|methods?|class(?:es)?|components?|implementations?|logic|tests?|fields?|props|properties|cases?|styles?|rules?|routes?|configuration|sections?|document|body|handlers?|definitions?|declarations?|types?|variables?)';
const SAME = '(?:unchanged|unmodified|same|as (?:it (?:is|was)|is|before|above)|omitted|here)';
const LEFT = '(?:the )?(?:existing|remaining|remainder|rest|unchanged)';
const OTHER = '(?:(?:keep|leave) )?(?:the |all )*(?:other|previous|original|same)';
/** Up to four words, then one that says what is left out, or that it stays. */
const OMITTED_WORDS = String.raw`(?: [\w'-]+){0,4} (?:${WHAT}|${SAME})`;

const withDots: readonly RegExp[] = [
	`${DOTS} ?${LEFT} ?${DOTS}`,
	`${DOTS} ?${LEFT}${OMITTED_WORDS} ?${DOTS}?`,
	`${LEFT}${OMITTED_WORDS} ?${DOTS}`,
	`${DOTS} ?${OTHER}${OMITTED_WORDS} ?${DOTS}?`,
	`${DOTS} ?(?:omitted|snip(?:ped)?|truncated|no changes?|same as (?:before|above)) ?${DOTS}?`,
].map(compileWholeLine);

/** With less to tell them by, they are marks in a comment only. */
const inComments: readonly RegExp[] = [
	`${DOTS} ${LEFT}`,
	`${LEFT}(?: of(?: the)?)?(?: ${WHAT})?(?: is| are| stays?| remains?)?(?: the)? ${SAME}(?: as before)?`,
	`(?:other|previous) ${WHAT}(?: is| are| stays?| remains?)?(?: the)? ${SAME}(?: as before)?`,
].map(compileWholeLine);

function compileWholeLine(source: string): RegExp {
	return new RegExp(`^${source}$`, 'iu');
}

const COMMENT_START = /^(?:\/{2,}|\/\*+|\*(?!\*)|#+|--+|;+|%+|<!--+|\{\s*\/\*+|\(\*|rem\b)\s*/i;
const COMMENT_END = /\s*(?:\*+\/\s*\}?|--+>|\*\))$/;

export function refuseOmissionMark(path: string, before: string | undefined, after: string): void {
	const there = new Set((before ?? '').split('\n').map((line) => line.trim()));
	const isDocument = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i.test(path);
	let isExample = false;
	for (const [index, raw] of after.split('\n').entries()) {
		const line = raw.trim();
		isExample = isDocument && /^(?:`{3}|~{3})/.test(line) ? !isExample : isExample;
		if (!isExample && isMark(line) && !there.has(line)) {
			const message = `line ${index + 1} of the new text of ${path} stands for text that it leaves out (${JSON.stringify(line)}); nothing was written`;
			throw new ProwessError('TEXT_LEFT_OUT', message, { path, line: index + 1 });
		}
	}
}

function isMark(line: string): boolean {
	if (line.length === 0 || line.length > MARK_LINE_CHARS) {
		return false;
	}
	const text = line
		.replace(COMMENT_START, '')
		.replace(COMMENT_END, '')
		.replaceAll(/[()[\]]/g, '');
	const plain = text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replace(/(?<!\.)[.:]$/, '');
	return (
		withDots.some((mark) => mark.test(plain)) ||
		(COMMENT_START.test(line) && inComments.some((mark) => mark.test(plain)))
	);
}
