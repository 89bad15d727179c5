/** A model predicts what a command will do, where the user wants that: through the CLI, its server and a model on loopback. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const PREDICTED = 'It prints one line and changes nothing.';

describe('The simulation of a command', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
		user.writes('a.txt', 'one\n');
	});
	afterEach(() => server.close());

	const calls = (...names: readonly string[]): ScriptEntry => ({
		toolCalls: names.map((name) => ({ name: 'shell_run', input: { argv: ['sh', '-c', `cat ${name}; rm -rf gone`] } })),
	});
	const isSimulation = (body: Readonly<Record<string, unknown>>) =>
		JSON.stringify(body['messages']).includes('About to execute');

	/** Runs the turn; `predict` answers each simulation, `turn` the other requests in order. */
	async function run(
		isOn: boolean,
		turn: readonly ScriptEntry[],
		predict: () => ScriptEntry,
		prompt = 'Look at it.',
		more: object = {},
	) {
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.approvals.simulate': isOn, ...more }));
		let next = 0;
		server = await startModelServer((_, { body }) =>
			isSimulation(body) ? predict() : (turn[next++] ?? { error: 400, message: 'the script has ended' }),
		);
		const { stderr, code } = await user.prompts(server.baseUrl, prompt, ['--approve', 'full']).ended;
		assert.equal(code, 0, stderr);
		const simulations = server.requests.filter(({ body }) => isSimulation(body));
		const messages = server.requests.findLast(({ body }) => !isSimulation(body))?.body['messages'];
		const results = (messages as { role: string; content: unknown }[])
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		const { stdout } = await user.runs(['ledger', 'export', '--format', 'jsonl']);
		return { simulations, results, ledger: stdout };
	}

	it('is not made for commands that only read, or that run without a question and can be undone', async () => {
		const argvs = [['cat', 'a.txt'], ['ls'], ['git', 'status'], ['sh', '-c', 'echo one > b.txt']];
		const plain = argvs.map((argv) => ({ toolCalls: [{ name: 'shell_run', input: { argv } }] }));
		const { simulations, results } = await run(true, [...plain, { text: 'Read.' }], () => ({ text: PREDICTED }));
		assert.equal(simulations.length, 0);
		assert.equal(results.length, argvs.length);
	});

	it('is tried once, and the command runs without it', async () => {
		const { simulations, results } = await run(true, [calls('a.txt'), { text: 'Read.' }], () => ({
			error: 500,
			message: 'ill',
		}));
		assert.equal(simulations.length, 1);
		assert.match(results[0] ?? '', /^one/);
	});

	it('is made by the model that the user names for it', async () => {
		const turn = [calls('a.txt'), { text: 'Read.' }];
		const aliases = { 'prowess.models.aliases': { simulation: 'openai-compatible/small' } };
		const { simulations } = await run(true, turn, () => ({ text: PREDICTED }), undefined, aliases);
		assert.deepEqual(
			simulations.map(({ body }) => body['model']),
			['small'],
		);
	});

	it('goes wrong without harm: the command runs, and the ledger says why nobody predicted it', async () => {
		const refuse = () => ({ error: 401, message: 'the key is wrong' });
		const { results, ledger } = await run(true, [calls('a.txt'), { text: 'Read.' }], refuse);
		assert.match(results[0] ?? '', /^one/);
		assert.doesNotMatch(results[0] ?? '', /SIMULATION/);
		assert.match(ledger, /simulation failed: /);
	});

	it('is not made unless the user wants it, and then the ledger says nothing about it', async () => {
		const { simulations, ledger } = await run(false, [calls('a.txt'), { text: 'Read.' }], () => ({ text: PREDICTED }));
		assert.equal(simulations.length, 0);
		assert.doesNotMatch(ledger, /simulat/i);
	});

	it('is one short request with the call and what the user asked for, and is read with the result', async () => {
		const prompt = `Look at it. ${'word '.repeat(200)}the end`;
		const turn = [calls('a.txt'), { text: 'Read.' }];
		const { simulations, results, ledger } = await run(true, turn, () => ({ text: PREDICTED }), prompt);
		const [asked] = simulations;
		assert.equal(simulations.length, 1);
		assert.equal(asked?.body['max_tokens'] ?? asked?.body['max_completion_tokens'], 300);
		const words = JSON.stringify(asked?.body['messages']);
		assert.match(words, /About to execute: shell\.run\(.*cat a\.txt/);
		assert.match(words, /Context: Look at it\./);
		assert.doesNotMatch(words, /the end/);
		assert.match(results[0] ?? '', /^one\n/);
		assert.ok(results[0]?.includes(`[ANTICIPATORY SIMULATION]: ${PREDICTED}`), results[0]);
		assert.ok(ledger.includes(`simulated: ${PREDICTED}`), ledger);
	});

	it('is made once for the same call in the same context, and anew for another', async () => {
		const turn = [calls('a.txt'), calls('a.txt'), calls('./a.txt'), { text: 'Read.' }];
		const { simulations, results } = await run(true, turn, () => ({ text: PREDICTED }));
		assert.equal(simulations.length, 2);
		assert.equal(results.filter((result) => result.includes(PREDICTED)).length, 3);
	});

	it('tells a secret neither to the model nor to anybody else', async () => {
		const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
		const turn = [calls('a.txt'), { text: 'Read.' }];
		const { simulations, results, ledger } = await run(true, turn, () => ({ text: `It sends ${key}.` }));
		assert.equal(simulations.length, 1);
		for (const text of [...results, ledger]) assert.ok(!text.includes(key), text);
	});
});
