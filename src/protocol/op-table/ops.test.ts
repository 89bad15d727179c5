import assert from 'node:assert/strict';
import * as z from '../text/zod.ts';
import { toolName } from './op-tool.ts';
import { canonicalOp, isOpName, OP_NAMES, type OpName, opOfCall, ops } from './ops.ts';
import type { OpDef } from '../ops/define-op.ts';
import { inEnglish } from '../text/text.ts';

const tools = OP_NAMES.filter((name) => (ops[name] as OpDef).tool !== undefined);

describe('The table of ops', () => {
	for (const name of [
		'',
		'fs',
		'fs.',
		'fs_read',
		'FS.READ',
		'fs.read ',
		'__proto__',
		'constructor',
		'toString',
		'hasOwnProperty',
	]) {
		it(`has no op ${JSON.stringify(name)}`, () => {
			assert.equal(isOpName(name), false);
		});
	}

	for (const tool of ['', 'fs.read', 'read', 'fs_read_file', '__proto__', 'constructor', 'FS_READ']) {
		it(`has no tool ${JSON.stringify(tool)}`, () => {
			assert.equal(opOfCall(tool, {}), undefined);
		});
	}

	it('gives no op an alias that is the name or an alias of another', () => {
		const aliases = OP_NAMES.flatMap((name) => (ops[name] as OpDef).aliases ?? []);
		assert.equal(new Set([...OP_NAMES, ...aliases]).size, OP_NAMES.length + aliases.length);
	});

	it('knows an op by its alias, and leaves any other name as it is', () => {
		const names = ['secrets.get', 'fs.read', 'no.such', '__proto__'];
		assert.deepEqual(names.map(canonicalOp), ['secrets.read', 'fs.read', 'no.such', '__proto__']);
	});

	it('finds each op by the name of its tool', () => {
		assert.deepEqual(
			tools.map((name) => opOfCall(toolName(name), {})),
			tools,
		);
		assert.equal(new Set(tools.map(toolName)).size, tools.length);
	});

	for (const name of tools) {
		it(`gives ${name} a name and a schema that every provider accepts`, () => {
			assert.match(toolName(name), /^[a-z][a-z0-9_]{0,63}$/);
			const schema = z.toJSONSchema((ops[name] as OpDef).params, { target: 'draft-7', io: 'input' });
			assert.equal(schema.type, 'object');
			assert.doesNotMatch(JSON.stringify(schema), /"\$ref"|"anyOf":\[\]/);
		});
	}

	for (const name of OP_NAMES) {
		it(`refuses params of ${name} that are not an object`, () => {
			for (const params of [undefined, null, 'x', 7, []]) {
				assert.equal((ops[name] as OpDef).params.safeParse(params).success, false);
			}
		});
	}

	for (const name of tools.filter((each) => (ops[each] as OpDef).sharedTool !== undefined)) {
		it(`finds ${name} by the parameter with which it shares a tool, unless that is empty`, () => {
			const { sharedTool: { of, by } = { of: '', by: '' } }: OpDef = ops[name];
			const leader = of as OpName;
			assert.ok(tools.includes(leader) && (ops[leader] as OpDef).sharedTool === undefined);
			assert.equal(opOfCall(toolName(leader), { [by]: 'x', path: 'a' }), name);
			for (const input of [{}, { [by]: '' }, { [by]: false }, { [by]: null }, undefined, null, 'x', []]) {
				assert.equal(opOfCall(toolName(leader), input), leader);
			}
		});
	}

	it('describes the tools to the model in few words', () => {
		assert.deepEqual(
			tools.filter((name) => ((ops[name] as OpDef).tool?.length ?? 0) > 140),
			[],
		);
	});

	it('rates no op that writes or executes as harmless, except capabilities and acts on pages, which ask by their targets, and ending', () => {
		const harmless = OP_NAMES.filter((name) => ['SAFE', 'MONITORED'].includes(ops[name].risk));
		const acting = harmless.filter((name) => ['write', 'execute'].includes(ops[name].effect));
		assert.deepEqual(acting, [
			'shell.stop',
			'capability.start',
			'capability.stop',
			'browser.act',
			'cookie.clear',
			'http.sessionOpen',
			'http.sessionClose',
			'services.call',
		] satisfies OpName[]);
	});
});

