/**
 * Measures how well secrets are told from text that only looks like them, on lines as they stand in files, logs and
 * commands.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from './redactor.ts';

const linesOf = (file: string) =>
	readFileSync(join(import.meta.dirname, '../../../../test/fixtures/redaction', file), 'utf8')
		.trimEnd()
		.split('\n');

describe('redaction, measured', () => {
	const redactor = new Redactor();

	it('strikes out all of 502 secrets, and keeps their labels', () => {
		const lines = linesOf('secrets.txt');
		const failed = lines.filter((line) => {
			const [before = '', secret = '', after = ''] = line.split(/[⟦⟧]/u);
			const shown = redactor.redact(before + secret + after);
			return shown.includes(secret) || !shown.startsWith(before) || !shown.includes('<redacted:');
		});
		assert.deepEqual([lines.length, failed], [502, []]);
	});

	it('strikes out the same secrets where all lines are one text', () => {
		const text = linesOf('secrets.txt').join('\n');
		const shown = redactor.redact(text.replaceAll(/[⟦⟧]/gu, '')).split('\n');
		const shownLines = linesOf('secrets.txt').filter((line, at) => {
			const [, secret = ''] = line.split(/[⟦⟧]/u);
			return shown[at]?.includes(secret) !== false;
		});
		assert.deepEqual(shownLines, []);
	});

	it('leaves 444 of 446 ordinary lines alone', () => {
		const lines = linesOf('ordinary.txt');
		const struck = lines.filter((line) => redactor.redact(line) !== line);
		assert.deepEqual(
			[lines.length, struck],
			[446, ["CREATE USER ann WITH PASSWORD :'password1';", "passphrase: 'sample'.length"]],
		);
	});

	it('shows in the preview what it would strike out', () => {
		const found = redactor.find('a password="my pass word long" b');
		assert.deepEqual(found, [{ start: 12, end: 29, family: 'password' }]);
	});

	it('strikes out a value that is longer than any password', () => {
		const long = 'a1b2'.repeat(1_000);
		assert.equal(redactor.redact(`token=${long} end`), 'token=<redacted:password> end');
	});
});
