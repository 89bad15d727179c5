import assert from 'node:assert/strict';
import { type MathElement, type MathNode, mathTree } from './math-tree.ts';

const drawn = (node: MathNode | undefined): string => {
	if (node === undefined || typeof node === 'string') return node ?? '';
	const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}=${value}`);
	return `<${node.tag}${attributes.join('')}>${node.children.map(drawn).join('')}</>`;
};
const line = (tex: string) => drawn(mathTree(tex, false));
const elements = (node: MathNode): MathElement[] =>
	typeof node === 'string' ? [] : [node, ...node.children.flatMap(elements)];

describe('A formula', () => {
	for (const [what, tex] of [
		['no TeX', 'x_'],
		['a command that nobody knows', '\\unknown{x}'],
		['an environment that never ends', '\\begin{matrix} a'],
		['a definition', '\\def\\a{xxxxxxxxxx}\\a'],
		['a definition with a longer name', '\\newcommand{\\a}[1]{#1#1#1}\\a{\\a{x}}'],
		['a definition that expands itself', '\\edef\\a{\\a\\a}\\a'],
		['an alias', '\\let\\a=\\frac \\a12'],
		['too many characters', 'x'.repeat(2_001)],
		['too many elements', `\\begin{matrix}${'&'.repeat(1_900)}\\end{matrix}`],
		['too much depth', 'x^{'.repeat(200) + '}'.repeat(200)],
		['more depth than the stack has', '\\sqrt{'.repeat(333)],
	] as const) {
		it(`that is or has ${what} is not drawn`, () => {
			assert.equal(mathTree(tex, true), undefined);
		});
	}

	for (const tex of [
		'\\href{javascript:alert(1)}{x}',
		'\\url{https://example.org}',
		'\\includegraphics[height=1em]{https://example.org/a.png}',
		'\\htmlStyle{position:fixed;inset:0}{x}',
		'\\htmlClass{dock}{x}\\htmlId{root}{x}\\htmlData{face=page}{x}',
		'\\color{white}x\\colorbox{red}{y}\\textcolor{#ffffff}{z}',
		'\\Huge x \\rule[9em]{900em}{900em}',
	]) {
		it(`links, loads, styles and colours nothing: ${tex}`, () => {
			const tree = mathTree(tex, true);
			assert.ok(tree !== undefined);
			const names = new Set(elements(tree).flatMap(({ attributes }) => Object.keys(attributes)));
			const harmless = ['display', 'displaystyle', 'scriptlevel', 'width', 'height', 'depth', 'lspace', 'voffset'];
			assert.deepEqual([...names.difference(new Set(harmless))], []);
			assert.doesNotMatch(
				elements(tree)
					.map(({ tag }) => tag)
					.join(' '),
				/\b(?:a|mglyph|img|annotation)\b/,
			);
		});
	}

	it('has no size or shift beyond its bounds', () => {
		assert.equal(
			line('\\rule{900em}{900em}'),
			'<math><mrow><mpadded height=0em voffset=0em><mspace width=10em height=10em></></></></>',
		);
		assert.match(line('\\raisebox{-900em}{x}'), /voffset=-2em/);
		assert.match(line('\\kern-900em x'), /<mspace width=0\.000em>/);
		assert.match(line('\\hspace{900em} x'), /<mspace width=10\.000em>/);
	});

	it('is drawn with its fractions, roots, limits and names', () => {
		assert.equal(line('\\frac{a}{b}'), '<math><mrow><mfrac><mi>a</><mi>b</></></></>');
		assert.match(line('\\sqrt[3]{x}'), /<mroot><mi>x<\/><mn>3<\/><\/>/);
		assert.match(drawn(mathTree('\\sum_{i=0}^n i', true)), /^<math display=block>.*<munderover><mo>∑/);
		assert.match(line('\\operatorname{rank}A'), /<mi mathvariant=normal>rank<\/>/);
	});

	it('is drawn with the letters of other alphabets', () => {
		assert.match(line('\\mathbb{R}\\mathcal{L}\\mathfrak{C}\\mathbf{x1}'), /ℝ.*ℒ.*ℭ.*𝐱.*𝟏/u);
	});

	it('aligns the columns of equations', () => {
		const cells = elements(mathTree('\\begin{aligned}a&=b\\\\c&=d\\end{aligned}', true) ?? assert.fail());
		const sides = cells.filter(({ tag }) => tag === 'mtd').map(({ attributes }) => attributes['class']);
		assert.deepEqual(sides, ['align-right', 'align-left', 'align-right', 'align-left']);
	});
});
