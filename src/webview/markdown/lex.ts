/** Markdown as tokens, whatever is in it. */
import { getDefaults, lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** Quotes and lists in each other on one line. Reading such a line takes the square of its length, and a level of the stack for each. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){64}/m;

/** A paragraph that is nested too deep to be read is shown as it was written; all others are read. */
export function lex(text: string): Token[] {
	return read(text) ?? text.split(/(?<=\n\n)/).flatMap((part) => read(part) ?? [asWritten(part)]);
}

/** Undefined when it is nested too deep. */
function read(text: string): Token[] | undefined {
	try {
		return TOO_DEEP.test(text) ? undefined : lexer(text, { ...getDefaults(), tokenizer: new WithoutMail() });
	} catch {
		// Deeper than the stack is, in a way that no single line shows.
		return undefined;
	}
}

/** Up to what may begin something else; whatever it begins with is text, because nothing else has taken it. */
const TEXT = /^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<![`*~_]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/;
const WEB_ADDRESS = /^(?:https?:\/\/|ftp:\/\/|www\.)/i;

/**
 * Bare addresses of the web become links, those of mail do not: no link of ours leads there, and looking for them takes the
 * square of the length of a text without blanks.
 */
class WithoutMail extends Tokenizer {
	override url(text: string): Tokens.Link | undefined {
		return WEB_ADDRESS.test(text) ? super.url(text) : undefined;
	}

	override inlineText(text: string): Tokens.Text | undefined {
		const raw = TEXT.exec(text)?.[0];
		return raw === undefined ? undefined : { type: 'text', raw, text: raw, escaped: this.lexer.state.inRawBlock };
	}
}

function asWritten(text: string): Token {
	return { type: 'html', raw: text, text, block: true, pre: false };
}
