import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { BlockStream } from './block-stream.ts';
import { lexMarkdown } from './lex.ts';
import type { MathToken } from '../math/math-syntax.ts';

function within(tokens: readonly Token[]): MathToken[] {
	return tokens.flatMap((token) => [
		...(token.type === 'math' ? [token as MathToken] : []),
		...within('tokens' in token ? (token.tokens ?? []) : []),
		...within('items' in token ? (token.items as Token[]) : []),
	]);
}
const formulas = (text: string) =>
	within(lexMarkdown(text)).map(({ text: tex, isDisplay }) => (isDisplay ? [tex] : tex));

describe('Formulas in a text', () => {
	for (const text of [
		'It costs $5, and 10 more cost $40.',
		'From $5-$10 to $20',
		'PATH=$HOME/bin:$PATH',
		'Use $ or $$ for it.',
		'`$x$` and `\\(y\\)`',
		'```\n$$\nx\n$$\n```',
		'\\$x\\$',
		'$x\n\ny$',
		'[a link](https://example.org/$a)',
	]) {
		it(`are not: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(formulas(text), []);
		});
	}

	it('are found in a line and as a block, in both forms', () => {
		assert.deepEqual(formulas('So $a_1 * b_2$, or \\(x^{2}\\), or $$z$$ holds.'), ['a_1 * b_2', 'x^{2}', ['z']]);
		assert.deepEqual(formulas('Then:\n$$\na\n= b\n- c\n$$\nand\n\n\\[\nx \\\\[2pt]\ny\n\\]\n'), [
			['a\n= b\n- c'],
			['x \\\\[2pt]\ny'],
		]);
		assert.deepEqual(formulas('- $a$\n- **b $c$**\n\n> $$d$$'), ['a', 'c', ['d']]);
	});

	it('stay one while they are being written, whatever their lines look like', () => {
		const text = 'Then:\n\n$$\na\n- b\n=======\n# c\n$$\n\nDone.';
		const stream = new BlockStream();
		for (let length = 1; length < text.length; length++) stream.read(text.slice(0, length), false);
		const { groups, tail } = stream.read(text, true);
		const blocks = [...groups.flat(), ...tail].map((block) => (block.kind === 'token' ? block.token.type : block.kind));
		assert.deepEqual(blocks, ['paragraph', 'math', 'paragraph']);
	});

	it('are looked for in a bounded part of the text', () => {
		const text = '$a \\(b \\[c $$d '.repeat(250);
		assert.deepEqual(formulas(text), []);
		assert.deepEqual(formulas(`$${'a'.repeat(401)}$ $$${'b'.repeat(2_001)}$$`), []);
	});
});
