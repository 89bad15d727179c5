/** Every tool under the same table of bent inputs, derived from its own schema: a new tool or parameter is in it by itself. */
import assert from 'node:assert/strict';
import { OP_NAMES, type OpName, ops, type ToolOp } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import * as z from '../../../protocol/text/zod.ts';
import { SubTurnDocuments } from '../../tools/documents.ts';
import type { OwnTool } from '../../tools/own-tool.ts';
import { RareTools } from '../../tools/rare-tools.ts';
import { ReadResult } from '../../tools/read-result.ts';
import { type JsonSchema, toolName } from '../../../protocol/op-table/op-tool.ts';
import type { OfferedTools } from '../../tools/tool-split.ts';
import { type ReadCall, readCall } from './read-call.ts';

type Members = Readonly<Record<string, unknown>>;

/** Calls that together have every parameter, each with a value that it takes. A new tool needs its row. */
const GOOD: Readonly<Record<ToolOp, Members | readonly Members[]>> = {
	'fs.read': { path: 'a.ts', offset: 2, limit: 3, raw: true },
	'fs.list': { path: 'src' },
	'fs.find': { pattern: '*.ts', path: 'src', limit: 3, marks: true },
	'search.text': {
		query: 'a',
		literal: true,
		regex: false,
		caseSensitive: true,
		path: 'src',
		include: '*.ts',
		context: 2,
		namesOnly: true,
		limit: 3,
	},
	'fs.edit': { path: 'a.ts', edits: [{ find: 'a', replace: 'b', all: true }] },
	'fs.write': { path: 'a.ts', content: 'a' },
	'fs.move': { from: 'a.ts', to: 'b.ts' },
	'fs.delete': { path: 'a.ts', recursive: true },
	'shell.run': {
		argv: ['ls', '-l'],
		redirects: [{ stream: 'stdout', mode: 'write', path: 'a.txt' }],
		patterns: [1],
		chain: [{ join: '&&', argv: ['pwd', '-P'] }],
		cwd: 'src',
		timeoutMs: 1000,
		background: true,
		tty: true,
		needs: { network: ['a.org'], read: ['~/a'], write: ['~/b'], noSandbox: false },
	},
	'shell.output': { commandId: 'cmd_1', waitMs: 10 },
	'shell.stop': { commandId: 'cmd_1' },
	'editor.diagnostics': { path: 'a.ts' },
	'editor.symbols': { path: 'a.ts', query: 'b' },
	'editor.references': { path: 'a.ts', line: 2, symbol: 'b', what: 'definition' },
	'editor.comment': [
		{ path: 'a.ts', line: 3, text: 'b', severity: 'note' },
		{ comment: 'c1', text: 'b', resolved: true },
	],
	'editor.refactor': [
		{ path: 'a.ts', what: 'rename', line: 2, symbol: 'b', to: 'c' },
		{ path: 'a.ts', what: 'fix', line: 2, title: 'd' },
	],
	'git.status': {},
	'git.diff': [
		{ path: 'a.ts', staged: true },
		{ path: 'a.ts', staged: true, commit: 'abcdef0', isAlone: true },
	],
	'http.get': { url: 'https://a.org', raw: true, session: 's-1' },
	'browser.open': { url: 'https://a.org', hosts: ['b.org'] },
	'browser.look': { at: 'text', until: 'a', picture: true },
	'browser.act': [
		{ act: 'click', ref: 'e1', text: 'a', accept: true },
		{ act: 'type', ref: 'e1', secret: 'a' },
	],
	'user.ask': { question: 'Which?', options: ['a', 'b'] },
	'todo.write': { items: [{ text: 'a', status: 'pending' }] },
	'plan.write': { plan: '# A' },
	'goal.start': { plan: '# A' },
	'goal.verdict': { verdict: 'done', reason: '' },
	'script.run': { script: 'name: a' },
	'capability.list': {
		query: 'a',
		type: 'skill',
		offset: 2,
		tags: ['b'],
		author: 'c',
		withinMs: 10,
		best: { text: 'a', paths: ['a.ts'], count: 3 },
	},
	'capability.detail': { name: 'a', type: 'skill' },
	'capability.start': { name: 'a', type: 'skill', tool: 'c', params: { b: 1 }, timeoutMs: 1000, wait: false },
	'capability.status': { executionId: 'a' },
	'capability.stop': { executionId: 'a' },
	'fs.stat': { path: 'a.ts' },
	'http.request': {
		method: 'POST',
		url: 'https://a.org',
		headers: { accept: 'b' },
		body: 'c',
		auth: { secret: 'a', scheme: 'basic', user: 'b', name: 'c' },
		moreAuth: [{ secret: 'd' }],
		session: 's-1',
	},
	'sql.query': [
		{ path: 'a.db', sql: 'select 1', params: { a: null }, limit: 3 },
		{ database: 'a', sql: 'select 1' },
	],
	'sql.execute': [
		{ path: 'a.db', statements: [{ sql: 'select 1', params: { a: 'b' } }] },
		{ database: 'a', statements: [{ sql: 'select 1' }, { sql: 'select 2' }] },
	],
	'plist.parse': [{ path: 'a.plist' }, { data: { text: 'a' } }],
	'search.code': { query: 'where it is signed', path: 'src', limit: 3 },
	'web.search': { query: 'a', count: 3 },
	'mcp.tools': { server: 'a', query: 'b' },
	'mcp.call': { server: 'a', tool: 'b', arguments: { c: 1 } },
	'schedule.add': { when: 'every day at 9', text: 'a', kind: 'reminder', mode: 'agent', for: '3 days', most: 2 },
	'agent.spawn': {
		task: 'a',
		name: 'b',
		agent: 'c',
		mode: 'ask',
		level: 'auto',
		tools: ['fs_read'],
		model: 'd',
		budget: { tokens: 1, dollars: 2 },
		isolation: 'worktree',
		wait: true,
	},
	'agent.send': { id: 'thr_019aa7d0-0000-7000-8000-000000000000', message: 'a', wait: true },
	'agent.list': {},
	'agent.stop': { id: 'thr_019aa7d0-0000-7000-8000-000000000000' },
	'agent.apply': { id: 'thr_019aa7d0-0000-7000-8000-000000000000', paths: ['a'] },
	'mcp.resources': { server: 'a', query: 'b' },
	'mcp.read': { server: 'a', uri: 'b:c' },
	'memory.remember': { text: 'a', scope: 'user', kind: 'preference', expiresInDays: 1 },
	'memory.recall': { query: 'a', told: ['mem_a'] },
	'memory.forget': { id: 'mem_a' },
};

