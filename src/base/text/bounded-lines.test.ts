import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BoundedLines } from './bounded-lines.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function readIn(pieces: readonly string[], maxBytes: number) {
	const lines: string[] = [];
	let tooLong = 0;
	const reader = new BoundedLines({
		maxBytes,
		onLine: (line) => lines.push(decoder.decode(line)) > 0,
		onTooLong: () => (tooLong += 1),
	});
	for (const piece of pieces) reader.push(encoder.encode(piece));
	return { lines, tooLong };
}

describe('BoundedLines', () => {
	it('reads nothing after a line that is too long, and says so once', () => {
		assert.deepEqual(readIn(['abc', 'def\n', 'x\n'], 5), { lines: [], tooLong: 1 });
		assert.deepEqual(readIn(['x\nabcdefg\ny\n'], 5), { lines: ['x'], tooLong: 1 });
	});

	it('finds the same lines however the bytes come', () => {
		const line = fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', ' ').toWellFormed());
		fc.assert(
			fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
				const text = lines.map((each) => `${each}\n`).join('');
				const points = [...new Set(cuts)].toSorted((a, b) => a - b);
				const pieces = [0, ...points].map((from, at) => text.slice(from, points[at] ?? text.length));
				const whole = pieces.every((piece) => piece.isWellFormed());
				if (whole) assert.deepEqual(readIn(pieces, 1_000).lines, lines);
			}),
		);
	});
});