describe('The text of an op for people and models', () => {
	it('draws no table of executions where there is none', () => {
		assert.equal(ops['capability.status'].drawn?.({ executions: [] }), undefined);
	});

	it('shows a command with distinct arguments', () => {
		const title = ops['shell.run'].title(ops['shell.run'].params.parse({ argv: ['rm', '-rf', 'a b', ';', 'x"y'] }));
		assert.equal(inEnglish(title), 'Run rm -rf "a b" ";" "x\\"y"');
	});

	it('answers a command line with the form of an argument vector', () => {
		const { error } = ops['shell.run'].params.safeParse({ argv: 'ls -la | wc' });
		assert.equal(
			error?.issues[0]?.message,
			'expected a list of words; there is no shell: give {"argv":["ls","-la"],"chain":[{"join":"|","argv":["wc"]}]}',
		);
	});

	it('tells the model how to continue in a long file', () => {
		const page = { path: 'a', text: 'x', startLine: 1, endLine: 200, totalLines: 900, truncated: true, unsaved: false };
		assert.match(ops['fs.read'].present(page), /lines 1-200 of 900; read on with offset 201/);
	});

	it('numbers the lines of a file for the model, and says where they end and when there are none', () => {
		const none = { path: 'a', text: '', startLine: 1, endLine: 0, totalLines: 0, truncated: false, unsaved: false };
		assert.equal(ops['fs.read'].present(none), '[a is empty]');
		const end = { ...none, text: 'x\n\ny\n', startLine: 8, endLine: 10, totalLines: 10 };
		assert.equal(ops['fs.read'].present(end), '8\tx\n9\t\n10\ty\n[lines 8-10 of 10]');
		const whole = { ...none, text: '\n', endLine: 1, totalLines: 1, unsaved: true };
		assert.equal(ops['fs.read'].present(whole), '1\t\n[as the user sees it in the editor, not saved]');
	});

	it('tells the model the beginning of a line that is too long, and how much is missing', () => {
		const text = `short\n${'😀'.repeat(1_500)}\nshort`;
		const page = { path: 'a', text, startLine: 1, endLine: 3, totalLines: 3, truncated: false, unsaved: false };
		const [first, cut = '', last] = ops['fs.read'].present(page).split('\n');
		assert.deepEqual([first, last], ['1\tshort', '3\tshort']);
		assert.match(cut, /^2\t(?:😀)+… \[1002 more characters of this line; search finds what is in them\]$/u);
	});

	it('shows a file of lines as long as they may be whole', () => {
		const lines = Array.from({ length: 500 }, () => 'x'.repeat(2_000));
		const text = `${lines.join('\n')}\n`;
		const page = { path: 'a', text, startLine: 1, endLine: 500, totalLines: 500, truncated: false, unsaved: false };
		const shown = lines.map((line, index) => `${index + 1}\t${line}`).join('\n');
		assert.equal(ops['fs.read'].present(page), shown);
	});

	for (const [state, text] of [
		[{ running: false, exitCode: 1, signal: null, timedOut: false }, '[exit code 1]'],
		[{ running: false, exitCode: null, signal: 'SIGKILL', timedOut: false }, '[ended by SIGKILL]'],
		[
			{ running: false, exitCode: null, signal: 'SIGKILL', timedOut: true },
			'[stopped: the time limit was reached; a longer one can be given as timeoutMs]',
		],
		[
			{
				running: false,
				exitCode: null,
				signal: 'SIGTERM',
				timedOut: true,
				overTime: { program: 'npm | tee', limitMs: 2_000 },
			},
			'[stopped: npm | tee reached the time limit of 2 s; a longer one can be given as timeoutMs]',
		],
		[
			{ running: true, exitCode: null, signal: null, timedOut: false },
			'[still running as cmd_1; read more with shell_output]',
		],
		[
			{ running: false, exitCode: 1, signal: null, timedOut: false, kept: ['It lacked a.', 'It lacked b.'] },
			'[exit code 1]\n[It lacked a.]\n[It lacked b.]',
		],
	] as const) {
		it(`says ${text} of a command without output`, () => {
			const result = ops['shell.run'].result.parse({ commandId: 'cmd_1', output: '', omitted: 0, ...state });
			assert.equal(ops['shell.run'].present(result), text);
		});
	}

	it('asks for a path or a query for symbols', () => {
		const { error } = ops['editor.symbols'].params.safeParse({});
		assert.equal(error?.issues[0]?.message, 'give a path or a query');
	});
});
