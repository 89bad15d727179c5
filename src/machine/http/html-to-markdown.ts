/**
 * Conversion of a web page to Markdown with the same content, for a model that would otherwise read scripts and styles.
 * The conversion takes a single pass and builds no tree, so that its time depends on the page's length only, whatever
 * its shape. Content that a person would not see is left out.
 */
import { Parser } from 'htmlparser2';
import { LIST_DEPTH, PAGE_DEPTH, PARSED_CHARS } from './limits.ts';
import { MarkdownText } from './markdown-text.ts';

const UNSEEN = new Set(
	'script style noscript template svg math iframe object embed canvas audio video select datalist dialog'.split(' '),
);
const BLOCK_ELEMENTS = new Set(
	'address article aside details div dl dt dd fieldset figcaption figure footer form header main nav p section summary table caption body'.split(
		' ',
	),
);
const INLINE_MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '_', em: '_', del: '~~', s: '~~' };
const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** `base`: address of the page, for its links. */
export function htmlToMarkdown(html: string, base: string): string {
	const page = new PageConverter(base);
	const parser = new Parser(
		{
			onopentag: (name, attributes) => page.open(name, attributes),
			onclosetag: (name) => page.close(name),
			ontext: (text) => page.text(text),
		},
		{ lowerCaseTags: true, decodeEntities: true, recognizeSelfClosing: false },
	);
	for (let at = 0; at < html.length && !page.isTooDeep; at += PARSED_CHARS) {
		parser.write(html.slice(at, at + PARSED_CHARS));
	}
	if (page.isTooDeep) {
		return `${page.markdown()}\n\n[the rest is nested too deep to be read as Markdown; raw gives it]`;
	}
	parser.end();
	return page.markdown();
}

type Attributes = Readonly<Record<string, string>>;

class PageConverter {
	readonly #base: string;
	readonly #out = new MarkdownText();
	readonly #lists: { readonly isNumbered: boolean; count: number }[] = [];
	/** Addresses of the links that are open; undefined: one that leads nowhere. */
	readonly #links: (string | undefined)[] = [];
	#depth = 0;
	#title = '';
	#isTitle = false;
	/** Elements open inside of one that is not seen, that one included; 0: seen. */
	#unseen = 0;
	#preformatted = 0;
	/** Cells of the row that is open, and whether a row came before it in its table. */
	#cells: number | undefined;
	#isFirstRow = true;

	constructor(base: string) {
		this.#base = base;
	}

	/** Each element is looked for among those that are open. */
	get isTooDeep(): boolean {
		return this.#depth > PAGE_DEPTH;
	}

