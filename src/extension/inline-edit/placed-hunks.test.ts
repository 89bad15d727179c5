import assert from 'node:assert/strict';
import { computeHunks } from '../../trust/checkpoints/hunks.ts';
import { areEntangled, followLines, placeHunks, type PlacedHunk, splitLines, toComparedText, withHunks } from './placed-hunks.ts';

const placed = (before: string, after: string) =>
	placeHunks(before, after, computeHunks(toComparedText(before), toComparedText(after)));

/** The same numbers for a seed (mulberry32). */
function createDice(seed: number): (sides: number) => number {
	let state = seed;
	return (sides) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
	};
}

describe('Hunks of an edit', () => {
	it('of a text that somebody changed in their lines are lost', () => {
		const [hunk] = placed('a\nb\nc', 'a\nB\nc');
		assert.ok(hunk);
		const typed = [{ start: { line: 1 }, end: { line: 1 }, text: 'x' }];
		assert.equal(followLines(hunk.first, hunk.anchor, typed, 'a\nbx\nc'), undefined);
		const deleted = [{ start: { line: 0 }, end: { line: 2 }, text: '' }];
		assert.equal(followLines(hunk.first, hunk.anchor, deleted, 'c'), undefined);
	});

	for (const [what, change, now, first] of [
		['a new line above', { start: { line: 0 }, end: { line: 0 }, text: '\n' }, 'a\n\nb\nc', 2],
		['a line typed before its first', { start: { line: 1 }, end: { line: 1 }, text: 'x\n' }, 'a\nx\nb\nc', 2],
		['a line typed after its last', { start: { line: 1 }, end: { line: 1 }, text: '\nx' }, 'a\nb\nx\nc', 1],
		['the line above deleted', { start: { line: 0 }, end: { line: 1 }, text: '' }, 'b\nc', 0],
		['text below', { start: { line: 2 }, end: { line: 2 }, text: 'x' }, 'a\nb\nxc', 1],
	] as const) {
		it(`stay at their lines with ${what}`, () => {
			const [hunk] = placed('a\nb\nc', 'a\nB\nc');
			assert.equal(hunk && followLines(hunk.first, hunk.anchor, [change], now), first);
		});
	}

	for (const [what, before, after, count] of [
		['nothing', 'a\nb\n', 'a\nb\n', 0],
		['the end of the last line', 'a\nb\n', 'a\nb', 1],
		['a line at the end', 'a\nb', 'a\nb\nc', 1],
		['a line at the beginning', 'a\nb\n', 'x\na\nb\n', 1],
		['all lines', 'a\nb', '', 1],
		['an empty text', '', 'a\n', 1],
		['two places of a text with CRLF', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nC\r\n', 2],
	] as const) {
		it(`that change ${what} make the other text`, () => {
			const hunks = placed(before, after);
			assert.equal(hunks.length, count);
			assert.equal(withHunks(before, hunks), after);
		});
	}

	it('are one where the texts could not be compared in time', () => {
		const hunks = placeHunks('a\nb', 'x\nb', undefined);
		assert.equal(hunks.length, 1);
		assert.equal(withHunks('a\nb', hunks), 'x\nb');
		assert.deepEqual(placeHunks('a', 'a', undefined), []);
	});

	it('are entangled where they share a line or an end', () => {
		const at = (first: number, removed: readonly string[]): PlacedHunk => ({ first, removed, added: [], anchor: removed });
		assert.equal(areEntangled(at(1, ['a', 'b']), at(2, ['b'])), true);
		assert.equal(areEntangled(at(2, []), at(2, ['b'])), true);
		assert.equal(areEntangled(at(3, ['c']), at(1, ['a', 'b'])), false);
	});

	it('make the other text whichever is accepted first, while others type between them', () => {
		const seed = Number(process.env['PROWESS_SEED'] ?? Date.now() % 1_000_000);
		const roll = createDice(seed);
		for (let sample = 0; sample < 200; sample += 1) {
			const words = Array.from({ length: 4 + roll(12) }, () => ['a', 'b', '}', '', '\tif'][roll(5)] ?? '');
			const others = words.flatMap((word) => [[word], [], [`${word}!`], [word, 'new']][roll(9)] ?? [word]);
			const [before, after] = [words.join('\n'), others.join('\n')];
			let text = before;
			let open = [...placed(before, after)];
			let typed = 0;
			while (open.length > 0) {
				const [accepted] = open.splice(roll(open.length), 1);
				assert.ok(accepted);
				const next = withHunks(text, [accepted]);
				const [start, end] = [accepted.first, accepted.first + accepted.removed.length];
				const change = { start: { line: start }, end: { line: end }, text: accepted.added.map((each) => `${each}\n`).join('') };
				open = open.map((each) => ({ ...each, first: followLines(each.first, each.anchor, [change], next) ?? -1 }));
				assert.ok(
					open.every(({ first }) => first >= 0),
					`seed ${seed}, sample ${sample}`,
				);
				// Somebody writes a line at the top.
				text = `typed\n${next}`;
				typed += 1;
				const above = { start: { line: 0 }, end: { line: 0 }, text: 'typed\n' };
				open = open.map((each) => ({ ...each, first: followLines(each.first, each.anchor, [above], text) ?? -1 }));
			}
			assert.equal(splitLines(text).slice(typed).join('\n'), after, `seed ${seed}, sample ${sample}`);
		}
	});
});
