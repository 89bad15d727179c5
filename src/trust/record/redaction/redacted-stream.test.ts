import assert from 'node:assert/strict';
import { MAX_HELD_CHARS } from './limits.ts';
import { Redactor } from './redactor.ts';
import { privateKey as key, privateKeyBody as body } from '../../../../test/support/private-key.ts';

describe('Redaction of a text in large pieces', () => {
	function shown(...pieces: readonly string[]): string {
		const stream = new Redactor().stream();
		return [...pieces.map((piece) => stream.push(piece)), stream.end()].join('');
	}

	const lines = (chars: number) => 'an ordinary line\n'.repeat(Math.ceil(chars / 17));

	for (const chars of [100, MAX_HELD_CHARS + 1, 3 * MAX_HELD_CHARS]) {
		it(`keeps a key that a piece of ${chars} characters ends in`, () => {
			for (let at = 1; at < key.length; at += 7) {
				const text = shown(lines(chars) + key.slice(0, at), key.slice(at) + lines(100));
				assert.ok(!text.includes(body.slice(0, 20)), `${at} characters of the key came with the piece`);
				assert.ok(text.startsWith(lines(chars)), 'something else is gone');
			}
		});
	}

	it('gives out at once what comes before a key that has not ended', () => {
		const stream = new Redactor().stream();
		assert.equal(stream.push(lines(3 * MAX_HELD_CHARS) + key.slice(0, 300)), lines(3 * MAX_HELD_CHARS));
	});

	it('holds no more than its bound of what never ends', () => {
		const stream = new Redactor().stream();
		const given = stream.push('x'.repeat(10 * MAX_HELD_CHARS));
		assert.ok(10 * MAX_HELD_CHARS - given.length <= MAX_HELD_CHARS);
		const begun = new Redactor().stream();
		begun.push('-----BEGIN RSA PRIVATE KEY-----\n');
		const later = begun.push(`${'y'.repeat(64)}\n`.repeat(MAX_HELD_CHARS / 32));
		assert.ok(later.length > 0);
	});
});
