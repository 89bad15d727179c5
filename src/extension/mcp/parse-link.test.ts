import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { parseLink, PROMPT_CHARS } from './parse-link.ts';

describe('A link into the editor', () => {
	it('names a message to show', () => {
		assert.deepEqual(parseLink('/prompt', 'text=Fix%20a%26b%0Anow'), { kind: 'prompt', text: 'Fix a&b\nnow' });
	});

	it('shows what its message hides', () => {
		const text = encodeURIComponent('ls\u202e\u0007 \u{e0041}');
		assert.deepEqual(parseLink('/prompt', `text=${text}`), {
			kind: 'prompt',
			text: String.raw`ls\u{202e}\u{7} \u{e0041}`,
		});
	});

	it('names a thread or a capability', () => {
		const id = newId('thr');
		assert.deepEqual(parseLink('/thread', `id=${id}`), { kind: 'thread', threadId: id });
		assert.deepEqual(parseLink('/capability', 'name=todo-report'), { kind: 'capability', name: 'todo-report' });
	});

	const refused: readonly [string, string, string][] = [
		['/prompt', '', 'empty'],
		['/prompt', 'text=%20%0A', 'empty'],
		['/prompt', `text=${'a'.repeat(PROMPT_CHARS + 1)}`, 'tooLong'],
		['/prompt', `text=${'%E2%80%AE'.repeat(PROMPT_CHARS / 5)}`, 'tooLong'],
		['/thread', 'id=../../etc', 'unknown'],
		['/thread', '', 'unknown'],
		['/capability', 'name=..%2Fevil', 'unknown'],
		['/capability', `name=${'a'.repeat(1_000)}`, 'unknown'],
		['/capability', 'name=$(shield)', 'unknown'],
		['/run', 'text=x', 'unknown'],
		['', '', 'unknown'],
		['/constructor', 'text=x', 'unknown'],
	];
	for (const [path, query, why] of refused) {
		it(`is refused as ${why}: ${path}?${query.slice(0, 20)}`, () => {
			assert.deepEqual(parseLink(path, query), { kind: 'refused', why });
		});
	}
});
