import assert from 'node:assert/strict';
import { callResult, joinParts, withoutMedia } from './call-result.ts';
import { isShallow, toAnswer } from './process/raw-results.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const picture = (data: unknown, mimeType: unknown = 'image/png') => ({ type: 'image', data, mimeType });
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('Parts of the answer of an MCP server', () => {
	for (const [what, data] of [
		['broken into lines', PNG.replaceAll(/(.{20})/g, '$1\r\n')],
		['as a data address', `data:image/png;base64,${PNG}`],
		['without its padding', PNG.replace(/=+$/, '')],
	] as const) {
		it(`are a picture in base64 ${what}`, () => {
			assert.deepEqual(
				joinParts([picture(data, 7)]).media?.map(({ bytes }) => bytes),
				[68],
			);
		});
	}

	it('are left out where a picture is cut off or empty, and named for programs, which are given texts alone', () => {
		const { media, leftOut } = joinParts([picture(PNG.slice(0, 60)), picture(''), picture({}), picture(PNG)]);
		assert.deepEqual([media?.length, leftOut.length], [1, 3]);
		const { leftOut: told, ...rest } = withoutMedia(joinParts([picture(PNG)]));
		assert.deepEqual(told, [
			'picture 1 (image/png, 68 bytes) is left out: only the agent is shown pictures and sounds',
		]);
		assert.equal('media' in rest, false);
	});

	it('are one text where a server sends a text, and nothing where it sends nothing that can be read', () => {
		const textOf = (result: unknown) => callResult('s', 't', result).text;
		assert.deepEqual([undefined, null, 3, 'x', [], ['a', 'b'], { content: 'y' }, { content: [[1]] }].map(textOf), [
			'',
			'',
			'',
			'x',
			'',
			'a\nb',
			'y',
			'',
		]);
	});

	it('are a structured result once, however deep it is nested', () => {
		const said = (structuredContent: unknown, ...texts: string[]) =>
			callResult('s', 't', { content: texts.map((text) => ({ type: 'text', text })), structuredContent });
		assert.equal(said({ a: 1, b: [] }, ' {"b":[],\n"a":1} ').text, ' {"b":[],\n"a":1} ');
		assert.equal(said({ a: 1 }, '{"a":2}').text, '{"a":2}\n{"a":1}');
		assert.equal(said({ a: '1' }, '{"a":1}').text, '{"a":1}\n{"a":"1"}');
		assert.equal(said(0).text, '0');
		assert.equal(said({ content: 'the file' }, 'the file').text, 'the file');
		const deep = said(nested(2_000), 'x');
		assert.deepEqual([deep.text, deep.leftOut.length], ['x', 1]);
		assert.deepEqual([isShallow(nested(50)), isShallow(nested(500))], [true, false]);
	});

	it('are an answer where the server sent a line of another form with the id of a request', () => {
		const answer = (line: object) => toAnswer({ jsonrpc: '2.0', id: 1, ...line });
		for (const [line, expected] of [
			[{ result: null }, { result: { content: null } }],
			[{ result: [1] }, { result: { content: [1] } }],
			[{ result: { a: 1, _meta: 'x' } }, { result: { a: 1 } }],
			[{ error: 'no' }, { error: { code: -32_603, message: 'no' } }],
			[{ error: { code: 'x', message: { why: 1 } } }, { error: { code: -32_603, message: '{"why":1}' } }],
			[{ error: { code: 5, message: 'm', data: 1 } }, { error: { code: 5, message: 'm', data: 1 } }],
		] as const) {
			assert.deepEqual(answer(line), { jsonrpc: '2.0', id: 1, ...expected });
		}
		for (const other of ['x', null, { method: 'a' }, { jsonrpc: '2.0', id: 1 }]) assert.equal(toAnswer(other), other);
	});
});