const offered: OfferedTools = { ops: new Set(OP_NAMES), declarations: [], refusal: () => 'is not offered' };

function read(tool: string, input: unknown, tools = offered): ReadCall {
	const inputText = typeof input === 'string' ? input : JSON.stringify(input);
	return readCall({ kind: 'toolCall', callId: 'call_1', tool, inputText }, tools);
}

function taken(op: OpName, tool: string, input: unknown): { readonly params: unknown; readonly mended: string } {
	const call = read(tool, input);
	assert.equal(call.kind, 'op', `${JSON.stringify(input)}: ${call.kind === 'bad' ? call.message : call.kind}`);
	const { op: meant, params, mended } = call as Extract<ReadCall, { kind: 'op' }>;
	assert.equal(meant, op);
	return { params, mended };
}

function refused(tool: string, input: unknown): string {
	const call = read(tool, input);
	assert.equal(call.kind, 'bad', `${JSON.stringify(input)} was taken`);
	const { code, message } = call as Extract<ReadCall, { kind: 'bad' }>;
	assert.equal(code, 'INVALID_PARAMS');
	return message;
}

interface Field {
	/** Names and indexes that lead to the field. */
	readonly path: readonly string[];
	readonly schema: JsonSchema;
	readonly isRequired: boolean;
	readonly value: unknown;
}

