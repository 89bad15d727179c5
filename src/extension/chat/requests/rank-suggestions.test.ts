import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rankSuggestions } from './rank-suggestions.ts';

const paths = ['src/server/main.ts', 'src/main.ts', 'docs/maintain.md', 'src/domain/a.ts', 'README.md'];
const rank = (query: string, open: readonly string[] = []) =>
	rankSuggestions(
		query,
		paths.map((text) => ({ value: text, text, bonus: open.includes(text) ? 50 : 0 })),
		50,
	);

describe('rankSuggestions', () => {
	it('prefers the name of the file to the folders above it, then the shorter path', () => {
		assert.deepEqual(rank('main'), ['src/main.ts', 'src/server/main.ts', 'docs/maintain.md', 'src/domain/a.ts']);
	});

	it('puts open editors first', () => {
		assert.equal(rank('main', ['docs/maintain.md'])[0], 'docs/maintain.md');
		assert.equal(rank('', ['README.md'])[0], 'README.md');
	});

	it('matches letters in order, starts of words best', () => {
		assert.equal(rank('ssm')[0], 'src/server/main.ts');
		assert.deepEqual(rank('zzz'), []);
	});
});
