import assert from 'node:assert/strict';
import { splitIntoChunks } from './chunks.ts';
import { codeIndexLimits } from './limits.ts';

const lines = (count: number, indent = '\t') =>
	Array.from({ length: count }, (_, at) => `${indent}step(${at});`).join('\n');
const symbols = (text: string) => splitIntoChunks(text).map(({ symbol }) => symbol);

describe('Chunks of a file', () => {
	it('are none of an empty file, and one of a few lines that declare nothing', () => {
		assert.deepEqual(splitIntoChunks(''), []);
		assert.deepEqual(splitIntoChunks('\n\n'), []);
		assert.deepEqual(splitIntoChunks('hello\nworld'), [{ startLine: 1, endLine: 2, symbol: '', text: 'hello\nworld' }]);
	});

	it('begin with each declaration and the comment above it, in any language', () => {
		const samples: readonly [text: string, expected: readonly string[]][] = [
			[
				`/** Says it. */\nexport async function first() {\n${lines(9)}\n}\n\nclass Second {\n${lines(9)}\n}`,
				['first', 'Second'],
			],
			[`def first(a):\n${lines(9, '    ')}\n\n@cached\nasync def second():\n${lines(9, '    ')}`, ['first', 'second']],
			[`fn first() {\n${lines(9)}\n}\n\npub(crate) struct Second {\n${lines(9)}\n}`, ['first', 'Second']],
			[`func (s *Server) Serve() {\n${lines(9)}\n}\nfunc other() {\n${lines(9)}\n}`, ['Serve', 'other']],
			[`static int first(int a) {\n${lines(9)}\n}\nvoid second(void) {\n${lines(9)}\n}`, ['first', 'second']],
			[`# One\n\n${lines(9, '')}\n\n## Two\n\n${lines(9, '')}`, ['One', 'Two']],
		];
		for (const [text, expected] of samples) assert.deepEqual(symbols(text), expected, text);
		const [first, second] = splitIntoChunks(samples[0]?.[0] ?? '');
		assert.deepEqual([first?.startLine, first?.endLine, second?.startLine], [1, 12, 14]);
		assert.match(splitIntoChunks(samples[1]?.[0] ?? '')[1]?.text ?? '', /^@cached/);
	});

	it('hold each line once, whatever the file', () => {
		const long = `class A {\n${Array.from({ length: 20 }, (_, at) => `\tmethod${at}() {\n${lines(9, '\t\t')}\n\t}\n`).join('\n')}}\n${lines(200, '')}`;
		const chunks = splitIntoChunks(long);
		const covered = chunks.flatMap(({ startLine, endLine }) =>
			Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
		);
		const written = long.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : at + 1));
		assert.deepEqual(new Set(covered).size, covered.length);
		assert.deepEqual(
			written.filter((line) => !covered.includes(line)),
			[],
		);
		assert.ok(chunks.every(({ startLine, endLine }) => endLine - startLine < codeIndexLimits.chunkLines));
		assert.ok(chunks.some(({ symbol }) => symbol === 'A method7'));
	});

	it('are cut of one endless line and of a million brackets, too', () => {
		const odd = ['a'.repeat(400_000), '('.repeat(400_000), `x ${'a '.repeat(200_000)}(`, '\t'.repeat(400_000)];
		assert.deepEqual(
			odd.map((text) => splitIntoChunks(text).length),
			[1, 1, 1, 0],
		);
	});
});
