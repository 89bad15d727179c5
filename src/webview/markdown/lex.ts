/** Markdown as tokens, whatever is in it. */
import { lexer, type Token } from 'marked';

/** Quotes and lists in each other on one line. Reading such a line takes the square of its length, and a level of the stack for each. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){64}/m;

/** A paragraph that is nested too deep to be read is shown as it was written; all others are read. */
export function lex(text: string): Token[] {
	return read(text) ?? text.split(/(?<=\n\n)/).flatMap((part) => read(part) ?? [asWritten(part)]);
}

/** Undefined when it is nested too deep. */
function read(text: string): Token[] | undefined {
	try {
		return TOO_DEEP.test(text) ? undefined : lexer(text);
	} catch {
		// Deeper than the stack is, in a way that no single line shows.
		return undefined;
	}
}

function asWritten(text: string): Token {
	return { type: 'html', raw: text, text, block: true, pre: false };
}
