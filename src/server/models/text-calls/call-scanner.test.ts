import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ToolDeclaration } from '../model-port.ts';
import { CallScanner, type Scanned } from './call-scanner.ts';

const declared = (name: string, properties: Readonly<Record<string, unknown>>): ToolDeclaration => ({
	name,
	description: '',
	inputSchema: { type: 'object', properties },
});
const read = declared('fs_read', { path: { type: 'string' }, offset: { type: 'integer' } });
const tools = new Map([read, declared('todo', { items: { type: 'array' } })].map((tool) => [tool.name, tool]));

function scan(...pieces: readonly string[]): { readonly text: string; readonly calls: unknown[] } {
	const scanner = new CallScanner(tools);
	const found: Scanned[] = [...pieces.flatMap((piece) => scanner.split(piece)), ...scanner.rest()];
	const text = found.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
	const calls = found.flatMap((piece) =>
		piece.kind === 'call'
			? [[piece.tool, readable(piece.inputText), ...(piece.group === undefined ? [] : [piece.group])]]
			: [],
	);
	return { text, calls };
}

function readable(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const A = ['fs_read', { path: 'a.ts' }];
const B = ['fs_read', { path: 'b.ts', offset: 5 }];
const json = '{"name": "fs_read", "arguments": {"path": "a.ts"}}';

const texts: readonly (readonly [what: string, text: string])[] = [
	[
		'a call in a fenced block that is shown as code',
		'So:\n```xml\n<tool_call>{"name": "fs_read"}</tool_call>\n```\nend',
	],
	['a call in code within a line', 'Write `<skill>fs_read(path="a")</skill>` there.'],
	['a call in a quote', 'He said:\n> <tool_call>{"name": "fs_read", "arguments": {}}</tool_call>\nand left'],
	['JSON in a fence that names no tool', '```json\n{"name": "left-pad", "version": "1.0.0"}\n```\n'],
	['JSON in a fence that is none', '```json\n{"name": \n```'],
	['an answer that is JSON and no call', '{"name": "left-pad", "arguments": {}}'],
	['a tag that is not closed and holds nothing', 'x <tool_call>'],
	['a tag with something else in it', '<skill>print 1</skill>'],
	['comparisons and generics', 'if (a < b && c<d) Map<string, Array<T>> [1] [TOOL] a <b'],
	['backticks that do not end', 'a ` b\n`` c ```` d'],
	['a fence that does not end', '~~~\n<skill>fs_read(path="a")</skill>'],
];

const calls: readonly (readonly [what: string, text: string, shown: string, calls: unknown[]])[] = [
	['a skill', 'I look.\n<skill>fs_read(path="a.ts")</skill>', 'I look.\n', [A]],
	['a skill over several lines', "<skill>fs_read(\n  path='b.ts',\n  offset=5,\n)</skill>", '', [B]],
	[
		'skills side by side',
		'<parallel>\n<skill>fs_read(path="a.ts")</skill>\n<skill>fs_read(path="b.ts", offset=5)</skill>\n</parallel>\n<skill>fs_read(path="a.ts")</skill>',
		'\n\n\n\n',
		[[...A, 1], [...B, 1], A],
	],
	['a hermes call', `<tool_call>\n${json}\n</tool_call>`, '', [A]],
	['a hermes call that the answer ends in', `<tool_call>${json}`, '', [A]],
	[
		'a hermes call with broken JSON',
		'<tool_call>{"name": "fs_read", "arguments": {"path": "a</tool_call>',
		'',
		[['fs_read', '{"path": "a']],
	],
	[
		'a call of Qwen’s coders',
		'<tool_call>\n<function=fs_read>\n<parameter=path>\nb.ts\n</parameter>\n<parameter=offset>\n5\n</parameter>\n</function>\n</tool_call>',
		'',
		[B],
	],
	['a call of GLM', '<tool_call>fs_read\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>', '', [A]],
	['a function of Llama', '<function=fs_read>{"path": "a.ts"}</function>', '', [A]],
	['Llama’s mark', '<|python_tag|>{"name": "fs_read", "parameters": {"path": "a.ts"}}<|eom_id|>', '', [A]],
	[
		'an invocation',
		'<function_calls>\n<invoke name="fs_read">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</function_calls>',
		'\n\n',
		[A],
	],
	['Mistral’s list', `[TOOL_CALLS] [${json}]`, '', [A]],
	[
		'Mistral’s newer form',
		'[TOOL_CALLS]fs_read[ARGS]{"path": "a.ts"}[TOOL_CALLS]fs_read[ARGS]{"path": "b.ts", "offset": 5}',
		'',
		[A, B],
	],
	[
		'DeepSeek’s form',
		'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>fs_read\n```json\n{"path": "a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
		'',
		[A],
	],
	[
		'DeepSeek’s newer form',
		'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>fs_read<｜tool▁sep｜>{"path": "b.ts", "offset": 5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
		'',
		[B],
	],
	['JSON in a fence', `Now:\n\`\`\`json\n${json}\n\`\`\`\nDone?`, 'Now:\n\nDone?', [A]],
	['JSON alone', ` ${json.replace('arguments', 'parameters')}\n`, '', [A]],
	[
		'a call behind code',
		`\`x\` and\n\`\`\`\ncode\n\`\`\`\n<tool_call>${json}</tool_call>`,
		'`x` and\n```\ncode\n```\n',
		[A],
	],
	[
		'nothing of the results that the model makes up',
		`<tool_call>${json}</tool_call>\n<tool_response>\nsecret\n</tool_response> So it is.`,
		'\n',
		[A],
	],
];

describe('A text in which calls are looked for', () => {
	for (const [what, text] of texts) {
		it(`holds none, and is shown as it is: ${what}`, () => {
			assert.deepEqual(scan(text), { text, calls: [] });
			assert.deepEqual(scan(...text), { text, calls: [] });
		});
	}

	for (const [what, text, shown, expected] of calls) {
		it(`holds ${what}, however it is cut`, () => {
			assert.deepEqual(scan(text), { text: shown, calls: expected });
			assert.deepEqual(scan(...text), { text: shown, calls: expected });
			for (let at = 1; at < text.length; at += 1) {
				assert.deepEqual(scan(text.slice(0, at), text.slice(at)), { text: shown, calls: expected });
			}
		});
	}

	it('is read the same in whatever pieces it comes, whatever it holds', () => {
		const fragments = [
			'<tool_call>',
			'</tool_call>',
			json,
			'`',
			'```',
			'```json\n',
			'\n',
			'> ',
			'<skill>',
			'a(b=1)',
			'</skill>',
		];
		const text = fc
			.array(fc.constantFrom(...fragments, '[TOOL_CALLS]', '<parallel>', '{', 'x', ' ', '~~~'))
			.map((all) => all.join(''));
		fc.assert(
			fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
				const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].toSorted((a, b) => a - b);
				const pieces = [0, ...places].map((place, index) => whole.slice(place, places[index] ?? whole.length));
				assert.deepEqual(scan(...pieces), scan(whole));
			}),
			{ numRuns: 2_000 },
		);
	});

	it('evaluates nothing', () => {
		for (const body of [
			'fs_read(path=open("x"))',
			'fs_read(path=a+b)',
			'fs_read(__import__("os"))',
			'fs_read(path=1;2)',
		]) {
			const { calls: found } = scan(`<skill>${body}</skill>`);
			assert.deepEqual(found, [['fs_read', body.slice('fs_read('.length, -1)]], body);
		}
	});

	it('takes the values of Python as they are meant', () => {
		const written = `a='it\\'s', b="x\\ny", c='''two "q"\nlines''', d=-5, e=1.5e3, f=True, g=None, h=[1, ('b', {})], i={'k': "v, w"}, j="\\u00e9\\d"`;
		const [[, value] = []] = scan(`<skill>todo(${written})</skill>`).calls as [string, unknown][];
		assert.deepEqual(value, {
			a: "it's",
			b: 'x\ny',
			c: 'two "q"\nlines',
			d: -5,
			e: 1500,
			f: true,
			g: null,
			h: [1, ['b', {}]],
			i: { k: 'v, w' },
			j: 'é\\d',
		});
	});

	it('is read to its end when it nests deeper than anything, or goes on for a megabyte', () => {
		const deep = `fs_read(path=${'['.repeat(5_000)}`;
		assert.equal(scan(`<skill>${deep})</skill>`).calls.length, 1);
		const long = `<tool_call>${'x'.repeat(1_200_000)}`;
		assert.equal(scan(...(long.match(/[^]{1,50000}/g) ?? [])).text.length, long.length);
	});
});
