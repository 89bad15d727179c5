/** Markdown as a screen reader shall say it: the words alone. Pure. */
import type { Token, Tokens } from 'marked';
import { decodeEntities } from '../entities.ts';
import { lexMarkdown, MAX_LEXED_LENGTH } from '../lex.ts';

/** Marks of footnotes, and the notes themselves, which nobody asked for yet. */
const FOOTNOTES = /^\[\^[^\]\n]+\]:.*$|\[\^[^\]\n]+\]/gm;

/** The words of its beginning, on one line, without marks, rules and blocks of code. */
export function spokenText(markdown: string): string {
	const words = lexMarkdown(markdown.slice(0, MAX_LEXED_LENGTH).replaceAll(FOOTNOTES, '')).map(speakToken);
	return words.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function speakToken(token: Token): string {
	switch (token.type) {
		case 'code':
		case 'html':
		case 'hr':
		case 'br':
		case 'space':
			return ' ';
		case 'list':
			return (token as Tokens.List).items.map(speakToken).join(' ');
		case 'table': {
			const { header, rows } = token as Tokens.Table;
			return [header, ...rows].map((row) => row.map(({ tokens }) => speakInline(tokens)).join(', ')).join('; ');
		}
		case 'codespan':
			return (token as Tokens.Codespan).text;
		default:
			if ('tokens' in token && token.tokens !== undefined) return speakInline(token.tokens);
			return 'text' in token && typeof token.text === 'string' ? decodeEntities(token.text) : token.raw;
	}
}

function speakInline(tokens: readonly Token[]): string {
	// Blocks in each other, as in an item of a list, stand apart.
	return tokens.map((token) => (isBlock(token) ? ` ${speakToken(token)} ` : speakToken(token))).join('');
}

function isBlock({ type }: Token): boolean {
	return type === 'paragraph' || type === 'list' || type === 'table' || type === 'blockquote';
}
