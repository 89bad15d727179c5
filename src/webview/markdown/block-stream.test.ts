import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type MarkdownBlock, type Blocks, BlockStream } from './block-stream.ts';

function flat({ groups, tail }: Blocks): readonly MarkdownBlock[] {
	return [...groups.flat(), ...tail];
}

/** Kind and text of each block, however it came about. */
function shape(blocks: Blocks): string[] {
	return flat(blocks).map((block) =>
		block.kind === 'fence'
			? `code ${block.fence.language} ${(block.fence.chunks.join('') + block.fence.rest).trimEnd()}`
			: block.token.type === 'code' && 'text' in block.token
				? `code ${'lang' in block.token ? String(block.token.lang ?? '') : ''} ${String(block.token.text).trimEnd()}`
				: `${block.token.type} ${block.token.raw.trim()}`,
	);
}

function streamed(text: string, step: number): Blocks {
	const stream = new BlockStream();
	for (let end = 0; end < text.length; end += step) {
		stream.read(text.slice(0, end), false);
	}
	return stream.read(text, true);
}

const PIECES = [
	'para\n',
	'\n',
	'# head\n',
	'- item\n',
	'- b\n\n',
	'  more\n',
	'```ts\n',
	'code\n',
	'```\n',
	'~~~\n',
	'> quote\n',
	'| a |\n|---|\n| 1 |\n',
	'1. one\n',
	'<div>\n',
	'---\n',
	'    indented\n',
	'\r\n',
	'end',
];

describe('Markdown that grows', () => {
	it('gives the same blocks however the text was cut', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }),
				fc.integer({ min: 1, max: 9 }),
				(pieces, step) => {
					const text = pieces.join('');
					assert.deepEqual(shape(streamed(text, step)).join('\n'), shape(streamed(text, text.length + 1)).join('\n'));
				},
			),
			{ numRuns: 300 },
		);
	});

	it('keeps the identity of what is finished', () => {
		const stream = new BlockStream();
		const [first] = flat(stream.read('one\n\ntwo\n\nthr', false));
		const [again] = flat(stream.read('one\n\ntwo\n\nthree and more', false));
		assert.equal(first, again);
	});

	it('starts over when the text is another one', () => {
		const stream = new BlockStream();
		stream.read('```\nold', false);
		assert.deepEqual(shape(stream.read('new', true)), ['paragraph new']);
	});

	it('does not take a shorter fence or one with words for the end', () => {
		const text = '````md\n```\ninner\n```\n```` not the end\n````\nafter';
		assert.deepEqual(shape(streamed(text, 3)), ['code md ```\ninner\n```\n```` not the end', 'paragraph after']);
	});

	it('keeps finished lines of an open fence in chunks that do not change', () => {
		const stream = new BlockStream();
		const lines = `${'line '.repeat(10)}\n`.repeat(90);
		const [before] = flat(stream.read(`\`\`\`\n${lines}`, false));
		const [after] = flat(stream.read(`\`\`\`\n${lines}more`, false));
		assert.ok(before?.kind === 'fence' && after?.kind === 'fence');
		assert.equal(before.fence.chunks, after.fence.chunks);
		assert.equal(after.isOpen, true);
	});

	it('shows what is nested too deep as it was written, and reads the rest', () => {
		const deep = '>'.repeat(50_000);
		const [head, ...blocks] = shape(new BlockStream().read(`# head\n\n${deep}\n\n- item`, true));
		assert.deepEqual([head, blocks.pop()], ['heading # head', 'list - item']);
		assert.equal(blocks.map((block) => block.replace('html ', '')).join(''), deep);
	});

	it('reads a text of any kind in steps that are short, and leaves nothing of it out', () => {
		for (const unit of [
			'- item\n',
			'> quote\n',
			'word ',
			'*_',
			'[a](',
			'`',
			'a\n\n',
			'```\n',
			'\n',
			'|',
			'| a |\n|---|\n',
		]) {
			const text = unit.repeat(Math.ceil(100_000 / unit.length));
			const steps: number[] = [];
			const take = (cost: number) => steps.push(cost) > 0;
			const drawn = flat(new BlockStream().read(text, true, take));
			assert.ok(steps.length >= 10 && steps.every((cost) => cost <= 80_000), `${unit}: ${steps.length} steps`);
			const length = (block: MarkdownBlock) =>
				block.kind === 'token' ? block.token.raw.length : block.fence.chunks.join('').length + block.fence.rest.length;
			const all = drawn.reduce((sum, block) => sum + length(block), 0);
			assert.ok(['\n', 'a\n\n', '```\n'].includes(unit) || all >= text.length - 10, `${unit}: ${all} characters`);
		}
	});

	it('ends a group before it is long, because a full one is drawn anew', () => {
		for (const unit of ['- a\n', 'word ', '| 1 | 2 |\n', '> quote\n\n']) {
			const { groups } = new BlockStream().read(unit.repeat(20_000 / unit.length), true);
			const lengths = groups.map((group) =>
				group.reduce((sum, block) => sum + (block.kind === 'token' ? block.token.raw.length : 0), 0),
			);
			assert.ok(groups.length > 1 && Math.max(...lengths) < 13_000, `${unit}: ${lengths.join(' ')}`);
		}
	});

	it('shows no block of code as one after a thousand of them, and leaves nothing out', () => {
		const text = '```\ncode\n```\n'.repeat(3_000);
		const blocks = flat(new BlockStream().read(text, true));
		const fences = blocks.filter(({ kind }) => kind === 'fence').length;
		const rest = blocks.flatMap((block) => (block.kind === 'token' ? [block.token.raw] : []));
		assert.ok(fences > 500 && fences < 1_500, `${fences} of them`);
		assert.equal(rest.join(''), '```\ncode\n```\n'.repeat(3_000 - fences));
	});

	it('waits with the rest when it is told to, and goes on with it at the next reading', () => {
		const stream = new BlockStream();
		const text = 'A paragraph of some words.\n\n'.repeat(2_000);
		const rounds: number[] = [];
		for (let isWhole = false; !isWhole;) {
			const blocks = stream.read(text, true, () => false);
			({ isWhole } = blocks);
			rounds.push(flat(blocks).length);
		}
		assert.ok(
			rounds.length > 5 &&
				rounds.every((count, index) => count > (rounds[index - 1] ?? 0) || index === rounds.length - 1),
		);
		assert.equal(rounds.at(-1), 2_000);
	});

	it('cuts a long list where an item begins, not within one', () => {
		const items = Array.from({ length: 300 }, (_, index) => `- item ${index}\n    - more of it\n    - and more`);
		const blocks = flat(new BlockStream().read(items.join('\n'), true));
		assert.ok(blocks.length > 1);
		assert.ok(blocks.every((block) => block.kind === 'token' && block.token.type === 'list'));
	});

	it('repeats the heading of a table that is so long that it is cut', () => {
		const rows = Array.from({ length: 400 }, (_, index) => `| ${index} | some words in a cell |`);
		const blocks = flat(new BlockStream().read(`| n | text |\n|---|---|\n${rows.join('\n')}\n\nafter`, true));
		const tables = blocks.flatMap((block) =>
			block.kind === 'token' && block.token.type === 'table' ? [block.token] : [],
		);
		assert.equal(blocks.length, tables.length + 1);
		assert.ok(tables.length > 1);
		assert.equal(
			tables.reduce((sum, table) => sum + ('rows' in table ? (table.rows as unknown[]).length : 0), 0),
			400,
		);
	});
});
