import assert from 'node:assert/strict';
import { LINE_CHARS } from './limits.ts';
import { shownLine } from './matching-line.ts';

const token = `ghp_${'a1B2c3'.repeat(6)}`;

describe('A long line that matches', () => {
	it('is cut around the match', () => {
		const line = `${'a '.repeat(1000)}here ${'b '.repeat(1000)}`;
		const shown = shownLine(line, line.indexOf('here'));
		assert.match(shown, /^….*here.*…$/);
		assert.ok(shown.length <= LINE_CHARS + 4, shown);
	});

	it('is not cut within a token, so that redaction sees all of it, wherever the match is', () => {
		for (let at = 0; at < LINE_CHARS + 200; at += 1) {
			const line = `${'. '.repeat(400)}${'x '.repeat(at / 2)}"${token}"${' y'.repeat(1000)}`;
			const shown = shownLine(line, 800);
			assert.ok(shown.includes(token) || !shown.includes(token.slice(-8)), `end: ${shown}`);
			const mirrored = `${'y '.repeat(1000)}"${token}"${' x'.repeat(at / 2)} here${' .'.repeat(400)}`;
			const after = shownLine(mirrored, mirrored.indexOf('here'));
			assert.ok(after.includes(token) || !after.includes(token.slice(-8)), `start: ${after}`);
		}
	});

	it('shows no part of a private key that it holds', () => {
		const body = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(40);
		const key = `-----BEGIN PRIVATE ${'KEY'}-----\\n${body}\\n-----END PRIVATE ${'KEY'}-----`;
		const line = `{"key":"${key}","project":"here"}`;
		for (const match of ['QUJD', 'VVld', 'here']) {
			assert.doesNotMatch(shownLine(line, line.lastIndexOf(match)), /QUJD|VVld/);
		}
	});

	it('of one run of characters without end is cut all the same', () => {
		assert.ok(shownLine('a1'.repeat(100_000), 50_000).length <= LINE_CHARS + 2);
	});
});
