/** Markdown as tokens, whatever is in it. */
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { mathBlock, mathBlockStart, mathInLine } from '../math/math-syntax.ts';

/** Quotes and lists in each other on one line. Reading such a line takes the square of its length, and a level of the stack for each. */
const TOO_DEEP_LINE = /^[ \t]*(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){64}/m;

/**
 * Characters of one text that may be looked at in vain. Emphasis, links and code that never close make the library look at all
 * that follows, again at each mark; a usual text takes a tenth of this. Counted, not timed: a busy machine shows the same.
 */
const BUDGET = 120_000;
/** Longest text to be read at once: within it nothing else is slow. */
export const MAX_LEXED_LENGTH = 4_000;

/** A paragraph that is nested too deep to be read is shown as it was written; all others are read. */
export function lexMarkdown(text: string): Token[] {
	return (
		lexUnlessTooDeep(text) ?? text.split(/(?<=\n\n)/).flatMap((part) => lexUnlessTooDeep(part) ?? [toPlainToken(part)])
	);
}

/** Undefined when it is nested too deep. */
function lexUnlessTooDeep(text: string): Token[] | undefined {
	try {
		return TOO_DEEP_LINE.test(text) ? undefined : new BoundedLexer().lex(text);
	} catch {
		// Deeper than the stack is, in a way that no single line shows.
		return undefined;
	}
}

/** Rules that may look at all that follows, with what it begins with then. */
const FAR_RULES: Readonly<Record<string, RegExp>> = {
	emStrong: /^[*_]/,
	codespan: /^`/,
	del: /^~/,
	link: /^!?\[/,
	reflink: /^!?\[/,
	tag: /^</,
	autolink: /^</,
};

const MATH_BEGIN = /^(?:\$|\\[([])/;

/** Lexer with a budget for looking ahead; the text that is left when the budget is used up stays plain text. */
class BoundedLexer extends Lexer {
	#left = BUDGET;

	constructor() {
		const tokenizer = new WithoutMail();
		const inline = [(text: string) => (MATH_BEGIN.test(text) ? this.#within(text, mathInLine) : undefined)];
		const blocks = { block: [mathBlock], startBlock: [mathBlockStart] };
		super({ ...getDefaults(), tokenizer, extensions: { renderers: {}, childTokens: {}, inline, ...blocks } });
		const rules = tokenizer as unknown as Record<string, (text: string, ...more: unknown[]) => Token | undefined>;
		for (const [name, begin] of Object.entries(FAR_RULES)) {
			const rule = rules[name];
			rules[name] = (text, ...more) => {
				return begin.test(text) ? this.#within(text, () => rule?.call(tokenizer, text, ...more)) : undefined;
			};
		}
	}

	/** Returns the token that a rule finds at the beginning of the text; undefined when the budget is used up. */
	#within(text: string, find: (text: string) => Token | undefined): Token | undefined {
		if (this.#left < 0) {
			return undefined;
		}
		const token = find(text);
		this.#left -= token?.raw.length ?? text.length;
		return token;
	}

	override inlineTokens(text: string, tokens: Token[] = []): Token[] {
		if (this.#left >= 0) {
			return super.inlineTokens(text, tokens);
		}
		tokens.push({ type: 'text', raw: text, text, escaped: false });
		return tokens;
	}
}

/** Up to what may begin something else; whatever it begins with is text, because nothing else has taken it. */
const PLAIN_TEXT =
	/^(?:[`~]+|[^`~])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<![`*~_$]|https?:\/\/|ftp:\/\/|www\.|$)|[^ ](?= {2,}\n)))/;
const FOOTNOTE = /^ {0,3}\[\^\d{1,3}\]:/;
const WEB_ADDRESS = /^(?:https?:\/\/|ftp:\/\/|www\.)/i;

/**
 * Bare addresses of the web become links, those of mail do not: no link of ours leads there, and looking for them takes the
 * square of the length of a text without blanks.
 */
class WithoutMail extends Tokenizer {
	override url(text: string): Tokens.Link | undefined {
		return WEB_ADDRESS.test(text) ? super.url(text) : undefined;
	}

	override def(text: string): Tokens.Def | undefined {
		return FOOTNOTE.test(text) ? undefined : super.def(text);
	}

	override inlineText(text: string): Tokens.Text | undefined {
		const raw = PLAIN_TEXT.exec(text)?.[0];
		return raw === undefined ? undefined : { type: 'text', raw, text: raw, escaped: this.lexer.state.inRawBlock };
	}
}

export function toPlainToken(text: string): Token {
	return { type: 'html', raw: text, text, block: true, pre: false };
}
