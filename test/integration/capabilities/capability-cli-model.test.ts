/**
 * Tests capabilities that ship with us, by name on the command line: the real CLI, which starts a server when a model
 * is asked.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CapabilityExecutionResult, findFailedOp } from '../../../src/protocol/execution/execution.ts';
import { estimateTokens } from '../../../src/server/models/windows/token-estimate.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

describe('prowess capability run', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer | undefined;
	const run = (name: string, words: readonly string[]) =>
		user.runs(['capability', 'run', name, '--trust', '--approve', 'auto', '--json', ...words]);
	const resultOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as CapabilityExecutionResult;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await model?.close();
		model = undefined;
	});

	it('says that a talent needs a model when none is connected', async () => {
		const ended = await run('typescript-advisor', ['--params', '{"question":"Enum or union?"}']);
		assert.equal(ended.code, 1);
		const { error } = resultOf(ended);
		assert.match(error?.message ?? '', /^no model is connected[^\n]*\(NO_MODEL\)$/);
		assert.equal(findFailedOp(error)?.code, 'NO_MODEL');
		const words = ['capability', 'run', 'typescript-advisor', '--trust', '--params', '{"question":"Enum or union?"}'];
		assert.match(
			(await user.runs(words)).stderr,
			/\(NO_MODEL\)\. \(EXECUTION_FAILED\)\nName one with --provider.* answers no capability/,
		);
	});

	it('says that the tour is no model for it', async () => {
		const ended = await run('typescript-advisor', ['--params', '{"question":"Enum or union?"}', '--provider', 'tour']);
		assert.equal(ended.code, 1);
		assert.match(
			resultOf(ended).error?.message ?? '',
			/the tour follows a script.*--provider and --model.*\(NO_MODEL\)$/,
		);
	});

	it('lets the model that is named on the command line answer', async () => {
		model = await startModelServer([{ text: 'A union.' }]);
		const named = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		const ended = await run('typescript-advisor', ['--params', '{"question":"Enum or union?"}', ...named]);
		assert.equal(ended.code, 0, ended.stderr);
		assert.equal(resultOf(ended).result, 'A union.');
	});

	it('lets the capability that the settings name answer in a model’s place, unless the command line names a model', async () => {
		const folder = '.prowess/capabilities/skill';
		const writes = (name: string, more: string, code: string) => {
			const manifest = `name: ${name}\ntype: skill\nversion: 1.0.0\nlevel: MONITORED\n${more}\n`;
			user.writes(`${folder}/${name}/capability.yaml`, manifest);
			user.writes(`${folder}/${name}/index.js`, `export const execute = async (params, { host }) => ${code};\n`);
		};
		const chat = `(await host.llm.chat({ messages: [{ role: 'user', content: 'x' }] })).text`;
		writes('asks', 'permissions: [llm]', chat);
		writes('my-llm', 'provides: [llm]', `({ text: 'from the capability' })`);
		mkdirSync(user.home, { recursive: true });
		const chosen = { 'prowess.capabilities.model': 'capability:skill/my-llm' };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(chosen));
		const alone = await run('asks', []);
		assert.equal(resultOf(alone).result, 'from the capability', alone.stderr);
		const tour = await run('asks', ['--provider', 'tour']);
		assert.match(resultOf(tour).error?.message ?? '', /NO_MODEL/);
	});

	it('costs what its requests cost, in the turn that started it', async () => {
		const call = {
			name: 'capability_start',
			input: { name: 'talent/typescript-advisor', params: { question: 'Enum?' } },
		};
		const used = (input: number) => ({ usage: { input, output: 0 } });
		model = await startModelServer([
			{ toolCalls: [call], ...used(1_000) },
			{ text: 'A union.', ...used(10) },
			{ text: 'It says: a union.', ...used(1_100) },
		]);
		mkdirSync(user.home, { recursive: true });
		writeFileSync(
			join(user.home, 'settings.json'),
			JSON.stringify({
				'prowess.models.settings': { 'openai-compatible/scripted': { price: { input: 1_000_000, output: 0 } } },
			}),
		);
		const ended = await user.prompts(model.baseUrl, 'Enum or union?', ['--approve', 'auto', '--json']).ended;
		assert.equal(ended.code, 0, ended.stderr);
		const usages = eventsOf(ended).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
		assert.deepEqual(
			usages.map(({ cost, inputTokens, contextTokens }) => [cost, inputTokens, contextTokens]),
			[
				[1_000, 1_000, 1_000],
				[1_010, 1_010, 1_000],
				[2_110, 2_110, 1_100],
			],
		);
	});

	it('tells the agent of them with all they say of themselves, and runs the one it starts', async () => {
		user.writes('a.ts', '// TODO: more\n');
		user.writes('.prowess/capabilities/skill/zz-lint/capability.yaml', 'description: Finds\n  <mistakes>\n');
		user.writes('.prowess/capabilities/skill/zz-lint/index.js', 'export const execute = () => 1;\n');
		const call = { name: 'capability_start', input: { name: 'skill/todo-report' } };
		model = await startModelServer([{ toolCalls: [call] }, { text: 'One.' }]);
		const ended = await user.prompts(model.baseUrl, 'What is left?', ['--approve', 'auto']).ended;
		assert.equal(ended.code, 0, ended.stderr);
		const [first, second] = model.requests;
		assert.ok(first !== undefined && second !== undefined);
		const asked = String((first.body['messages'] as { content: unknown }[]).at(-1)?.content);
		assert.match(
			asked,
			/^What is left\?\n\n<environment>\n[^<]+<\/environment>\n\n<capabilities for="capability_start">\nskill\/zz-lint: Finds mistakes\npower\/code-review: /,
		);
		const [shipped] = asked.match(/skill\/todo-report: .*/) ?? [];
		assert.equal(shipped, 'skill/todo-report: Lists open TODO, FIXME and similar comments with file and line');
		assert.ok(Buffer.byteLength(first.text) <= 10_240 && estimateTokens(first.text) <= 2_400, first.text);
		assert.match(second.text, /TODO: more|\[skill todo-report completed\]/);
	});

	it('runs one that needs no model without a server', async () => {
		user.writes('a.ts', '// TODO: more\n');
		const ended = await run('todo-report', []);
		assert.equal(ended.code, 0, ended.stderr);
		assert.deepEqual((resultOf(ended).result as { total: number }).total, 1);
	});
});
