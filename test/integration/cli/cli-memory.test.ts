/** `prowess memory …` and a thread that remembers: the real CLI, and a model server on this machine. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess memory', function () {
	this.timeout(commandLimitMs);

	it('lets the user review what an agent noted, and tells a later thread what was accepted', async () => {
		const user = new User();
		mkdirSync(user.home);
		const server = await startModelServer([
			{ toolCalls: [{ name: 'memory_remember', input: { text: 'Use pnpm to install packages' } }] },
			{ text: 'Noted.' },
			{ text: 'With pnpm.' },
			{ text: 'Elsewhere.' },
		]);
		try {
			await user.prompts(server.baseUrl, 'We use pnpm here, remember that.', ['--json']).ended;
			assert.match(server.requests[1]?.text ?? '', /waits for the user's review/);
			const listed = await user.runs(['memory', 'list', '--inbox']);
			const [, id = ''] =
				/^Inbox, not recalled before you accept it \(1\):\n {2}(mem_\w+) {2}Use pnpm to install packages\n {4}.*by the agent.*thread thr_/.exec(
					listed.stdout,
				) ?? assert.fail(listed.stdout + listed.stderr);
			assert.match((await user.runs(['memory', 'accept', id])).stderr, /^Accepted: Use pnpm to install packages\n$/);
			assert.equal((await user.runs(['memory', 'list', '--inbox'])).stderr, 'Nothing waits for your review.\n');
			await user.prompts(server.baseUrl, 'Install the lodash package', ['--json']).ended;
			assert.match(server.requests[2]?.text ?? '', /<memories [^\n]*Use pnpm to install packages/);

			const other = join(user.root, 'other');
			mkdirSync(other);
			assert.match((await user.runs(['memory', 'list', '--workspace', other])).stderr, /Nothing is remembered here/);
			const refused = await user.runs(['memory', 'add', `token ghp_${'a1B2c3D4'.repeat(4)}abcd`, '--user']);
			assert.equal(refused.code, 1);
			assert.match(refused.stderr, /looks like a key, so it was not remembered/);
			assert.equal((await user.runs(['memory', 'add', 'Answer in German', '--user', '--preference'])).code, 0);
			assert.match((await user.runs(['memory', 'search', 'which package manager'])).stdout, /Use pnpm/);
			assert.equal((await user.runs(['memory', 'forget', id])).code, 0);
			await user.prompts(server.baseUrl, 'Install the lodash package', ['--json']).ended;
			assert.match(server.requests[3]?.text ?? '', /preference of the user.*Answer in German/);
			assert.doesNotMatch(server.requests[3]?.text ?? '', /Use pnpm/);
		} finally {
			await server.close();
		}
	});

	it('compares by the embedding model that the user names, anew for another one, and says when it does not answer', async () => {
		const user = new User();
		mkdirSync(user.home);
		const place = (text: string) => (/salad|lunch/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]);
		let status: number | undefined;
		const server = await startModelServer([], {
			embeds: (texts, model) => status ?? texts.map((text) => [...place(text), ...(model === 'large' ? [0] : [])]),
		});
		const uses = (model: string) => {
			const provider = { id: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl, models: ['m'] };
			const settings = { 'prowess.providers': [provider], 'prowess.memory.embeddings': model };
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		};
		const search = () => user.runs(['memory', 'search', 'what is for lunch']);
		const sent = () => server.embedded.map(({ body }) => [body['model'], body['input']]);
		try {
			for (const text of ['Ada likes green salad', 'The tests need Node 24']) {
				await user.runs(['memory', 'add', text]);
			}
			assert.match((await search()).stderr, /No memory fits/);
			assert.equal(server.embedded.length, 0);

			uses('local/small');
			const found = await search();
			assert.match(found.stdout, /Ada likes green salad/, found.stderr);
			assert.doesNotMatch(found.stdout, /Node 24/);
			const all = ['what is for lunch', 'The tests need Node 24', 'Ada likes green salad'];
			assert.deepEqual(sent(), [['small', all]]);

			uses('local/large');
			assert.match((await search()).stdout, /Ada likes green salad/);
			assert.deepEqual(sent()[1], ['large', all]);

			status = 500;
			const local = await search();
			assert.match(
				local.stderr,
				/embedding model did not answer, so memories were compared on this machine\. local\/large/,
			);
			assert.match(local.stderr, /No memory fits/);
			const recorded = await user.runs(['ledger', 'list', '--op', 'model.embed', '--json']);
			assert.match(recorded.stdout, /Send 3 texts \(\d+ characters\) to local\/small for embeddings/);
		} finally {
			await server.close();
		}
	});

	it('compares by an embedding model of Google, asked in its form, and says what Google refuses', async () => {
		const user = new User();
		mkdirSync(user.home);
		const server = await startModelServer([], {
			embeds: (texts) => texts.map((text) => (/salad|lunch/i.test(text) ? [1, 0.1] : [0.1, 1])),
		});
		const baseUrl = server.baseUrl.replace('/v1', '/v1beta');
		const provider = { id: 'google', kind: 'google', baseUrl, models: ['gemini-2.5-flash'] };
		const settings = { 'prowess.providers': [provider], 'prowess.memory.embeddings': 'google/gemini-embedding-001' };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const search = (env: Readonly<Record<string, string>>) =>
			user.runsApart(['memory', 'search', 'what is for lunch'], { env });
		try {
			for (const text of ['Ada likes green salad', 'The tests need Node 24']) {
				await user.runs(['memory', 'add', text]);
			}
			const refused = await search({});
			assert.match(
				refused.stderr,
				/did not answer, so memories were compared on this machine\. google\/gemini-embedding/,
			);
			const asked = server.embedded.length;
			const found = await search({ GOOGLE_API_KEY: 'AIza-of-this-spec-0000000000000000000000' });
			assert.match(found.stdout, /Ada likes green salad/, found.stderr);
			assert.doesNotMatch(found.stdout, /Node 24/);
			const [request] = server.embedded.slice(asked);
			assert.equal(request?.path, '/v1beta/models/gemini-embedding-001:batchEmbedContents');
			assert.deepEqual(
				request?.body['requests'],
				['what is for lunch', 'The tests need Node 24', 'Ada likes green salad'].map((text) => ({
					model: 'models/gemini-embedding-001',
					content: { parts: [{ text }] },
				})),
			);
		} finally {
			await server.close();
		}
	});
});
