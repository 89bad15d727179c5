import assert from 'node:assert/strict';
import { ThinkTags } from './think-tags.ts';

function read(pieces: readonly string[]) {
	const tags = new ThinkTags();
	const found = [...pieces.flatMap((piece) => tags.split(piece)), ...tags.rest()];
	const of = (kind: string) => found.map((piece) => (piece.kind === kind ? piece.text : '')).join('');
	return [of('thinking'), of('text')];
}

describe('Tags around thoughts', () => {
	it('are left out of the text, also the closing one that the request has opened, however they are split', () => {
		const rows: readonly (readonly [answer: string, thoughts: string, text: string])[] = [
			['<think>Hm</think>\n\nYes.', 'Hm', 'Yes.'],
			['</think>\n\nYes.', '', 'Yes.'],
			['\n</think>\nYes.', '', '\nYes.'],
			['Let me see.\n</think>\n\nYes.', '', 'Let me see.\nYes.'],
			['Let me see.</think>\n\nYes.', '', 'Let me see.\n\nYes.'],
			['Yes.</think>', '', 'Yes.'],
			['The tag `</think>` ends it.', '', 'The tag `</think>` ends it.'],
			['A </think> within a line, then\n</think>\nYes.', '', 'A </think> within a line, then\nYes.'],
			['Yes, <think> is a tag.', '', 'Yes, <think> is a tag.'],
			['<think>Hm</think>\nIt is\n</think>\n!', 'Hm', 'It is\n</think>\n!'],
			['a < b </thin', '', 'a < b </thin'],
			['', '', ''],
		];
		for (const [answer, ...expected] of rows) {
			assert.deepEqual(read([answer]), expected, answer);
			assert.deepEqual(read([...answer]), expected, `split: ${answer}`);
			for (let at = 1; at < answer.length; at += 1) {
				assert.deepEqual(read([answer.slice(0, at), answer.slice(at)]), expected, `${answer} at ${at}`);
			}
		}
	});
});
