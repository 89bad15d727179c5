/**
 * Markdown that grows. Blocks that cannot change any more are frozen, in groups that keep their identity; each new
 * piece of text costs only the unfinished tail. An open code fence is not lexed at all: its lines are appended.
 */
import type { Token } from 'marked';
import { type Fence, FenceReader } from './fence.ts';
import { toPlainToken, lexMarkdown, MAX_LEXED_LENGTH } from './lex.ts';

export type MarkdownBlock =
	| { readonly kind: 'token'; readonly key: number; readonly token: Token }
	| { readonly kind: 'fence'; readonly key: number; readonly fence: Fence; readonly isOpen: boolean };

/** Frozen blocks; a full group is never touched again. */
export type BlockGroup = readonly MarkdownBlock[];

export interface Blocks {
	readonly groups: readonly BlockGroup[];
	readonly tail: readonly MarkdownBlock[];
	/** False when the rest waits: to be read again with the same text. */
	readonly isWhole: boolean;
}

const BLOCKS_PER_GROUP = 24;
/** A group is laid out as one and, when it is full, drawn anew; it ends after this cost, so that neither takes long. */
const GROUP_COST = 8_000;
/** Lines of a fence that are looked at as one step. */
const FENCE_STEP_LENGTH = 8_000;

/** More than the elements of any usual answer: what comes after them is shown as it was written. */
const MAX_DRAWN_ELEMENTS = 12_000;
/** Rough cost of an element, in characters of text. */
const ELEMENT_WEIGHT = 8;
/** Number of elements of a block of code, with its heading and buttons. */
const FENCE_ELEMENTS = 10;

/** Heading that is shown again where a long table is cut. */
const TABLE_HEAD = /^.{1,400}\n.{1,400}\n/;

/** Takes what was just read, by its cost in characters, from what may be read now; false when the rest must wait. */
type Take = (cost: number) => boolean;

export class BlockStream {
	#source = '';
	#frozenLength = 0;
	#groups: readonly BlockGroup[] = [];
	#nextKey = 0;
	#fence: { readonly reader: FenceReader; readonly key: number } | undefined;
	/** Heading of a table that was cut because it is long: what follows is the rest of it. */
	#tableHead = '';
	/** Number of elements that what is frozen is drawn as, roughly. */
	#elements = 0;
	/** Cost of the last group, in characters. */
	#groupCost = 0;