/** Each parameter that is written, those inside of lists and objects too. */
function fieldsOf(schema: JsonSchema, value: unknown, path: readonly string[] = []): Field[] {
	if (Array.isArray(value)) {
		return value.flatMap((each, index) => fieldsOf(schema.items ?? {}, each, [...path, String(index)]));
	}
	return Object.entries(schema.properties ?? {}).flatMap(([name, own]) => {
		const inner = (value as Members)[name];
		if (inner === undefined) {
			return [];
		}
		const field = { path: [...path, name], schema: own, isRequired: schema.required?.includes(name) === true };
		const isNested = own.type === 'array' || own.type === 'object';
		return [{ ...field, value: inner }, ...(isNested ? fieldsOf(own, inner, field.path) : [])];
	});
}

/** The input with another value at the path; undefined: without it. */
function bent(input: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
	if (name === undefined) {
		return value;
	}
	const change = (old: unknown) => bent(old, rest, value);
	return Array.isArray(input)
		? input.map((each: unknown, index) => (String(index) === name ? change(each) : each))
		: { ...(input as Members), [name]: change((input as Members)[name]) };
}

/** In another form that means the same. */
function sameAs({ schema: { type, enum: words, anyOf }, value }: Field): readonly unknown[] {
	switch (type) {
		case 'integer':
			return [String(value), ` ${String(value)} `];
		case 'boolean':
			return [String(value), String(value).toUpperCase()];
		case 'array':
			return [JSON.stringify(value), ...((value as unknown[]).length === 1 ? (value as unknown[]) : [])];
		case 'object':
			return [JSON.stringify(value)];
		default:
			return anyOf !== undefined
				? [JSON.stringify(value)]
				: words?.some((word) => word !== value) === true
					? [` ${String(value).toUpperCase()} `]
					: [];
	}
}

/** Returns a value that no reading makes fit the schema. */
function wrongFor({ type, enum: words, anyOf, items }: JsonSchema): unknown {
	const isOfObjects = type === 'object' || items?.type === 'object' || anyOf !== undefined;
	return words !== undefined ? 'zeppelin' : isOfObjects ? 7 : { zeppelin: 1 };
}

function timesIn(message: string, place: string): number {
	return message.split(/(?:wrong|; )?[:;] /).filter((part) => part === place || part.startsWith(`${place}.`)).length;
}

