import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { toolName } from '../../../protocol/op-table/op-tool.ts';
import { CommandId } from '../../../protocol/rpc/ids.ts';
import { OP_NAMES, type OpName, opOfCall, ops } from '../../../protocol/op-table/ops.ts';
import type { ModelMessage, ModelPart, ModelPort, ModelRequest, ToolDeclaration } from '../model-port.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { createTour, tourEnd, tourNotice } from './tour.ts';

const sample = join(import.meta.dirname, '../../../../examples/sample');
const fixPrompt = 'Find the failing test and fix it';

type Perform = (input: Record<string, unknown>) => { readonly text: string; readonly isError: boolean };

/** The sample in a folder of its own, with as much of a host as the tour asks for; single ops can be replaced. */
class Stage {
	readonly folder = tempDir();
	readonly performed: string[] = [];
	readonly ops = new Map<OpName, Perform>();
	tools: readonly OpName[] = OP_NAMES;
	found: readonly string[] = [];

	constructor() {
		cpSync(sample, this.folder, { recursive: true });
		this.ops.set('fs.read', ({ path }) => this.#read(String(path)));
		this.ops.set('search.text', ({ query }) => done(this.#search(String(query))));
		this.ops.set('fs.edit', ({ path, edits }) =>
			this.#edit(String(path), edits as readonly { find: string; replace: string }[]),
		);
		this.ops.set('shell.run', () => this.#test());
		this.ops.set('todo.write', ({ items }) => done(`Noted ${(items as unknown[]).length} items.`));
	}

	/** Every answer of a turn, with the real results between them. */
	async turn(prompt: string): Promise<{ text: string; parts: ModelPart[]; messages: ModelMessage[] }> {
		const tour = createTour({ discover: () => Promise.resolve(this.found), paceMs: 0 });
		const messages: ModelMessage[] = [{ role: 'user', text: prompt }];
		const all: ModelPart[] = [];
		for (let answers = 0; answers < 15; answers += 1) {
			const request = { system: 'ignored', messages: [...messages], tools: this.tools.map(declared) };
			const parts = await partsOf(tour, request);
			assert.deepEqual(await partsOf(tour, request), parts, 'the same history gives the same answer');
			all.push(...parts);
			const calls = parts.flatMap((part) => (part.kind === 'toolCall' ? [part] : []));
			if (calls.length === 0) {
				return { text: textOf(parts), parts: all, messages };
			}
			messages.push(
				{ role: 'assistant', parts: [{ kind: 'text', text: textOf(parts) }, ...calls] },
				{
					role: 'tool',
					results: calls.map(({ callId, tool, inputText }) => ({ callId, tool, ...this.#perform(tool, inputText) })),
				},
			);
		}
		assert.fail('the tour does not come to an end');
	}

	#perform(tool: string, inputText: string): { text: string; isError: boolean } {
		const given: unknown = JSON.parse(inputText);
		const op = opOfCall(tool, given);
		assert.ok(op !== undefined && this.tools.includes(op), `${tool} was not offered`);
		const input = ops[op].params.parse(given) as Record<string, unknown>;
		this.performed.push(op);
		return this.ops.get(op)?.(input) ?? failed(`NOT_AVAILABLE_HERE: ${op}`);
	}

	#read(path: string) {
		try {
			return done(readFileSync(join(this.folder, path), 'utf8'));
		} catch {
			return failed(`NOT_FOUND: ${path}: no such file`);
		}
	}

	#search(query: string): string {
		const matches = ['README.md', 'src/cart.ts', 'src/money.ts'].flatMap((path) =>
			readFileSync(join(this.folder, path), 'utf8')
				.split('\n')
				.flatMap((text, index) => (text.includes(query) ? [{ path, line: index + 1, text }] : [])),
		);
		const searched = { query, as: 'pattern', caseSensitive: false, path: '.', namesOnly: false } as const;
		return ops['search.text'].present({ matches, truncated: false, engine: 'javascript', searched });
	}

	#edit(path: string, edits: readonly { find: string; replace: string }[]) {
		const file = join(this.folder, path);
		let text = readFileSync(file, 'utf8');
		for (const { find, replace } of edits) {
			if (text.split(find).length !== 2) {
				return failed(`EDIT_NO_MATCH: ${path}: the text to find is not there`);
			}
			text = text.replace(find, () => replace);
		}
		writeFileSync(file, text);
		return done(`Edited ${path} (+1 -1 lines).`);
	}

	#test() {
		const { stdout, stderr, status } = spawnSync(process.execPath, ['--test'], {
			cwd: this.folder,
			encoding: 'utf8',
			env: {},
		});
		return done(commandText(stdout + stderr, { exitCode: status }));
	}
}

function done(text: string) {
	return { text, isError: false };
}

function failed(text: string) {
	return { text, isError: true };
}

function commandText(output: string, state: { exitCode: number | null; running?: boolean }): string {
	return ops['shell.run'].present({
		commandId: CommandId.parse('cmd_1'),
		running: false,
		signal: null,
		timedOut: false,
		output,
		omitted: 0,
		...state,
	});
}

function declared(op: OpName): ToolDeclaration {
	return { name: toolName(op), description: '', inputSchema: {} };
}

async function partsOf(tour: ModelPort, request: ModelRequest): Promise<ModelPart[]> {
	const parts: ModelPart[] = [];
	for await (const part of tour.stream(request, new AbortController().signal)) {
		parts.push(part);
	}
	return parts;
}

function textOf(parts: readonly ModelPart[]): string {
	return parts.map((part) => (part.kind === 'textDelta' ? part.text : '')).join('');
}

function offersOf(parts: readonly ModelPart[]) {
	return parts.flatMap((part) => (part.kind === 'offer' ? [part] : []));
}

const denied = () =>
	failed('DENIED_BY_USER: the user said no to Run npm test. Ask what they want, or go on without it.');

describe('the tour', () => {
	let stage: Stage;

	beforeEach(() => {
		stage = new Stage();
	});

	it('says that it is a script and offers a model for a prompt it does not know', async () => {
		const { text, parts } = await stage.turn('Write me a poem about the sea');
		assert.match(text, /a script .* not a model\. I cannot answer this/);
		assert.deepEqual(offersOf(parts), [{ kind: 'offer', action: 'connectModel', text: tourNotice([]) }]);
		assert.deepEqual(stage.performed, []);
	});

	it('names what was found to connect', async () => {
		stage.found = ['Ollama (qwen3)'];
		const { parts } = await stage.turn('Explain monads');
		assert.match(offersOf(parts)[0]?.text ?? '', /Found here: Ollama \(qwen3\)/);
	});

	it('works in no other workspace', async () => {
		writeFileSync(join(stage.folder, 'package.json'), '{"name":"other"}');
		const { text, parts } = await stage.turn(fixPrompt);
		assert.match(text, /this is another project/);
		assert.equal(offersOf(parts).length, 1);
		assert.deepEqual(stage.performed, ['fs.read']);
	});

	it('works in no empty folder', async () => {
		stage.ops.set('fs.read', () => failed('NOT_FOUND: package.json: no such file'));
		const { text } = await stage.turn(fixPrompt);
		assert.match(text, /cannot read a `package\.json`/);
	});

	it('stops and explains when running the tests is denied', async () => {
		stage.ops.set('shell.run', denied);
		const { text } = await stage.turn(fixPrompt);
		assert.match(text, /were not run \(DENIED_BY_USER: the user said no to Run npm test\)\..*Nothing was changed/);
		assert.equal(stage.performed.filter((op) => op === 'shell.run').length, 1);
		assert.ok(!stage.performed.includes('fs.edit'));
	});

	it('says what is missing when npm cannot be started', async () => {
		stage.ops.set('shell.run', () => failed('COMMAND_NOT_FOUND: npm: not on the PATH'));
		assert.match((await stage.turn(fixPrompt)).text, /could not be started: COMMAND_NOT_FOUND.*Node 22\.18/);
	});

	it('does not take a run without tests for a success', async () => {
		stage.ops.set('shell.run', () => done(commandText('# tests 0\n# pass 0\n', { exitCode: 0 })));
		assert.match((await stage.turn(fixPrompt)).text, /ran no test/);
	});

	it('does not claim to know another failure', async () => {
		stage.ops.set('shell.run', () => done(commandText('  ✖ does something else (1.2ms)\n', { exitCode: 1 })));
		const { text, parts } = await stage.turn(fixPrompt);
		assert.match(text, /does not cover this failure: “does something else”/);
		assert.equal(offersOf(parts).length, 1);
	});

	it('waits once for tests that take long', async () => {
		const run = stage.ops.get('shell.run');
		stage.ops.set('shell.run', () => done(commandText('', { exitCode: null, running: true })));
		stage.ops.set('shell.output', (input) => run?.(input) ?? failed('gone'));
		stage.found = ['Ollama (qwen3)'];
		const { text, parts } = await stage.turn(fixPrompt);
		assert.match(text, /All 6 tests pass/);
		assert.deepEqual(offersOf(parts), [{ kind: 'offer', action: 'connectModel', text: tourEnd(stage.found) }]);
		assert.equal(stage.performed.filter((op) => op === 'shell.output').length, 2);
	});

	it('says that there is nothing to fix when the tests pass already', async () => {
		stage.ops.set('shell.run', () => done(commandText('ℹ tests 6\nℹ pass 6\n', { exitCode: 0 })));
		assert.match((await stage.turn(fixPrompt)).text, /All 6 tests pass already/);
		assert.ok(!stage.performed.includes('fs.edit'));
	});

	it('reads the file again when the edit does not fit, and then names the whole line', async () => {
		const edit = stage.ops.get('fs.edit');
		let tries = 0;
		stage.ops.set('fs.edit', (input) => {
			tries += 1;
			return tries === 1
				? failed('FILE_CHANGED: src/cart.ts: changed since it was read')
				: (edit?.(input) ?? failed('gone'));
		});
		const { text } = await stage.turn(fixPrompt);
		assert.match(text, /All 6 tests pass/);
		assert.equal(tries, 2);
	});

	it('does not try a second time when the edit is denied', async () => {
		stage.ops.set('fs.edit', denied);
		const { text } = await stage.turn(fixPrompt);
		assert.match(text, /You did not allow the change .*Nothing was written/);
		assert.equal(stage.performed.filter((op) => op === 'fs.edit').length, 1);
	});

	it('does not claim success when the tests still fail', async () => {
		stage.ops.set('fs.edit', () => done('Edited src/cart.ts (+1 -1 lines).'));
		assert.match((await stage.turn(fixPrompt)).text, /Still failing: “is 10 % cheaper from 10 pieces on”/);
	});

	it('says that ask mode only reads', async () => {
		stage.tools = OP_NAMES.filter((op) => ops[op].effect === 'read' || op === 'todo.write');
		assert.match((await stage.turn(fixPrompt)).text, /Switch to `agent` mode/);
		assert.deepEqual(stage.performed, ['fs.read']);
	});

	it('finds the failing test of the sample and mends it', async () => {
		const { text } = await stage.turn(fixPrompt);
		assert.match(text, /All 6 tests pass/);
		assert.match(readFileSync(join(stage.folder, 'src/cart.ts'), 'utf8'), /quantity >= quantityDiscount\.from/);
		assert.deepEqual(
			stage.performed.filter((op) => op !== 'todo.write'),
			['fs.read', 'shell.run', 'fs.read', 'search.text', 'fs.read', 'fs.edit', 'shell.run'],
		);
	});

	it('ignores what was added to the prompt with @', async () => {
		const { text } = await stage.turn('Hello\n\n<file path="a">\nfix the failing test\n</file>');
		assert.match(text, /I cannot answer this/);
	});

	it('lists the open TODOs of the code with their places', async () => {
		const { text } = await stage.turn('What TODOs are left?');
		assert.match(text, /^One TODO is left:\n\n- `src\/cart\.ts:\d+`: refuse a quantity/);
	});

	it('says that no TODO is left', async () => {
		stage.ops.set('search.text', () => done('No match.'));
		assert.match((await stage.turn('What TODOs are left?')).text, /No TODOs are left/);
	});

	it('ends at once when it is stopped while it writes', async () => {
		const stop = new AbortController();
		const reason = new Error('stopped');
		const tour = createTour({ discover: () => Promise.resolve([]), paceMs: 5_000 });
		await assert.rejects(async () => {
			for await (const part of tour.stream(
				{ system: '', messages: [{ role: 'user', text: 'Hi' }], tools: [] },
				stop.signal,
			)) {
				assert.equal(part.kind, 'textDelta');
				stop.abort(reason);
			}
		}, reason);
	});
});
