/** Sub-turns, whole: what the model was asked, what the host performed, what it heard, and what came of it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ParamsOf } from '../../src/protocol/rpc/message.ts';
import { readSettings } from '../../src/protocol/settings/read-settings.ts';
import type { subTurnRequests } from '../../src/protocol/turn/sub-turn.ts';
import { Breakers } from '../../src/server/models/failover/breakers.ts';
import { ModelLine } from '../../src/server/models/failover/model-line.ts';
import { MessageBudgets } from '../../src/server/history/budget.ts';
import { LearnedLimits } from '../../src/server/history/learned-limits.ts';
import { Calibrations } from '../../src/server/models/windows/calibrations.ts';
import { estimateTokens } from '../../src/server/models/windows/token-estimate.ts';
import { runSubTurn } from '../../src/server/sub-turn/run-sub-turn.ts';
import { MemoryHost, OpFailure } from './memory-host.ts';
import { call, scriptedModel, type ScriptedModel, text } from './scripted-model.ts';
import { line, stable } from './transcript.ts';

type Asked = ParamsOf<typeof subTurnRequests.run>;
const never = new AbortController().signal;

describe('A sub-turn', () => {
	function run(
		model: ScriptedModel,
		host: MemoryHost,
		asked: Partial<Asked>,
		heard: unknown[],
		signal: AbortSignal,
	): ReturnType<typeof runSubTurn> {
		const whole: Asked = {
			subTurnId: newId('sub'),
			threadId: null,
			model: null,
			timeMs: 0,
			documents: [],
			iterations: 10,
			tokens: 9_999,
			instructions: 'You review code.',
			prompt: 'Look at a.ts',
			tools: ['fs.read', 'fs.write'],
			...asked,
		};
		const deps = {
			settings: () => readSettings(() => undefined).settings,
			wait: () => Promise.resolve(),
			budgets: new MessageBudgets(new LearnedLimits(), new Calibrations()),
			closing: never,
			host: {
				perform: (each: Pick<Parameters<MemoryHost['perform']>[0], 'opId' | 'op' | 'params'>, ...rest: [never, AbortSignal]) =>
					host.perform({ ...each, threadId: newId('thr'), turnId: newId('trn') }, ...rest),
				askAhead: async () => {},
				outcome: (opId: Parameters<MemoryHost['outcome']>[0]) => host.outcome(opId),
				redacted: <T>(value: T) => host.redacted(value),
			},
		};
		return runSubTurn(whole, new ModelLine(model, [], new Breakers()), deps, (news) => void heard.push(news), signal);
	}

	async function play(
		name: string,
		model: ScriptedModel,
		host: MemoryHost,
		asked: Partial<Asked> = {},
		signal = never,
	): Promise<void> {
		const heard: unknown[] = [];
		const result = await run(model, host, asked, heard, signal).catch((error: unknown) => ({ rejected: String(error) }));
		const sections = {
			'The model was told': [model.requests[0]?.system ?? '', line(model.requests[0]?.tools.map((each) => each.name))],
			'The model was asked': model.requests.map(
				({ messages }, n) => `request ${n + 1}\n${messages.map((each) => `  ${line(each)}`).join('\n')}`,
			),
			'The host performed': host.performed.map(({ op, params }) => `${op} ${line(params)}`),
			'The host heard': heard.map(line),
			'The result': [line(result)],
		};
		const found = stable(
			Object.entries(sections)
				.map(([title, lines]) => `# ${title}\n${lines.join('\n')}\n`)
				.join('\n'),
		);
		const file = join(import.meta.dirname, `sub-turn-${name}.txt`);
		if (!existsSync(file)) writeFileSync(file, found);
		assert.equal(found, readFileSync(file, 'utf8'));
	}

	const files = { 'a.ts': 'let a;' };

	it('gives a denial to the model, which goes on without', async () => {
		const host = new MemoryHost(files, {
			'fs.write': () => Promise.reject(new OpFailure('denied', 'DENIED_BY_RULE', 'fs.write is not among the ops of this caller')),
		});
		const model = scriptedModel([[call('fs_write', { path: 'a.ts', content: '' })], text('I could not write.')]);
		await play('denied', model, host);
	});

	it('ends when its tokens are used, with every call answered', async () => {
		const model = scriptedModel([1, 2, 3, 4].map((n) => [call('fs_read', { path: 'a.ts' }, `call_${n}`)]));
		await play('tokens', model, new MemoryHost(files), { tokens: 240 });
	});

	it('rejects with the model’s own failure', async () => {
		const error = new ProwessError('PROVIDER_AUTH', 'provider "test" answered 401', { provider: 'test', retryable: false });
		await play('auth', scriptedModel([[{ kind: 'fail', error }]]), new MemoryHost(files));
	});

	it('reads, answers in the form it was given, and says what it did', async () => {
		const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
		const model = scriptedModel([
			[...text('Let me look. '), call('fs_read', { path: 'a.ts' }), call('read_document', { name: 'rules.md' })],
			text('It is fine.'),
			text('{"ok": true}'),
		]);
		await play('form', model, new MemoryHost(files), { schema, documents: [{ name: 'rules.md', text: 'No semicolons.' }] });
	});

	it('reads on in a result that was cut, and looks for rare tools, among those of its task alone', async () => {
		const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} of it`).join('\n');
		const mark = () => /result_read with id (\w+) and offset (\d+) /.exec(JSON.stringify(model.requests.at(-1)?.messages.at(-1)));
		const script = [[call('fs_read', { path: 'big' })], [], [call('tool_search', { query: 'database' })], text('Done.')];
		// Known once the first result was cut.
		Object.defineProperty(script, 1, { get: () => [call('result_read', { id: mark()?.[1], offset: Number(mark()?.[2]) })] });
		const model = scriptedModel(script, 8_192);
		const tools = ['fs.read', 'sql.query'];
		assert.equal((await run(model, new MemoryHost({ big: lines }), { tools }, [], never)).end, 'done');
		const [first, , second, third] = model.requests;
		assert.deepEqual(first?.tools.map(({ name }) => name), ['fs_read', 'result_read', 'tool_search']);
		const read = second?.messages.at(-1);
		assert.match(read?.role === 'tool' ? (read.results[0]?.text ?? '') : '', /^[^\n]*\n?\d+\tline \d+ of it\n/);
		assert.ok(read?.role === 'tool' && read.results[0]?.isError === false);
		assert.deepEqual(third?.tools.map(({ name }) => name), ['fs_read', 'result_read', 'tool_search', 'sql_query']);
	});

	it('leaves room for long instructions in the window of its model', async () => {
		const reads = Array.from({ length: 6 }, (_, n) => [call('fs_read', { path: 'big', offset: n + 1 }, `call_${n}`)]);
		const model = scriptedModel([...reads, text('Read.')], 16_384);
		const host = new MemoryHost({ big: 'a line of it\n'.repeat(3_000) });
		const instructions = 'Read each line with care. '.repeat(1_200);
		assert.equal((await run(model, host, { instructions }, [], never)).end, 'done');
		for (const request of model.requests) {
			assert.ok(estimateTokens(request.system + JSON.stringify(request.messages)) < 16_384);
		}
	});
});
