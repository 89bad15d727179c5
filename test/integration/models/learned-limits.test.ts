/** A model that refuses what is too long teaches its limit: the real CLI, a new process for each turn, an endpoint over HTTP. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

/** Characters of a request that the endpoint takes. */
const TAKEN = 30_000;

describe('the limit that a refusal has taught', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	let refused: number;
	beforeEach(async () => {
		user = new User();
		refused = 0;
		user.writes('prices.txt', Array.from({ length: 6_000 }, (_, line) => `price ${line} is high\n`).join(''));
		let hasRead = false;
		server = await startModelServer((_n, { text }) => {
			if (text.length > TAKEN) {
				refused += 1;
				return { error: 400, message: 'the request exceeds the available context size, try increasing it' };
			}
			if (hasRead) {
				return { text: 'They are high.' };
			}
			hasRead = true;
			return { toolCalls: [{ name: 'fs_read', input: { path: 'prices.txt' } }] };
		});
	});
	afterEach(() => server.close());

	const says = async (words: readonly string[] = []) => {
		refused = 0;
		const result = await user.prompts(server.baseUrl, 'Look at the prices', ['--json', ...words]).ended;
		assert.equal(result.code, 0, result.stderr + result.stdout);
		return /"id":"(thr_[^"]+)"/.exec(result.stdout)?.[1] ?? '';
	};

	it('holds after a restart, is named by the doctor, and ends when the settings of the model change', async () => {
		const thread = await says();
		assert.ok(refused > 0);
		await says(['--thread', thread]);
		assert.equal(refused, 0);
		const { stdout } = await user.runs(['doctor']);
		assert.match(
			stdout,
			/scripted \(http:\S+\) gets about [\d,]+ tokens of messages, because it refused more on \d{4}-/,
		);
		const set = { 'prowess.models.settings': { 'openai-compatible/scripted': { maxOutput: 500 } } };
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(set));
		await says(['--thread', thread]);
		assert.ok(refused > 0);
	});
});
