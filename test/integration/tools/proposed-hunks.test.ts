import assert from 'node:assert/strict';
import { below, seeded, seedOfSoak } from '../../support/seeded.ts';
import { computeHunks } from '../../../src/trust/checkpoints/hunks.ts';
import {
	areEntangled,
	followLines,
	followLinesAt,
	placeHunks,
	type PlacedHunk,
	splitLines,
	type TextChange,
	toComparedText,
	toLineChanges,
	toTextChange,
	withHunks,
} from '../../../src/extension/inline-edit/placed-hunks.ts';

const placed = (before: string, after: string) =>
	placeHunks(before, after, computeHunks(toComparedText(before), toComparedText(after)));

describe('Hunks of an edit', () => {
	const underneath = { start: { line: 2 }, end: { line: 2 } };
	const inside = { start: { line: 1 }, end: { line: 1 } };
	function followB(...steps: readonly (readonly [TextChange, string])[]): number | undefined {
		const followed = steps.reduce((lines, [change, now]) => followLines(lines, [change], now), followLinesAt(1, ['b']));
		return followed.isThere ? followed.places[0] : undefined;
	}

	it('are not there while somebody has another text in their lines', () => {
		assert.equal(followB([{ ...inside, text: 'x' }, 'a\nbx\nc']), undefined);
		assert.equal(followB([{ start: { line: 0 }, end: { line: 2 }, text: '' }, 'c']), undefined);
	});

	it('are found again when that is taken back, or becomes a line of its own', () => {
		assert.equal(followB([{ ...inside, text: 'x' }, 'a\nxb\nc'], [{ ...inside, text: '' }, 'a\nb\nc']), 1);
		assert.equal(followB([{ ...inside, text: 'x' }, 'a\nxb\nc'], [{ ...inside, text: '\n' }, 'a\nx\nb\nc']), 2);
		assert.equal(
			followB(
				[{ ...inside, text: '\n' }, 'a\n\n b\nc'],
				[{ ...underneath, text: '' }, 'a\n\nb\nc'],
				[{ start: { line: 1 }, end: { line: 2 }, text: '' }, 'a\nb\nc'],
			),
			1,
		);
	});

	for (const [what, change, now, first] of [
		['a new line above', { start: { line: 0 }, end: { line: 0 }, text: '\n' }, 'a\n\nb\nc', 2],
		['a line typed before its first', { ...inside, text: 'x\n' }, 'a\nx\nb\nc', 2],
		['a line typed after its last', { ...inside, text: '\nx' }, 'a\nb\nx\nc', 1],
		['the line above deleted', { start: { line: 0 }, end: { line: 1 }, text: '' }, 'b\nc', 0],
		['text below', { ...underneath, text: 'x' }, 'a\nb\nxc', 1],
	] as const) {
		it(`stay at their lines with ${what}`, () => {
			assert.equal(followB([change, now]), first);
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
		const at = (first: number, removed: readonly string[]): PlacedHunk => ({
			first,
			removed,
			added: [],
			anchor: removed,
		});
		assert.equal(areEntangled(at(1, ['a', 'b']), at(2, ['b'])), true);
		assert.equal(areEntangled(at(2, []), at(2, ['b'])), true);
		assert.equal(areEntangled(at(3, ['c']), at(1, ['a', 'b'])), false);
	});

	it('make the other text whichever is accepted first, while others type between them', () => {
		const seed = seedOfSoak();
		const random = seeded(seed);
		const roll = (sides: number) => below(random, sides);
		for (let sample = 0; sample < 200; sample += 1) {
			const words = Array.from({ length: 4 + roll(12) }, () => ['a', 'b', '}', '', '\tif'][roll(5)] ?? '');
			const others = words.flatMap((word) => [[word], [], [`${word}!`], [word, 'new']][roll(9)] ?? [word]);
			const [before, after] = [words.join('\n'), others.join('\n')];
			let text = before;
			let typed = 0;
			let open = placed(before, after).map((hunk) => ({ hunk, lines: followLinesAt(hunk.first, hunk.anchor) }));
			const follow = (changes: readonly TextChange[], now: string) => {
				open = open.map(({ hunk, lines }) => {
					const followed = followLines(lines, changes, now);
					assert.ok(followed.isThere, `seed ${seed}, sample ${sample}`);
					return { hunk: { ...hunk, first: followed.places[0] ?? -1 }, lines: followed };
				});
				text = now;
			};
			while (open.length > 0) {
				const [accepted] = open.splice(roll(open.length), 1);
				assert.ok(accepted);
				const next = withHunks(text, [accepted.hunk]);
				follow(toLineChanges([accepted.hunk]), next);
				// Somebody writes a line at the top.
				typed += 1;
				follow([toTextChange(text, `typed\n${text}`)], `typed\n${text}`);
			}
			assert.equal(splitLines(text).slice(typed).join('\n'), after, `seed ${seed}, sample ${sample}`);
		}
	});
});
