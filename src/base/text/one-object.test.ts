import assert from 'node:assert/strict';
import { readOneObject } from './one-object.ts';

describe('A text that means one object', () => {
	it('is told where it breaks when it has no single reading', () => {
		const rows: readonly (readonly [text: string, at: number, problem: RegExp])[] = [
			['{"a":1}{"a":2}', 7, /second object/],
			['{"a":1} {} {"b":1}', 11, /second object/],
			['{"a":"say "hi" now"}', 11, /comma or }/],
			['{"a":"\\d+"}', 6, /no escape/],
			['{"a":"C:\\dev\\new"}', 8, /no escape/],
			['{"a":"\\u12"}', 8, /hexadecimal/],
			['{"a":1},"b":2}', 7, /has ended/],
			['{"a":1} and {"b":2}', 8, /has ended/],
			["{'a':'don't'}", 10, /comma or }/],
			['{"a":["x" "y"]}', 10, /comma or \]/],
			['{"a" 1}', 5, /colon/],
			['{"a":01x}', 7, /comma or }/],
			['{"a":maybe}', 5, /value/],
			['{{"a":1},{"b":2}}', 1, /name/],
			["{'a': f'{b}'}", 6, /value/],
			['{"a":"\\x41"}', 6, /no escape/],
			['```json\n{"a":1}{"a":2}\n```', 15, /second object/],
		];
		for (const [text, at, problem] of rows) {
			const read = readOneObject(text);
			assert.ok(read.kind === 'broken', `${text}: ${JSON.stringify(read)}`);
			assert.match(read.problem, problem, text);
			assert.equal(read.at, at, text);
		}
	});

	it('is not whole when it may have been cut off, and none when it does not begin as one', () => {
		const rows = [
			'{"a":"b',
			'{"a":',
			'{"a":1',
			'{"a":[1,',
			'{"a":nul',
			'{"a":"\\',
			"{'a",
			'fs',
			'\0',
			'a {"b":1}',
			'[1',
			'"a',
		];
		assert.deepEqual(
			rows.filter((text) => readOneObject(text).kind !== 'unwhole'),
			[],
		);
	});

	it('is read, with what differs from JSON', () => {
		const path = { path: 'a.ts' };
		const rows: readonly (readonly [text: string, value: unknown, note: RegExp])[] = [
			['{"a":"one\ntwo\tthree\r\n"}', { a: 'one\ntwo\tthree\r\n' }, /raw line ends/],
			['{}{"path":"a.ts"}', path, /only object/],
			['{} \n {} {"path":"a.ts"}', path, /only object/],
			['{"path":"a.ts"}{"path":"a.ts"}', path, /only object/],
			['{"path":"a.ts"}{}', path, /only object/],
			['{}{}', {}, /only object/],
			['{"path":"a.ts"}}', path, /bracket too many/],
			['{"path":"a.ts"}\n]} }', path, /bracket too many/],
			['{"path":"a.ts",}', path, /comma too many/],
			['{"path":"a.ts"},', path, /follows/],
			['{"path":"a.ts"};', path, /follows/],
			['{"path":"a.ts"}</tool_call>', path, /marks/],
			['{"path":"a.ts"}\n<|im_end|>', path, /marks/],
			["{'path': 'a.ts'}", path, /quotes/],
			['{\u201cpath\u201d: \u201ca.ts\u201d}', path, /quotes/],
			['{"path":"a.ts","all":True,"b":None}', { ...path, all: true, b: null }, /True as true/],
			["{'a': 'it\\'s', 'b': False, 'c': (1, 2)}", { a: "it's", b: false, c: [1, 2] }, /tuple/],
			['{"a":"""one\ntwo "x" """}', { a: 'one\ntwo "x" ' }, /three quotes/],
			['{path: "a.ts"}', path, /without quotes/],
			['{"path":"a.ts"\n"limit":3}', { ...path, limit: 3 }, /missing/],
			['{"path":"a.ts", // the file\n "limit":3 /* lines */}', { ...path, limit: 3 }, /comments/],
			['\uFEFF{"path":"a.ts"}}', path, /bracket/],
			['```json\n{"path":"a.ts"}\n```', path, /fence/],
			['```{"path":"a.ts",}```', path, /fence/],
			['~~~\n{"path":"a.ts"}\n~~~', path, /fence/],
			['{"__proto__":1,}', JSON.parse('{"__proto__":1}'), /comma/],
			["['ls', '-l']", ['ls', '-l'], /quotes/],
			['{{"path":"a.ts"}}', path, /doubled brackets/],
			[' { {"path":"a.ts",} } ', path, /doubled brackets.*comma/],
			["{'path': r'a.ts', 'b': u'\\u00e4', 'c': rb'\\d'}", { ...path, b: '\u00e4', c: '\\d' }, /Python after r/],
			["{'path': '\\x61.ts'}", path, /quotes/],
			['{"n":+5,"m":.5}', { n: 5, m: 0.5 }, /^$/],
		];
		for (const [text, value, note] of rows) {
			const read = readOneObject(text);
			assert.ok(read.kind === 'read', `${text}: ${JSON.stringify(read)}`);
			assert.deepEqual(read.value, value, text);
			assert.match(read.notes.join(', '), note, text);
		}
	});

	it('is JSON as it stands where it is JSON, and empty for nothing', () => {
		for (const text of ['{"a":{"b":[1,"x\\n"]}}', '[1]', '"a"', '7']) {
			assert.deepEqual(readOneObject(text), { kind: 'read', value: JSON.parse(text), notes: [] });
		}
		for (const text of ['', ' \n', 'null']) {
			assert.deepEqual(readOneObject(text), { kind: 'read', value: {}, notes: [] });
		}
	});

	it('is looked at in linear time, however deep or long it is', () => {
		assert.equal(readOneObject('{"a":'.repeat(100_000)).kind, 'broken');
		assert.equal(readOneObject(`{"a":"${'x\n'.repeat(500_000)}`).kind, 'unwhole');
		assert.equal(readOneObject('{}'.repeat(1_000)).kind, 'broken');
		assert.equal(readOneObject(`\`\`\`${' '.repeat(300_000)}x`).kind, 'unwhole');
		assert.equal(readOneObject(`${' '.repeat(300_000)}{"a":1}}`).kind, 'read');
	});
});