for (const op of Object.keys(GOOD) as ToolOp[]) {
	const { params, sharedTool }: OpDef = ops[op];
	const schema = z.toJSONSchema(params, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
	const rows = [GOOD[op]].flat();
	const tool = toolName(op);

	it(`${tool} is in the table with every parameter`, () => {
		const given = new Set(rows.flatMap((row) => Object.keys(row)));
		assert.deepEqual([...given].toSorted(), Object.keys(schema.properties ?? {}).toSorted());
	});

	for (const good of rows)
		describe(`${tool}, called in a bent way (with ${Object.keys(good).join(', ') || 'nothing'})`, () => {
			const fields = fieldsOf(schema, good);
			const required = fields.filter(({ path, isRequired }) => isRequired && path.length === 1);

			it('is taken as it is where it is not', () => {
				assert.deepEqual(taken(op, tool, good), { params: params.parse(good), mended: '' });
			});

			it('names every problem with its path, once', () => {
				for (const { path, schema: own } of fields) {
					const message = refused(tool, bent(good, path, wrongFor(own)));
					assert.equal(timesIn(message, path.join('.')), 1, message);
				}
				const top = fields.filter(({ path }) => path.length === 1);
				if (top.length > 0) {
					const all = Object.fromEntries(top.map(({ path: [name = ''], schema: own }) => [name, wrongFor(own)]));
					const message = refused(tool, all);
					assert.deepEqual(
						top.filter(({ path: [name = ''] }) => timesIn(message, name) !== 1),
						[],
						message,
					);
				}
			});

			it('names what is required and missing, null or left out, all of it', () => {
				for (const { path, isRequired } of fields) {
					if (isRequired) {
						for (const value of [undefined, null]) {
							const message = refused(tool, bent(good, path, value));
							assert.equal(timesIn(message, path.join('.')), 1, message);
						}
					}
				}
				if (required.length > 0 && sharedTool === undefined) {
					for (const input of ['', '{}', 'null']) {
						const message = refused(tool, input);
						assert.deepEqual(
							required.filter(({ path: [name = ''] }) => timesIn(message, name) !== 1),
							[],
							message,
						);
					}
				}
			});

			it('names a parameter that nobody knows, and takes it where it is empty', () => {
				const message = refused(tool, { ...good, zeppelin: 'red' });
				assert.match(message, /there is no "zeppelin"/);
				if (!fields.some(({ path: [name] }) => name === 'explanation')) {
					assert.deepEqual(taken(op, tool, { ...good, explanation: 'to look' }).params, params.parse(good));
				}
				for (const value of [null, '', false]) {
					assert.deepEqual(taken(op, tool, { ...good, zeppelin: value }).params, params.parse(good));
				}
			});

			it('is refused for what is no object', () => {
				for (const input of ['{"path":"a', '```json\n{"a"\n```', '"a']) {
					assert.match(refused(tool, input), /not a complete JSON object; send the whole call again/);
				}
				for (const input of ['[]', '7', 'true', '"a"', 'fs', 'path=a', '[{"a":1},{"b":1}]', '\0', ' Here: {"a":1}']) {
					// A line, where a command is due, is none of these.
					assert.match(refused(tool, input), /no JSON object: at character [12] an object is expected, near "/);
				}
				assert.match(refused(tool, '{{}'), /no JSON object: at character 2 a name is expected, near "\{\{\}"/);
			});

			it('means what it says with null and nothing for what need not be given', () => {
				for (const { path, isRequired, schema: own } of fields) {
					const parsed = params.safeParse(JSON.parse(JSON.stringify(bent(good, path, undefined))));
					if (parsed.success) {
						assert.equal(isRequired, false);
						const without = parsed.data;
						assert.deepEqual(taken(op, tool, bent(good, path, null)).params, without, path.join('.'));
						const isText = own.type === 'string' && own.minLength === undefined && own.pattern === undefined;
						if (!isText || own.enum !== undefined) {
							const { params: read, mended } = taken(op, tool, bent(good, path, ''));
							assert.deepEqual([read, mended], [without, `"${path.join('.')}" as not given`]);
						}
					}
				}
			});

			it('means what it says in another form, and says so', () => {
				for (const field of fields) {
					for (const value of sameAs(field)) {
						const input = bent(good, field.path, value);
						const { params: read, mended } = taken(op, tool, input);
						assert.deepEqual(read, params.parse(good), JSON.stringify(input));
						assert.notEqual(mended, '', JSON.stringify(input));
					}
				}
			});

			it('means what it says with a fence, commas too many, and as a JSON text, and says so', () => {
				const json = JSON.stringify(good);
				const isEmpty = json === '{}';
				for (const [text, note] of [
					[`\`\`\`json\n${json}\n\`\`\``, 'the input without its fence'],
					[isEmpty ? json : `${json.slice(0, -1)}, }`, isEmpty ? '' : 'the input without a comma too many'],
					[JSON.stringify(json), 'the JSON text in the input'],
				] as const) {
					assert.deepEqual(taken(op, tool, text), { params: params.parse(good), mended: note });
				}
			});

			it('is known by the other ways to write its name, and says so', () => {
				for (const name of [
					op,
					`functions.${tool}`,
					`tools/${tool}`,
					tool.toUpperCase(),
					` ${tool} `,
					`functions.${op}`,
				]) {
					const { params: read, mended } = taken(op, name, good);
					assert.deepEqual(read, params.parse(good));
					assert.ok(mended.startsWith('the tool "'), `${name}: ${mended}`);
				}
			});

			it('is known by its parameters in another case, and says so', () => {
				for (const { path, value } of fields.filter(({ path: { length } }) => length === 1)) {
					const [name = ''] = path;
					const other = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
					const { params: read, mended } = taken(op, tool, {
						...(bent(good, path, undefined) as object),
						[other]: value,
					});
					assert.deepEqual(read, params.parse(good));
					assert.ok(mended.includes(`"${other}" as "${name}"`), mended);
				}
			});
		});
}

describe('A command of more parts than run without a shell', function () {
	if (process.platform === 'win32') return;
	const many = Array.from({ length: 20 }, (_, n) => `echo ${n}`);
	const chained = (words: readonly (readonly string[])[]) => words.map((argv) => ({ join: '&&', argv }));

	it('is one for a shell, given as a line or as a list', () => {
		const line = many.join('; ');
		for (const input of [{ argv: line }, { argv: [line] }]) {
			const { params, mended } = taken('shell.run', 'shell_run', input);
			assert.deepEqual((params as { argv: unknown }).argv, ['sh', '-c', line]);
			assert.match(mended, /the line as a command of sh/);
		}
		const [first = [], ...rest] = many.map((each) => [...each.split(' '), "it's $HOME"]);
		const { params } = taken('shell.run', 'shell_run', { argv: first, chain: chained(rest) });
		const { argv, chain } = params as { argv: readonly string[]; chain?: unknown };
		assert.deepEqual([argv.slice(0, 2), chain], [['sh', '-c'], undefined]);
		assert.match(argv[2] ?? '', /^echo 0 .*&& echo 19 /);
	});

	it('is refused where a part of it cannot be read, and loses none', () => {
		assert.match(refused('shell_run', { argv: ['ls', '*.a'], chain: [{ join: 'then', argv: ['pwd'] }] }), /join/);
	});
});

describe('A flag that picks another op of the same tool', () => {
	for (const value of [false, 'false', 'False', 'no', '', null, 0]) {
		it(`picks none when it is ${JSON.stringify(value)}`, () => {
			taken('shell.output', 'shell_output', { commandId: 'cmd_1', stop: value });
		});
	}

	it('picks it when it is true, also as a text', () => {
		for (const value of [true, 'true', 'True']) {
			taken('shell.stop', 'shell_output', { commandId: 'cmd_1', stop: value });
		}
	});
});

describe('A tool of the loop itself, called in a bent way', () => {
	const results = new ReadResult({ result: (id) => (id === '0000000a' ? 'the text' : undefined) }, (text) =>
		Promise.resolve(text),
	);
	const rare = new RareTools(['sql.query']);
	const documents = new SubTurnDocuments([{ name: 'rules.md', text: 'No semicolons.' }]);
	const own: readonly OwnTool[] = [results, rare, documents];
	const tools: OfferedTools = { ...offered, own };
	const { signal } = new AbortController();
	const run = async (tool: string, input: unknown) => {
		const call = read(tool, input, tools);
		assert.equal(call.kind, 'own');
		const { title, mended, run: start } = call as Extract<ReadCall, { kind: 'own' }>;
		assert.notEqual(title, '');
		return { ...(await start(signal)), mended };
	};

	for (const { declaration } of own) {
		it(`${declaration.name} says what is wrong, whatever it is given`, async () => {
			const [name = ''] = Object.keys(declaration.inputSchema['properties'] as object);
			const inputs = ['', '{}', 'null', '[]', '7', '{"a', { [name]: { a: 1 } }, { [name]: null }, { [name]: [] }];
			for (const input of inputs) {
				const { isError, text } = await run(declaration.name, input);
				assert.ok(isError, JSON.stringify(input));
				assert.match(text, /^(?:INVALID_PARAMS|NOT_FOUND): /);
			}
		});
	}

	for (const [tool, input, mended] of [
		['result_read', { ID: '0000000a', offset: '4' }, '"ID" as "id", "offset" as a number'],
		['functions.tool_search', { q: 'sql_query' }, 'the tool "functions.tool_search" as "tool_search", "q" as "query"'],
		['read_document', '```json\n{"name":"rules.md",}\n```', /fence.*comma/],
	] as const) {
		it(`${tool} is taken as it was meant, and says so`, async () => {
			const { isError, text, mended: note } = await run(tool, input);
			assert.equal(isError, false, text);
			if (typeof mended === 'string') {
				assert.equal(note, mended);
			} else {
				assert.match(note, mended);
			}
		});
	}
});
