/**
 * Markdown that grows. Blocks that cannot change any more are frozen, in groups that keep their identity; each new
 * piece of text costs only the unfinished tail. An open code fence is not lexed at all: its lines are appended.
 */
import type { Token } from 'marked';
import { type Fence, FenceReader } from './fence.ts';
import { lex } from './lex.ts';

export type Block =
	| { readonly kind: 'token'; readonly key: number; readonly token: Token }
	| { readonly kind: 'fence'; readonly key: number; readonly fence: Fence; readonly isOpen: boolean };

/** Frozen blocks; a full group is never touched again. */
export type BlockGroup = readonly Block[];

export interface Blocks {
	readonly groups: readonly BlockGroup[];
	readonly tail: readonly Block[];
}

const BLOCKS_PER_GROUP = 24;

export class BlockStream {
	#source = '';
	#frozenLength = 0;
	#groups: readonly BlockGroup[] = [];
	#nextKey = 0;
	#fence: { readonly reader: FenceReader; readonly key: number } | undefined;

	/** The blocks of the whole text. A text that does not continue the last one starts over. */
	read(text: string, isDone: boolean): Blocks {
		const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
		if (!source.startsWith(this.#source)) {
			this.#frozenLength = 0;
			this.#groups = [];
			this.#fence = undefined;
		}
		this.#source = source;
		while (this.#freezeNext()) {
			// Each round freezes what is finished, until only the tail is left.
		}
		return { groups: this.#groups, tail: this.#tail(isDone) };
	}

	/** True when something was frozen after which the rest must be looked at anew. */
	#freezeNext(): boolean {
		if (this.#fence !== undefined) {
			return this.#feedFence(this.#fence.reader, this.#fence.key);
		}
		const firstEnd = this.#source.indexOf('\n', this.#frozenLength);
		if (firstEnd < 0) {
			return false;
		}
		const reader = FenceReader.open(this.#source.slice(this.#frozenLength, firstEnd));
		if (reader !== undefined) {
			this.#fence = { reader, key: this.#takeKey() };
			this.#frozenLength = firstEnd + 1;
			return true;
		}
		return this.#freezeTokens();
	}

	#feedFence(reader: FenceReader, key: number): boolean {
		for (;;) {
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
	}

	/** Of the whole lines, all blocks before the last one are finished: only the last can still grow. */
	#freezeTokens(): boolean {
		const whole = this.#source.slice(this.#frozenLength, this.#source.lastIndexOf('\n') + 1);
		const tokens = lex(whole);
		const last = tokens.findLastIndex((token) => token.type !== 'space');
		let offset = 0;
		let frozen = 0;
		for (const token of tokens.slice(0, Math.max(0, last))) {
			if (!whole.startsWith(token.raw, offset)) {
				break;
			}
			offset += token.raw.length;
			frozen += 1;
			if (token.type !== 'space') {
				this.#freeze({ kind: 'token', key: this.#takeKey(), token });
			}
		}
		this.#frozenLength += offset;
		return frozen > 0 && tokens[last]?.type === 'code';
	}

	#tail(isDone: boolean): readonly Block[] {
		const rest = this.#source.slice(this.#frozenLength);
		if (this.#fence !== undefined) {
			const fence = this.#fence.reader.read(rest === '' ? undefined : rest);
			return [{ kind: 'fence', key: this.#fence.key, fence, isOpen: !isDone }];
		}
		const tokens = lex(rest).filter((token) => token.type !== 'space');
		return tokens.map((token, index) => ({ kind: 'token', key: this.#nextKey + index, token }));
	}

	#freeze(block: Block): void {
		const last = this.#groups.at(-1);
		this.#groups =
			last === undefined || last.length >= BLOCKS_PER_GROUP
				? [...this.#groups, [block]]
				: this.#groups.with(-1, [...last, block]);
	}

	#takeKey(): number {
		const key = this.#nextKey;
		this.#nextKey += 1;
		return key;
	}
}
