import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Block, type Blocks, BlockStream } from './block-stream.ts';

function flat({ groups, tail }: Blocks): readonly Block[] {
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
		const lines = 'line\n'.repeat(90);
		const [before] = flat(stream.read(`\`\`\`\n${lines}`, false));
		const [after] = flat(stream.read(`\`\`\`\n${lines}more`, false));
		assert.ok(before?.kind === 'fence' && after?.kind === 'fence');
		assert.equal(before.fence.chunks, after.fence.chunks);
		assert.equal(after.isOpen, true);
	});

	it('shows what is nested too deep as it was written, and reads the rest', () => {
		const deep = '>'.repeat(50_000);
		const blocks = shape(new BlockStream().read(`# head\n\n${deep}\n\n- item`, true));
		assert.deepEqual(blocks, ['heading # head', `html ${deep}`, 'list - item']);
	});
});
