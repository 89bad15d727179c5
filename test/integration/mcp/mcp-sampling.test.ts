/**
 * Tests requests of MCP servers to models, in both revisions: real processes, a server of ours, a model endpoint on
 * loopback.
 */
import assert from 'node:assert/strict';
import type { McpSamplingBudget } from '../../../src/protocol/settings/groups/mcp.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { hostileServer, hostileSite, McpScene, type McpSceneOptions } from '../../support/mcp-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const answers = Array.from({ length: 12 }, (_, n) => ({ text: `answer ${n}`, usage: { input: 10, output: 5 } }));
const budget: McpSamplingBudget = { calls: 10, tokens: 50_000 };

for (const revision of ['older', 'newest'] as const) {
	describe(`An MCP server of the ${revision} revision that asks a model`, function () {
		this.timeout(60_000);
		let scene: McpScene | undefined;
		afterEach(async () => {
			await scene?.close();
			scene = undefined;
		});
		const open = async (how: string, allowed: typeof budget | undefined, options: McpSceneOptions = {}) => {
			const settings = { ...options.settings, ...(allowed && { 'prowess.mcp.sampling': { evil: allowed } }) };
			const entry = hostileServer(how, undefined, {}, revision);
			return (scene = await McpScene.open({ evil: entry }, { script: answers, ...options, settings }));
		};
		/**
		 * Returns the result of the call, or why it fails: the newer revision has no answer for a server that may not
		 * ask.
		 */
		const called = async (own: McpScene) => {
			const outcome = await own.outcome('mcp.call', { server: 'evil', tool: 'echo' });
			return outcome.status === 'done'
				? (outcome.result as { text: string }).text
				: `${outcome.error.code}: ${outcome.error.message}`;
		};
		const askedToSample = (own: McpScene) => own.asked.filter(({ op }) => op === 'mcp.sample');

		it('is refused where the settings do not name it, with the setting, and nothing is sent', async () => {
			const own = await open('samples', undefined);
			assert.match(await called(own), /may not ask a model: the setting prowess\.mcp\.sampling does not name it/);
			assert.equal(own.model?.requests.length, 0);
		});

		it('is answered after a yes to all that it asks, the model and the price, and the ledger has it', async () => {
			const prices = { 'test/scripted': { price: { input: 3, output: 15 } } };
			const own = await open('samples', budget, {
				answers: ({ op }) => ({ kind: op === 'mcp.sample' ? 'once' : 'always' }),
				settings: { 'prowess.models.settings': prices },
			});
			assert.equal(await called(own), 'answer 0');
			const [asked, ...more] = askedToSample(own);
			assert.ok(asked !== undefined && more.length === 0 && asked.detail.kind === 'text');
			assert.match(
				asked.detail.text,
				/^Server: evil\nModel: test\/scripted\nAbout \d+ tokens are sent, 100 at most come back: about under \$0\.01 at most\n\nsystem: Answer the server\.\n\nuser: question 0$/,
			);
			assert.match(inEnglish(asked.reason), /"evil" asks the model test\/scripted/);
			assert.equal(asked.act, 'asksModel');
			const [request] = own.model?.requests ?? [];
			const told = request?.body['messages'] as { role: string; content: string }[];
			assert.deepEqual(
				told.map(({ role, content }) => `${role}: ${content}`),
				['system: Answer the server.', 'user: question 0'],
			);
			assert.match(await own.ledger(), /"op":"mcp\.sample"[^]*test\/scripted: 10 tokens in, 5 out/);
		});

		it('is told of a no, and the user is not asked again while the call lasts', async () => {
			const own = await open('samples-twice', budget, {
				answers: ({ op }) => ({ kind: op === 'mcp.sample' ? 'deny' : 'always' }),
			});
			assert.match(await called(own), /DENIED_BY_USER|the user has said no/);
			assert.equal(askedToSample(own).length, 1);
			assert.equal(own.model?.requests.length, 0);
		});

		it('is stopped at its budget when it asks on and on, across calls', async () => {
			const own = await open('samples-forever', { calls: 3, tokens: 50_000 });
			assert.match(await called(own), /it has used 3 of its 3 requests to models \(prowess\.mcp\.sampling\)/);
			assert.equal(own.model?.requests.length, 3);
			await own.base.mcp.stop('evil');
			assert.match(await called(own), /it has used 3 of its 3 requests/);
			assert.equal(own.model.requests.length, 3);
		});

		it('is refused a giant prompt, and more than a few requests at once', async () => {
			const giant = await open('samples-giant', budget);
			assert.match(await called(giant), /its prompt has 1000018 characters, the limit is 50000/);
			assert.equal(giant.model?.requests.length, 0);
			await giant.close();
			const many = await open('samples-at-once', budget);
			assert.match(await called(many), /5 requests of it wait already/);
			assert.ok((many.model?.requests.length ?? 0) <= 5);
		});

		it('is answered over HTTP, too', async () => {
			const site = await hostileSite('samples', revision);
			try {
				const settings = { 'prowess.mcp.sampling': { evil: budget }, 'prowess.http.allowHosts': [site.host] };
				const own = (scene = await McpScene.open({ evil: site.entry }, { script: answers, settings }));
				assert.equal(await called(own), 'answer 0');
				assert.equal(askedToSample(own).length, 1);
			} finally {
				await scene?.close();
				await site.close();
			}
		});

		// The following cases do not depend on how the request came, so run them for one revision.
		if (revision === 'older') {
			it('is refused where no model is connected', async () => {
				const own = await open('samples', budget, { settings: { 'prowess.providers': [] } });
				assert.match(await called(own), /no model is connected/i);
				assert.deepEqual(askedToSample(own), []);
			});

			it('is answered without a question where a rule allows it', async () => {
				const own = await open('samples', budget, {
					settings: { 'prowess.approvals.allow': ['mcp.sample evil/**', 'mcp.call evil/*'] },
				});
				assert.equal(await called(own), 'answer 0');
				assert.deepEqual(askedToSample(own), []);
			});

			it('is stopped at its budget of tokens', async () => {
				const large = { text: 'x', usage: { input: 900, output: 95 } };
				const own = await open('samples-forever', { calls: 10, tokens: 1_000 }, { script: [large, large, large] });
				assert.match(await called(own), /995 of its 1000 tokens, and this needs at least/);
				assert.equal(own.model?.requests.length, 1);
			});

			it('gets no secret of the user past the redaction', async () => {
				const own = await open('samples', budget, { secrets: { mine: 'question 0' } });
				await own.base.noticeSecrets();
				assert.equal(await called(own), 'answer 0');
				assert.doesNotMatch(own.model?.requests[0]?.text ?? '', /question 0/);
			});

			it('is refused while nobody uses it', async () => {
				const own = await open('samples-unasked', budget);
				assert.equal(await called(own), 'called');
				await waitFor('what the server was told', () => /told: .*nobody uses/.test(own.base.mcp.log('evil')));
				assert.equal(own.model?.requests.length, 0);
			});
		}
	});
}

describe('An op of an MCP server that asks a model', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(() => scene?.close());

	it('is nothing that an agent can ask for by itself', async () => {
		scene = await McpScene.open(
			{ evil: hostileServer('good') },
			{ script: answers, settings: { 'prowess.mcp.sampling': { evil: budget } } },
		);
		const messages = [{ role: 'user' as const, content: 'x' }];
		const asked = { server: 'evil', model: 'test/scripted', system: '', messages, maxTokens: 10 };
		const outcome = await scene.outcome('mcp.sample', asked);
		assert.match(outcome.status === 'done' ? 'done' : outcome.error.message, /only an MCP server asks for this/);
		assert.equal(scene.model?.requests.length, 0);
	});
});
