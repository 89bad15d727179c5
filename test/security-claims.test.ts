/** Each sentence of docs/security.md that promises something names the specs that prove it, in security-claims.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { securityClaims } from './security-claims.ts';

const root = join(import.meta.dirname, '..');
const page = oneLine(readFileSync(join(root, 'docs/security.md'), 'utf8'));

describe('a claim of docs/security.md', () => {
	for (const { says, provenBy } of securityClaims) {
		it(`stands there and has its specs: ${says}`, () => {
			assert.ok(page.includes(oneLine(says)), 'the page does not say so: map what it says now, or take the claim out');
			assert.ok(provenBy.length > 0);
			for (const [file, title] of provenBy) {
				const specs = readFileSync(join(root, file), 'utf8')
					.split('\n')
					.filter((line) => /^\s*it(?:\(|$)/.test(line));
				assert.ok(
					specs.some((line) => line.includes(title)),
					`${file} has no spec "${title}": without it nothing proves this claim`,
				);
			}
		});
	}

	it('is mapped once', () => {
		const all = securityClaims.map(({ says }) => says);
		assert.deepEqual(
			all.filter((says, index) => all.indexOf(says) !== index),
			[],
		);
	});
});

function oneLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ');
}
