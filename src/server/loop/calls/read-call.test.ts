import assert from 'node:assert/strict';
import { OP_NAMES, type OpName } from '../../../protocol/op-table/ops.ts';
import type { OfferedTools } from '../../tools/tool-split.ts';
import { readCall } from './read-call.ts';
import { inEnglish } from '../../../protocol/text/text.ts';

const offered: OfferedTools = { ops: new Set(OP_NAMES), declarations: [], refusal: () => 'is not offered' };

function read(tool: string, input: unknown): ReturnType<typeof readCall> {
	const inputText = typeof input === 'string' ? input : JSON.stringify(input);
	return readCall({ kind: 'toolCall', callId: 'call_1', tool, inputText }, offered);
}

/** Returns the op and params of a call that was read, and the note about deviations. */
function paramsOf(
	tool: string,
	input: unknown,
): { readonly op: OpName; readonly params: unknown; readonly mended: string } {
	const call = read(tool, input);
	assert.equal(call.kind, 'op', call.kind === 'bad' ? call.message : '');
	const { op, params, mended } = call as Extract<typeof call, { kind: 'op' }>;
	return { op, params, mended };
}

describe('A call', () => {
	for (const [why, tool, input] of [
		['a parameter that nobody knows', 'fs_read', { path: 'a.ts', colour: 'red' }],
		['a number that is none', 'fs_read', { path: 'a.ts', offset: 'ten' }],
		['a list where a text is due', 'fs_read', { path: ['a.ts', 'b.ts'] }],
		['a required parameter that is null', 'fs_read', { path: null }],
		['a last line before the first', 'fs_read', { path: 'a.ts', offset: 5, end_line: 3 }],
		['two objects of a list', 'fs_read', [{ path: 'a.ts' }, { path: 'b.ts' }]],
		['two parameters that could hold the input', 'fs_read', { input: { path: 'a.ts' }, params: {} }],
		['half of an edit', 'fs_edit', { path: 'a.ts', old_string: 'x' }],
		['JSON that ends too early', 'fs_read', '{"path":"a.t'],
		['an empty command', 'shell_run', { command: '  ' }],
	] as const) {
		it(`is refused for ${why}`, () => {
			const call = read(tool, input);
			assert.equal(call.kind, 'bad');
			assert.equal((call as Extract<typeof call, { kind: 'bad' }>).code, 'INVALID_PARAMS');
		});
	}

	it('that is refused is titled in words, not by the name of its tool', () => {
		const titleOf = (tool: string, input: unknown) => {
			const call = read(tool, input);
			return call.kind === 'bad' ? inEnglish(call.title) : undefined;
		};
		assert.equal(titleOf('fs_read', '{"path":"a.t'), 'Reads');
		assert.equal(titleOf('shell_run', { command: '  ' }), 'Runs a program');
		assert.equal(titleOf('make_coffee', {}), 'make_coffee');
	});

	it('is taken as it is written where that fits, and nothing is said', () => {
		const { params, mended } = paramsOf('fs_read', { path: 'a.ts', offset: 3 });
		assert.deepEqual([params, mended], [{ path: 'a.ts', offset: 3 }, '']);
	});

	for (const [how, tool, input, expected] of [
		['null for what need not be given', 'fs_read', { path: 'a.ts', limit: null }, { path: 'a.ts' }],
		['the whole input in one parameter', 'fs_read', { input: { path: 'a.ts', limit: 2 } }, { path: 'a.ts', limit: 2 }],
		['the whole input as a text in one parameter', 'fs_read', { arguments: '{"path":"a.ts"}' }, { path: 'a.ts' }],
		['the only object of a list', 'fs_read', [{ path: 'a.ts' }], { path: 'a.ts' }],
		[
			'the last line in place of a number of lines',
			'fs_read',
			{ path: 'a.ts', start_line: 3, end_line: 5 },
			{ path: 'a.ts', offset: 3, limit: 3 },
		],
		['the last line alone', 'fs_read', { path: 'a.ts', endLine: '5' }, { path: 'a.ts', limit: 5 }],
		['words about the call', 'fs_read', { path: 'a.ts', explanation: 'to look', reason: '' }, { path: 'a.ts' }],
		['a number as text', 'fs_read', { path: 'a.ts', offset: '10' }, { path: 'a.ts', offset: 10 }],
		['a name of other agents', 'fs_read', { file_path: 'a.ts' }, { path: 'a.ts' }],
		['a file address for its path', 'fs_read', { path: 'file:///w/a%20b.ts' }, { path: '/w/a b.ts' }],
		['lines counted from 0', 'fs_read', { path: 'a.ts', offset: 0 }, { path: 'a.ts' }],
		['Python literals', 'fs_read', "{'path': 'a.ts', 'raw': True}", { path: 'a.ts', raw: true }],
		['raw line ends', 'fs_write', '{"path":"a","content":"b\n\tc"}', { path: 'a', content: 'b\n\tc' }],
		['an empty object before it', 'fs_read', '{}{"path":"a.ts"}', { path: 'a.ts' }],
		[
			'a list as a text of Python',
			'fs_edit',
			{ path: 'a.ts', edits: "[{'find': 'x', 'replace': 'y'}]" },
			{ path: 'a.ts', edits: [{ find: 'x', replace: 'y', all: false }] },
		],
		['a comma too many', 'fs_read', '{"path":"a,].ts",}', { path: 'a,].ts' }],
		['a fence around it', 'fs_read', '```json\n{"path":"a.ts"}\n```', { path: 'a.ts' }],
		['JSON in a text', 'fs_read', JSON.stringify('{"path":"a.ts"}'), { path: 'a.ts' }],
		[
			'one edit at the top',
			'fs_edit',
			{ file_path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: 'true' },
			{ path: 'a.ts', edits: [{ find: 'x', replace: 'y', all: true }] },
		],
		[
			'one edit at the top that takes text away',
			'fs_edit',
			{ file_path: 'a.ts', old_string: 'x', new_string: '', replace_all: false },
			{ path: 'a.ts', edits: [{ find: 'x', replace: '', all: false }] },
		],
		[
			'a list as JSON text',
			'fs_edit',
			{ path: 'a.ts', edits: '[{"oldText":"x","newText":"y"}]' },
			{ path: 'a.ts', edits: [{ find: 'x', replace: 'y', all: false }] },
		],
		[
			'one item for a list',
			'fs_edit',
			{ path: 'a.ts', edits: { find: 'x', replace: 'y' } },
			{ path: 'a.ts', edits: [{ find: 'x', replace: 'y', all: false }] },
		],
	] as const) {
		it(`may be written with ${how}`, () => {
			const { params, mended } = paramsOf(tool, input);
			assert.deepEqual(params, expected);
			assert.ok(typeof input === 'string' || 'limit' in input || mended !== '', 'nothing is said');
		});
	}

	it('says of a search in other words whether it is of a pattern', () => {
		const said = (input: object) => {
			const { literal, regex } = paramsOf('search_text', input).params as { literal: boolean; regex?: boolean };
			return literal || regex === false ? 'text' : 'pattern';
		};
		const inputs = [{ pattern: 'a|b' }, { query: 'a|b', isRegex: true }, { query: 'a|b', regex: false }];
		assert.deepEqual(inputs.map(said), ['pattern', 'pattern', 'text']);
		assert.equal(said({ query: 'a|b', isRegex: false }), 'text');
		assert.equal(said({ query: 'a|b', fixed_strings: true }), 'text');
		const { params } = paramsOf('search_text', { query: 'a', glob: ['*.ts', '*.tsx'] });
		assert.equal((params as { include: string }).include, '*.ts,*.tsx');
	});

	for (const name of ['functions.fs_read', 'fs.read', 'FS_READ', ' fs_read', 'functions:fs-read']) {
		it(`may name its tool ${JSON.stringify(name)}`, () => {
			assert.equal(paramsOf(name, { path: 'a.ts' }).op, 'fs.read');
		});
	}

	it('of a tool that does not exist is refused by its name', () => {
		const call = read('functions.fly', {});
		assert.equal(call.kind === 'bad' && call.code, 'UNKNOWN_TOOL');
	});
});