	/** The blocks of the text, or of its beginning when `take` says that the rest must wait. A text that does not continue the last one starts over. */
	read(text: string, isDone: boolean, take: Take = () => true): Blocks {
		const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
		if (!source.startsWith(this.#source)) {
			this.#frozenLength = 0;
			this.#groups = [];
			this.#fence = undefined;
			this.#tableHead = '';
			this.#elements = 0;
		}
		this.#source = source;
		for (;;) {
			const [before, elements] = [this.#frozenLength, this.#elements];
			if (!this.#freezeNext()) {
				return { groups: this.#groups, tail: this.#tail(isDone), isWhole: true };
			}
			const cost = this.#frozenLength - before + (this.#elements - elements) * ELEMENT_WEIGHT;
			// A short rest is read at once: what is still being written would vanish for a moment.
			if (!take(cost) && this.#source.length - this.#frozenLength > MAX_LEXED_LENGTH) {
				return { groups: this.#groups, tail: this.#openFence(isDone), isWhole: false };
			}
		}
	}

	/** True when something was frozen after which the rest must be looked at anew. */
	#freezeNext(): boolean {
		if (this.#fence !== undefined) {
			return this.#feedFence(this.#fence.reader, this.#fence.key);
		}
		const firstEnd = this.#source.indexOf('\n', this.#frozenLength);
		const isEnough = this.#elements > MAX_DRAWN_ELEMENTS;
		const reader =
			firstEnd < 0 || isEnough ? undefined : FenceReader.open(this.#source.slice(this.#frozenLength, firstEnd));
		if (reader !== undefined) {
			this.#fence = { reader, key: this.#takeKey() };
			this.#frozenLength = firstEnd + 1;
			return true;
		}
		return this.#freezeTokens();
	}

	#feedFence(reader: FenceReader, key: number): boolean {
		const enough = this.#frozenLength + FENCE_STEP_LENGTH;
		while (this.#frozenLength < enough) {
			const end = this.#source.indexOf('\n', this.#frozenLength);
			if (end < 0) {
				return false;
			}
			const line = this.#source.slice(this.#frozenLength, end);
			this.#frozenLength = end + 1;
			if (reader.take(line)) {
				this.#freeze({ kind: 'fence', key, fence: reader.read(undefined), isOpen: false });
				this.#fence = undefined;
				return true;
			}
		}
		return true;
	}

	/**
	 * Freezes the finished blocks among the whole lines: all before the last one, which can still grow. A block that is
	 * too long is cut. True when more may be frozen at once.
	 */
	#freezeTokens(): boolean {
		const isCut = this.#source.length - this.#frozenLength > MAX_LEXED_LENGTH;
		const end = isCut ? this.#cutEnd() : this.#source.lastIndexOf('\n') + 1;
		const { head, text: whole } = this.#withHead(Math.max(end, this.#frozenLength));
		const tokens = this.#elements > MAX_DRAWN_ELEMENTS ? [toPlainToken(whole)] : lexMarkdown(whole);
		const last = tokens.findLastIndex((token) => token.type !== 'space');
		let offset = 0;
		let frozen = 0;
		const finished = isCut && last <= 0 ? tokens : tokens.slice(0, Math.max(0, last));
		for (const token of finished) {
			if (!whole.startsWith(token.raw, offset)) {
				break;
			}
			offset += token.raw.length;
			frozen += 1;
			if (token.type !== 'space') {
				this.#freeze({ kind: 'token', key: this.#takeKey(), token });
			}
		}
		if (isCut && frozen === 0) {
			// The tokens of the library do not repeat the source, so the source itself is shown.
			this.#freeze({ kind: 'token', key: this.#takeKey(), token: toPlainToken(whole) });
			offset = whole.length;
		}
		if (offset > 0) {
			this.#frozenLength += Math.max(0, offset - head.length);
			const isTableCut = isCut && last <= 0 && tokens[0]?.type === 'table' && offset === whole.length;
			this.#tableHead = isTableCut ? (TABLE_HEAD.exec(whole)?.[0] ?? '') : '';
		}
		return isCut || (frozen > 0 && tokens[last]?.type === 'code');
	}

	/** Returns the text up to `end` that is not frozen, below the heading of its table if it continues one. */
	#withHead(end: number): { readonly head: string; readonly text: string } {
		const text = this.#source.slice(this.#frozenLength, end);
		const head = /^(?!\n)[^]/.test(text) ? this.#tableHead : '';
		return { head, text: head + text };
	}

	/** At the beginning of a line, if one begins within what is read at once; best of one that is not part of an item above it. */
	#cutEnd(): number {
		const most = this.#frozenLength + MAX_LEXED_LENGTH;
		const last = this.#source.lastIndexOf('\n', most - 1) + 1;
		for (let line = last; line > most - MAX_LEXED_LENGTH / 2; line = this.#source.lastIndexOf('\n', line - 2) + 1) {
			if (!/[ \t]/.test(this.#source[line] ?? '')) {
				return line;
			}
		}
		return last > this.#frozenLength ? last : most;
	}

	#tail(isDone: boolean): readonly MarkdownBlock[] {
		if (this.#fence !== undefined) {
			return this.#openFence(isDone);
		}
		const tokens = lexMarkdown(this.#withHead(this.#source.length).text).filter(({ type }) => type !== 'space');
		return tokens.map((token, index) => ({ kind: 'token', key: this.#nextKey + index, token }));
	}

	#openFence(isDone: boolean): readonly MarkdownBlock[] {
		if (this.#fence === undefined) {
			return [];
		}
		const { reader, key } = this.#fence;
		const rest = this.#source.slice(this.#frozenLength);
		const fence = reader.read(rest === '' || rest.includes('\n') ? undefined : rest);
		return [{ kind: 'fence', key, fence, isOpen: !isDone }];
	}

	#freeze(block: MarkdownBlock): void {
		const elements = block.kind === 'token' ? countElements(block.token) : FENCE_ELEMENTS + block.fence.chunks.length;
		const last = this.#groups.at(-1);
		const isFull = last === undefined || last.length >= BLOCKS_PER_GROUP || this.#groupCost >= GROUP_COST;
		this.#groups = isFull ? [...this.#groups, [block]] : this.#groups.with(-1, [...last, block]);
		this.#elements += elements;
		const length = block.kind === 'token' ? block.token.raw.length : 0;
		this.#groupCost = (isFull ? 0 : this.#groupCost) + length + elements * ELEMENT_WEIGHT;
	}

	#takeKey(): number {
		const key = this.#nextKey;
		this.#nextKey += 1;
		return key;
	}
}

function countElements(token: Token): number {
	const below = [
		...('tokens' in token ? (token.tokens ?? []) : []),
		...('items' in token ? (token.items as Token[]) : []),
		...('rows' in token ? ([...token.header, ...token.rows.flat()] as Token[]) : []),
	];
	// Each character of a formula can become an element.
	const own = token.type === 'math' ? token.raw.length : 1;
	return below.reduce((sum, each) => sum + countElements(each), own);
}
