/** Texts that a pattern matches, by chance. Knows what the forms of tokens are written in: no anchors, no back-references. */
import { below, pick } from './seeded.ts';

/** Most repetitions of what may repeat without end. */
const MOST_MORE = 12;

const ALL = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

export function sampleOf(source: string, random: () => number): string {
	let at = 0;

	function alternatives(): string {
		const sampled = [sequence()];
		while (source[at] === '|') {
			at += 1;
			sampled.push(sequence());
		}
		return pick(random, sampled);
	}

	function sequence(): string {
		let text = '';
		while (at < source.length && source[at] !== '|' && source[at] !== ')') {
			const start = at;
			const first = atom();
			const end = at;
			const [least, most] = repetition();
			const after = at;
			const times = least + below(random, most - least + 1);
			let repeated = times === 0 ? '' : first;
			for (let n = 1; n < times; n += 1) {
				at = start;
				repeated += atom();
				at = end;
			}
			at = after;
			text += repeated;
		}
		return text;
	}

	function atom(): string {
		if (source[at] === '(') {
			const [opening = '('] = /^\((?:\?(?:[:=!]|<[=!]))?/.exec(source.slice(at)) ?? [];
			at += opening.length;
			const inner = alternatives();
			at += 1;
			// A lookahead or lookbehind adds no text to the sample.
			return /[=!]$/.test(opening) ? '' : inner;
		}
		const [written = ''] = /^(?:\[(?:\\.|[^\]])+\]|\\.|.)/.exec(source.slice(at)) ?? [];
		at += written.length;
		const pattern = new RegExp(`^${written}$`);
		return written.length === 1 && written !== '.'
			? written
			: pick(
					random,
					ALL.filter((each) => pattern.test(each)),
				);
	}

	function repetition(): [least: number, most: number] {
		const [written = '', least, comma, most] = /^(?:\{(\d+)(,)?(\d+)?\}|[?*+])/.exec(source.slice(at)) ?? [];
		at += written.length;
		switch (written) {
			case '':
				return [1, 1];
			case '?':
				return [0, 1];
			case '*':
				return [0, MOST_MORE];
			case '+':
				return [1, MOST_MORE];
			default: {
				const from = Number(least);
				return [from, most === undefined ? from + (comma === undefined ? 0 : MOST_MORE) : Number(most)];
			}
		}
	}

	return alternatives();
}