	open(name: string, attributes: Attributes): void {
		this.#depth++;
		if (this.#unseen > 0 || UNSEEN.has(name) || isHidden(attributes)) {
			this.#unseen += VOID.has(name) ? 0 : 1;
			return;
		}
		const out = this.#out;
		const mark = INLINE_MARKS[name];
		if (name === 'title') {
			this.#isTitle = true;
		} else if (/^h[1-6]$/.test(name)) {
			out.block();
			out.start(`${'#'.repeat(Number(name.slice(1)))} `);
		} else if (name === 'br') {
			out.raw('\n');
		} else if (name === 'hr') {
			out.block();
			out.raw('---');
			out.block();
		} else if (name === 'ul' || name === 'ol') {
			this.#lists.push({ isNumbered: name === 'ol', count: 0 });
			out.block(this.#lists.length > 1);
		} else if (name === 'li') {
			this.#openItem();
		} else if (name === 'blockquote') {
			out.block();
			out.quote(1);
		} else if (name === 'pre') {
			out.block();
			out.raw('```\n');
			this.#preformatted++;
		} else if (name === 'code' && this.#preformatted === 0) {
			out.raw('`');
		} else if (name === 'a') {
			this.#links.push(this.#addressOf(attributes['href']));
			out.raw(this.#links.at(-1) === undefined ? '' : '[');
		} else if (name === 'img') {
			this.#image(attributes);
		} else if (name === 'tr') {
			out.block(true);
			this.#cells = 0;
		} else if (name === 'td' || name === 'th') {
			out.raw(this.#cells === 0 ? '| ' : ' | ');
			this.#cells = (this.#cells ?? 0) + 1;
		} else if (mark !== undefined && this.#preformatted === 0) {
			out.raw(mark);
		} else if (BLOCK_ELEMENTS.has(name)) {
			this.#isFirstRow ||= name === 'table';
			this.#blockIn();
		}
	}

	close(name: string): void {
		this.#depth--;
		if (this.#unseen > 0) {
			this.#unseen -= VOID.has(name) ? 0 : 1;
			return;
		}
		const out = this.#out;
		const mark = INLINE_MARKS[name];
		if (name === 'title') {
			this.#isTitle = false;
		} else if (/^h[1-6]$/.test(name)) {
			out.block();
		} else if (name === 'ul' || name === 'ol') {
			this.#lists.pop();
			out.block(this.#lists.length > 0);
		} else if (name === 'blockquote') {
			out.quote(-1);
			out.block();
		} else if (name === 'pre') {
			this.#preformatted = Math.max(0, this.#preformatted - 1);
			out.raw('\n```');
			out.block();
		} else if (name === 'code' && this.#preformatted === 0) {
			out.raw('`');
		} else if (name === 'a') {
			const address = this.#links.pop();
			out.raw(address === undefined ? '' : `](${address})`);
		} else if (name === 'tr') {
			this.#closeRow();
		} else if (mark !== undefined && this.#preformatted === 0) {
			out.raw(mark);
		} else if (BLOCK_ELEMENTS.has(name)) {
			this.#blockIn();
		}
	}

	text(text: string): void {
		if (this.#isTitle) {
			this.#title += text;
		} else if (this.#unseen === 0 && this.#preformatted > 0) {
			this.#out.raw(text);
		} else if (this.#unseen === 0) {
			this.#out.words(text);
		}
	}

	markdown(): string {
		const title = this.#title.replaceAll(/\s+/g, ' ').trim();
		const body = this.#out.finish();
		return title === '' || body.startsWith(`# ${title}\n`) ? body : `# ${title}\n\n${body}`.trimEnd();
	}

	/** In an item or a cell a new block would break it off. */
	#blockIn(): void {
		if (this.#cells === undefined) {
			this.#out.block(this.#lists.length > 0);
		}
	}

	#openItem(): void {
		const list = this.#lists.at(-1);
		this.#out.block(true);
		const depth = Math.min(Math.max(0, this.#lists.length - 1), LIST_DEPTH);
		if (list !== undefined) {
			list.count++;
		}
		this.#out.start(`${'  '.repeat(depth)}${list?.isNumbered === true ? `${list.count}.` : '-'} `);
	}

	#closeRow(): void {
		const cells = this.#cells ?? 0;
		this.#cells = undefined;
		if (cells > 0) {
			this.#out.raw(' |');
			this.#out.block(true);
		}
		if (cells > 0 && this.#isFirstRow) {
			this.#out.raw(`|${' --- |'.repeat(cells)}`);
			this.#out.block(true);
		}
		this.#isFirstRow = false;
	}

	#image({ alt = '', src }: Attributes): void {
		const address = this.#addressOf(src);
		if (alt.trim() !== '') {
			this.#out.raw(address === undefined ? alt : `![${alt.replaceAll(/\s+/g, ' ').trim()}](${address})`);
		}
	}

	#addressOf(href: string | undefined): string | undefined {
		const url = href === undefined || href.startsWith('#') ? null : URL.parse(href, this.#base);
		return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol)
			? url.href.replaceAll('(', '%28').replaceAll(')', '%29')
			: undefined;
	}
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

function isHidden({ hidden, style = '', ...rest }: Attributes): boolean {
	return hidden !== undefined || rest['aria-hidden'] === 'true' || HIDING.test(style);
}