/** Forms in which public reports show models to bend arguments; undefined: it has no single reading. */
const bentForms: readonly (readonly [form: string, tool: string, input: unknown, meant: object | undefined])[] = [
	['a name of other agents', 'fs_read', { file_path: 'a.ts' }, { path: 'a.ts' }],
	['names in another case', 'fs_read', { filePath: 'a.ts' }, { path: 'a.ts' }],
	['null for what need not be given', 'fs_read', { path: 'a.ts', limit: null }, { path: 'a.ts' }],
	['a number as text', 'fs_read', { path: 'a.ts', limit: '10' }, { path: 'a.ts', limit: 10 }],
	['a yes as text', 'fs_read', { path: 'a.ts', raw: 'true' }, { path: 'a.ts', raw: true }],
	['a list as JSON text', 'shell_run', { argv: '["ls","-l"]' }, { argv: ['ls', '-l'] }],
	['a fence', 'fs_read', '```json\n{"path":"a.ts"}\n```', { path: 'a.ts' }],
	['JSON in JSON', 'fs_read', JSON.stringify('{"path":"a.ts"}'), { path: 'a.ts' }],
	['a comma too many', 'fs_read', '{"path":"a.ts",}', { path: 'a.ts' }],
	['a brace too many', 'fs_read', '{"path":"a.ts"}}', { path: 'a.ts' }],
	['an empty object before it', 'fs_read', '{}{"path":"a.ts"}', { path: 'a.ts' }],
	['the same object twice', 'fs_read', '{"path":"a.ts"}{"path":"a.ts"}', { path: 'a.ts' }],
	['two other objects', 'fs_read', '{"path":"a.ts"}{"path":"b.ts"}', undefined],
	['single quotes', 'fs_read', "{'path': 'a.ts'}", { path: 'a.ts' }],
	['Python literals', 'fs_read', '{"path": "a.ts", "raw": True, "limit": None}', { path: 'a.ts', raw: true }],
	['raw line ends and tabs', 'fs_write', '{"path":"a","content":"b\n\tc"}', { path: 'a', content: 'b\n\tc' }],
	['lines counted from 0', 'fs_read', { path: 'a.ts', offset: 0 }, { path: 'a.ts' }],
	['words about the call', 'fs_read', { path: 'a.ts', explanation: 'to look' }, { path: 'a.ts' }],
	['an @ before the path', 'fs_read', { path: '@a.ts' }, { path: '@a.ts' }],
	['a file address', 'fs_read', { path: 'file:///w/a.ts' }, { path: '/w/a.ts' }],
	['the input in another parameter', 'fs_read', { input: { path: 'a.ts' } }, { path: 'a.ts' }],
	['a list with one object', 'fs_read', [{ path: 'a.ts' }], { path: 'a.ts' }],
	['a list for its only text', 'fs_read', { path: ['a.ts'] }, { path: 'a.ts' }],
];

