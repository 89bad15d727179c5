/** Finds long lines in documents, and links and pictures that lead nowhere. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TextProblem } from './comments.ts';

/** The longest line of prose. Tables and code may be longer. */
const DOCUMENT_COLUMNS = 120;

const FENCE = /^\s*(?:```|~~~)/;
const TARGET = /\]\(([^)\s]+)(?:\s[^)]*)?\)|\b(?:src|srcset|href)="([^"]+)"/g;
const ELSEWHERE = /^[a-z][a-z\d+.-]*:/i;

/** `file` is the document's path on disk; links are looked up beside it. */
export function documentProblems(file: string, text: string, readDocument: (path: string) => string): TextProblem[] {
	return proseLines(text).flatMap(({ line, content }) => [
		...longLine(line, content),
		...[...content.matchAll(TARGET)].flatMap(([, link, attribute]) =>
			deadTarget(file, text, link ?? attribute ?? '', readDocument).map((message) => ({ line, message })),
		),
	]);
}

function proseLines(text: string): { line: number; content: string }[] {
	let isCode = false;
	return text.split('\n').flatMap((content, index) => {
		if (FENCE.test(content)) {
			isCode = !isCode;
			return [];
		}
		return isCode ? [] : [{ line: index + 1, content }];
	});
}

function longLine(line: number, content: string): TextProblem[] {
	if (content.length <= DOCUMENT_COLUMNS || content.startsWith('|')) {
		return [];
	}
	return [{ line, message: `${content.length} columns; a line of a document has at most ${DOCUMENT_COLUMNS}` }];
}

function deadTarget(file: string, text: string, target: string, readDocument: (path: string) => string): string[] {
	if (ELSEWHERE.test(target)) {
		return [];
	}
	const [path = '', anchor] = target.split('#');
	const place = path === '' ? file : join(dirname(file), path);
	if (path !== '' && !existsSync(place)) {
		return [`${target} does not exist`];
	}
	if (anchor === undefined || !place.endsWith('.md')) {
		return [];
	}
	return anchorsOf(path === '' ? text : readDocument(place)).includes(anchor) ? [] : [`${target} names no heading`];
}

/** Anchors as GitHub and VS Code make them from headings. */
function anchorsOf(text: string): string[] {
	return proseLines(text)
		.filter(({ content }) => content.startsWith('#'))
		.map(({ content }) =>
			content
				.replace(/^#+\s+/, '')
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
				.replaceAll(' ', '-'),
		);
}
