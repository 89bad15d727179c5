import assert from 'node:assert/strict';
import { withoutOwn } from './own-lines.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const base = text('a', 'b', 'c', 'd', 'e');
const ours = text('a', 'B', 'c', 'd', 'E', 'F');

describe('withoutOwn', () => {
	const without = (now: string) => withoutOwn(base, ours, now);

	it('gives the text before the changes of the owner when nobody came after', () => {
		assert.partialDeepStrictEqual(without(ours), { text: base, isMixed: false });
	});

	it('keeps what others changed beside the lines of the owner', () => {
		const now = text('0', 'a', 'B', 'c', 'D', 'E', 'F');
		assert.partialDeepStrictEqual(without(now), { text: text('0', 'a', 'b', 'c', 'D', 'e'), isMixed: false });
	});

	it('counts nothing of the owner where a change of theirs was taken back', () => {
		const now = text('a', 'b', 'c', 'd', 'E', 'F');
		assert.partialDeepStrictEqual(without(now), { text: base, isMixed: false });
		assert.partialDeepStrictEqual(without(base), { text: base, isMixed: false });
	});

	it('says that lines of the owner were changed since', () => {
		const now = text('a', 'B!', 'c', 'd', 'E', 'F');
		assert.partialDeepStrictEqual(without(now), { text: base, isMixed: true });
		assert.equal(without(text('a', 'B', 'c', 'd'))?.isMixed, true);
	});

	it('keeps lines apart that lie side by side', () => {
		const now = text('A', 'B', 'C', 'd', 'E', 'F');
		assert.partialDeepStrictEqual(without(now), { text: text('A', 'b', 'C', 'd', 'e'), isMixed: false });
	});

	it('keeps what others wrote after the lines of the owner, and not what they wrote in the place of removed ones', () => {
		assert.partialDeepStrictEqual(withoutOwn('', text('mine'), text('mine', 'theirs')), {
			text: text('theirs'),
			isMixed: false,
		});
		assert.equal(withoutOwn(text('a', 'b', 'c'), text('a', 'c'), text('a', 'x', 'c'))?.isMixed, true);
	});

	it('tells lines of the owner that others have changed from those that they have not', () => {
		const mixed = withoutOwn(
			text('a', 'b', 'c', 'd', 'e'),
			text('A', 'b', 'c', 'd', 'E'),
			text('A', 'b', 'c', 'd', 'theirs'),
		);
		assert.equal(mixed?.withTheirs, text('a', 'b', 'c', 'd', 'theirs'));
		assert.equal(mixed?.text, text('a', 'b', 'c', 'd', 'e'));
		assert.equal(withoutOwn('', text('mine'), text('theirs'))?.withTheirs, text('theirs'));
		// A line of a text of the owner was corrected: the text is still the owner's.
		assert.equal(withoutOwn('', text('a', 'b', 'c'), text('a', 'B', 'c'))?.withTheirs, '');
		assert.equal(withoutOwn(text('old'), text('a', 'b', 'c'), text('B', 'c'))?.withTheirs, text('old'));
	});

	it('is exact about the end of the last line, and about CRLF', () => {
		assert.partialDeepStrictEqual(withoutOwn('a\nb', 'a\nB', 'x\na\nB'), { text: 'x\na\nb', isMixed: false });
		assert.deepEqual(withoutOwn('a\r\nb\r\n', 'a\r\nB\r\n', 'a\r\nB\r\nc\r\nd\r\n')?.text, 'a\r\nb\r\nc\r\nd\r\n');
	});

	it('puts together what any two sides make of a text', () => {
		for (let seed = 1; seed <= 400; seed += 1) {
			let state = seed;
			const random = (n: number) => {
				state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
				return Math.floor((state / 2_147_483_648) * n);
			};
			const change = (lines: readonly string[], mark: string) =>
				lines.flatMap((line) => (random(5) > 0 ? [line] : random(2) === 0 ? [] : [`${mark}${line}`, mark]));
			const start = Array.from({ length: 12 }, (_, index) => `${index}`);
			const [left, middle] = [change(start, 'x'), start];
			const right = change(middle, 'y');
			// Nobody came after: all is the owner's. The owner changed nothing: all is theirs.
			assert.equal(withoutOwn(text(...left), text(...middle), text(...middle))?.text, text(...left));
			assert.equal(withoutOwn(text(...middle), text(...middle), text(...right))?.text, text(...right));
			const both = withoutOwn(text(...left), text(...middle), text(...left));
			assert.partialDeepStrictEqual(both, { text: text(...left), isMixed: false });
		}
	});
});