describe('A call with bent arguments', () => {
	it('is read as it is meant in 22 of the 23 forms, and the other is refused with its place', () => {
		const wrong = bentForms.flatMap(([form, tool, input, meant]) => {
			const call = read(tool, input);
			const params = call.kind === 'op' ? (call.params as Record<string, unknown>) : undefined;
			const isRight =
				meant === undefined
					? call.kind === 'bad' && call.code === 'INVALID_PARAMS' && call.message.length > 0
					: Object.entries(meant).every(([name, value]) => JSON.stringify(params?.[name]) === JSON.stringify(value));
			return isRight ? [] : [`${form}: ${call.kind === 'bad' ? call.message : JSON.stringify(params)}`];
		});
		assert.deepEqual([bentForms.length, wrong], [23, []]);
	});
});

describe('A command as a line', function () {
	if (process.platform === 'win32') {
		// Windows has no sh: the line is refused, with the form to give it in instead.
		return;
	}
	for (const [line, expected] of [
		['npm test', { argv: ['npm', 'test'] }],
		['ls -la src', { argv: ['ls', '-la', 'src'] }],
		['git commit -m "Mend the cart"', { argv: ['git', 'commit', '-m', 'Mend the cart'] }],
		['npm test 2>&1', { argv: ['npm', 'test'] }],
		['npm test | tail -5', { argv: ['npm', 'test'], chain: [{ join: '|', argv: ['tail', '-5'] }] }],
		['cat a.txt | grep x', { argv: ['cat', 'a.txt'], chain: [{ join: '|', argv: ['grep', 'x'] }] }],
		['cd packages/a && npm test', { argv: ['npm', 'test'], cwd: 'packages/a' }],
		['cd a; npm test', { argv: ['npm', 'test'], cwd: 'a' }],
		['make *.tmp', { argv: ['sh', '-c', 'make *.tmp'] }],
		['echo $HOME', { argv: ['sh', '-c', 'echo $HOME'] }],
		['echo hi > /tmp/a.txt', { argv: ['echo', 'hi'] }],
		['FOO=1 npm test', { argv: ['env', 'FOO=1', 'npm', 'test'] }],
		['export A=1 && env', { argv: ['sh', '-c', 'export A=1 && env'] }],
		['for f in *; do echo $f; done', { argv: ['sh', '-c', 'for f in *; do echo $f; done'] }],
		["cat <<'EOF'\nx\nEOF", { argv: ['sh', '-c', "cat <<'EOF'\nx\nEOF"] }],
		['test -f a || echo no', { argv: ['test', '-f', 'a'], chain: [{ join: '||', argv: ['echo', 'no'] }] }],
	] as const) {
		it(`${JSON.stringify(line)} runs ${expected.argv[0] === 'sh' ? 'by sh' : 'without a shell'}`, () => {
			for (const input of [{ command: line }, { argv: line }, { cmd: line }]) {
				const { params } = paramsOf('shell_run', input);
				const { argv, chain, cwd } = params as { argv: string[]; chain?: unknown; cwd: string };
				const { chain: wanted, cwd: at = '.' } = { chain: undefined, cwd: undefined, ...expected };
				assert.deepEqual({ argv, chain, cwd }, { argv: expected.argv, chain: wanted, cwd: at });
			}
		});
	}

	it('may be the only word of the list', () => {
		const { params } = paramsOf('shell_run', { argv: ['npm test'] });
		assert.deepEqual((params as { argv: string[] }).argv, ['npm', 'test']);
	});

	it('of a list of words is left alone', () => {
		const { params, mended } = paramsOf('shell_run', { argv: ['grep', 'a b', 'c'] });
		assert.deepEqual([(params as { argv: string[] }).argv, mended], [['grep', 'a b', 'c'], '']);
	});

	it('may be a list as JSON text', () => {
		const { params } = paramsOf('shell_run', { command: '["npm","test"]' });
		assert.deepEqual((params as { argv: string[] }).argv, ['npm', 'test']);
	});
});
