import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentProblems } from './documents.ts';

describe('The check of documents', () => {
	let folder = '';
	const there = '# Other\n\n## Where data is kept\n';
	before(() => {
		folder = mkdtempSync(join(tmpdir(), 'texts-'));
		writeFileSync(join(folder, 'other.md'), there);
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	const problems = (text: string) =>
		documentProblems(join(folder, 'page.md'), text, () => there).map(({ line, message }) => `${line}: ${message}`);

	it('refuses a line of prose over 120 columns', () => {
		assert.deepEqual(problems(`# Page\n\n${'word '.repeat(25)}`), [
			'3: 125 columns; a line of a document has at most 120',
		]);
	});

	for (const [what, text] of [
		['a picture', '![The chat](images/none.png)'],
		['a picture of a theme', '<source media="(prefers-color-scheme: dark)" srcset="images/none.png">'],
		['a link', 'See [this](none.md).'],
	] as const) {
		it(`refuses ${what} that does not exist`, () => {
			assert.match(problems(text)[0] ?? '', /^1: .*none\.(?:png|md) does not exist$/);
		});
	}

	it('refuses a link to a heading that does not exist', () => {
		assert.deepEqual(problems('See [this](other.md#nowhere).'), ['1: other.md#nowhere names no heading']);
	});

	it('accepts links to files, headings and addresses', () => {
		assert.deepEqual(problems('[a](other.md) [b](other.md#where-data-is-kept) [c](https://example.org/none.md)'), []);
		assert.deepEqual(problems('# This page\n\nSee [above](#this-page).'), []);
	});

	it('accepts long tables and code, and links in code', () => {
		const long = 'x'.repeat(130);
		assert.deepEqual(problems(`| ${long} |\n\n\`\`\`sh\n${long} [a](none.md)\n\`\`\`\n`), []);
	});
});
