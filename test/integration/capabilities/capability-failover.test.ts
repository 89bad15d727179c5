/** The chain of models behind what capabilities ask: real executor processes, the server, endpoints on loopback. */
import assert from 'node:assert/strict';
import { CapabilityScene, skill } from '../../support/capability-scene.ts';
import { type ModelServer, type Script, type ScriptEntry, startModelServer } from '../../support/model-server.ts';

const noCredit: ScriptEntry = { error: 402, message: 'Insufficient credits' };
const wrong: ScriptEntry = { error: 400, message: 'bad tool' };
const read: ScriptEntry = { toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] };
const chat = `return await host.llm.chat({ messages: [{ role: 'user', content: 'hello' }] }).catch(failure);`;
const run = `return await host.agent.run({ prompt: 'Look' }).catch(failure);`;

interface Answer {
	readonly text?: string;
	readonly model?: string;
	readonly code?: string;
	readonly end?: string;
}

describe('The chain of models behind a capability', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	let second: ModelServer;
	afterEach(async () => {
		await scene.close();
		await second.close();
	});

	async function asks(code: string, first: Script, more: Script): Promise<Answer> {
		second = await startModelServer(more);
		const firstServer = await startModelServer(first);
		try {
			scene = await CapabilityScene.open({
				files: { 'a.txt': 'the price is 7\n' },
				settings: {
					'prowess.providers': [
						{ id: 'p1', kind: 'openai-compatible', baseUrl: firstServer.baseUrl, models: ['m'] },
						{ id: 'p2', kind: 'openai-compatible', baseUrl: second.baseUrl, models: ['m'] },
					],
					'prowess.models.fallback': [{ provider: 'p2', model: 'm' }],
				},
			});
			scene.capability('skill', 'asks', skill(code, ['llm', 'workspace.read']));
			const { success, result, error } = await scene.run('asks');
			assert.ok(success, error?.message);
			return result as Answer;
		} finally {
			await firstServer.close();
		}
	}

	it('has the next one answer one question, and names it', async () => {
		const { text, model } = await asks(chat, [noCredit], [{ text: 'Second here.' }]);
		assert.deepEqual([text, model], ['Second here.', 'p2/m']);
	});

	it('goes no further where the request itself is at fault', async () => {
		const { code } = await asks(chat, [wrong], [{ text: 'never' }]);
		assert.deepEqual([code, second.requests.length], ['PROVIDER_ERROR', 0]);
	});

	it('has the next one finish a sub-turn at the request that failed, and the tool runs once', async () => {
		const { text, end, model } = await asks(run, [read, noCredit], [{ text: 'It is 7.' }]);
		assert.deepEqual([text, end, model], ['It is 7.', 'done', 'p2/m']);
		assert.match(second.requests[0]?.text ?? '', /"role":"tool".*the price is 7/);
		const rows = await scene.rows('fs.read');
		assert.equal(new Set(rows.map(({ opId }) => opId)).size, 1);
	});

	it('is told when nobody in it can answer', async () => {
		const { code } = await asks(run, [noCredit], [noCredit]);
		assert.equal(code, 'PROVIDER_BILLING');
	});
});
