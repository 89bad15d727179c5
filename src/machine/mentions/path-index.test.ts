import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toMatchable } from './match.ts';
import { PathIndex } from './path-index.ts';

const MOST = 50;
const paths = ['src/server/main.ts', 'src/main.ts', 'docs/maintain.md', 'src/domain/a.ts', 'README.md'];
const nothing = { named: [], open: new Set<string>() };

async function rank(query: string, open: readonly string[] = []): Promise<string[]> {
	const index = await PathIndex.of(paths);
	return index.rank(query, { named: [], open: new Set(open) }, MOST).map(({ text }) => text);
}

describe('PathIndex', () => {
	it('prefers the name of the file to the folders above it, then the shorter path', async () => {
		assert.deepEqual(await rank('main'), [
			'src/main.ts',
			'src/server/main.ts',
			'docs/maintain.md',
			'src/domain/',
			'src/domain/a.ts',
		]);
	});

	it('puts open editors first, also those of files that are not listed', async () => {
		assert.equal((await rank('main', ['docs/maintain.md']))[0], 'docs/maintain.md');
		assert.deepEqual((await rank('', ['README.md', 'node_modules/x.js'])).slice(0, 2), [
			'README.md',
			'node_modules/x.js',
		]);
	});

	it('matches letters in order, starts of words best', async () => {
		assert.equal((await rank('ssm'))[0], 'src/server/main.ts');
		assert.deepEqual(await rank('zzz'), []);
	});

	it('suggests each folder once, and before the files when the query ends with a slash', async () => {
		assert.deepEqual((await rank('src/')).slice(0, 1), ['src/']);
		assert.deepEqual(
			(await rank('')).filter((text) => text.endsWith('/')),
			['src/', 'docs/', 'src/domain/', 'src/server/'],
		);
	});

	it('finds the last of 100,000 files, key by key, and again from the start', async () => {
		const many = Array.from({ length: 100_000 }, (_, at) => `packages/p${at % 300}/src/m${at % 7_000}/file-${at}.ts`);
		const index = await PathIndex.of(many);
		for (const query of ['f', 'file', 'file-99', 'file-99999.t', 'file-99999.ts', '99999', 'p99/file-99999']) {
			const found = index.rank(query, nothing, MOST);
			assert.equal(found.length > 0, true, query);
			if (query.includes('99999')) {
				assert.equal(found[0]?.text, many.at(-1), query);
			}
		}
	});

	it('ranks as a full sort of all candidates does, however the queries follow each other', async () => {
		const letters = (of: readonly string[], most: number) =>
			fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: most }).map((chosen) => chosen.join(''));
		const part = letters(['a', 'b', 'A', 'Σ', 'İ', '😀', '-', '.'], 4);
		const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
		const step = fc.oneof(
			letters(['a', 'b', 'B', 'σ', 'ς', 'i', '\ud83d', '😀', '/', '\\', '.'], 2),
			fc.constant('back'),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(path, { maxLength: 60 }),
				fc.array(path, { maxLength: 3 }),
				fc.array(step, { minLength: 1, maxLength: 8 }),
				fc.integer({ min: 1, max: 12 }),
				async (files, opened, steps, most) => {
					const index = await PathIndex.of(files);
					const named = [{ ...toMatchable('problems b'), bonus: 40 }];
					let query = '';
					for (const [at, typed] of ['', ...steps].entries()) {
						// Editors open and close meanwhile.
						const open = new Set([...opened, ...files].filter((_, which) => (which + at) % 3 === 0));
						query = typed === 'back' ? query.slice(0, -1) : query + typed;
						assert.deepEqual(
							index.rank(query, { named, open }, most).map(({ text }) => text),
							plainlyRanked(query, files, { named, open }).slice(0, most),
						);
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});

/** Everything built, scored and sorted for each query. */
function plainlyRanked(
	query: string,
	files: readonly string[],
	{ named, open }: { named: readonly { text: string; bonus: number }[]; open: ReadonlySet<string> },
): string[] {
	const folders = new Set(
		files.flatMap((file) =>
			file
				.split('/')
				.slice(0, -1)
				.map((_, at, parts) => `${parts.slice(0, at + 1).join('/')}/`),
		),
	);
	const wanted = query.toLowerCase().replaceAll('\\', '/');
	return [
		...named,
		...[...new Set([...open, ...files])].map((text) => ({ text, bonus: open.has(text) ? 50 : 0 })),
		...[...folders].map((text) => ({ text, bonus: query.endsWith('/') ? 5 : -5 })),
	]
		.flatMap(({ text, bonus }) => {
			const score = plainScore(wanted, text.toLowerCase());
			return score === undefined ? [] : [{ text, score: score + bonus }];
		})
		.sort((a, b) => b.score - a.score || a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
		.map(({ text }) => text);
}

function plainScore(wanted: string, text: string): number | undefined {
	if (wanted === '') return 0;
	const name = text.slice(text.lastIndexOf('/', text.length - 2) + 1);
	if (name.startsWith(wanted)) return 100 - name.length / 100;
	if (name.includes(wanted)) return 80;
	if (text.includes(wanted)) return 60;
	let at = -1;
	let gaps = 0;
	for (const letter of wanted) {
		const next = text.indexOf(letter, at + 1);
		if (next === -1) return undefined;
		gaps += at === -1 || next === at + 1 || '/-_.'.includes(text.charAt(next - 1)) ? 0 : 1;
		at = next;
	}
	return 40 - gaps * 4;
}
