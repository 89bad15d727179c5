/** Resources and prompts of MCP servers, with a public server as a real process. */
import assert from 'node:assert/strict';
import type { DeskQuestion } from '../../../src/protocol/approvals/approvals.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { waitFor } from '../../support/wait-for.ts';
import { hostileServer, McpScene, publicServer } from '../../support/mcp-scene.ts';

describe('What an MCP server offers besides tools', function () {
	this.timeout(60_000);
	let scene: McpScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});

	it('is listed and read: a listed resource without a question of its own, any other only after one', async () => {
		const { perform, outcome, asked, base } = bound(
			(scene = await McpScene.open({ everything: publicServer('everything') })),
		);
		assert.deepEqual(await base.mcp.offers(new AbortController().signal), []);
		const { resources, templates } = await perform('mcp.resources', { server: 'everything' });
		const [first] = resources;
		assert.ok(first !== undefined && templates.length > 0, 'it lists resources and templates');
		const before = asked.length;
		const { text } = await perform('mcp.read', { server: 'everything', uri: first.uri });
		assert.ok(text.length > 0);
		assert.equal(asked.length, before);
		const filledIn = templates[0]?.uri.replaceAll(/\{[^}]*\}/g, '1') ?? '';
		assert.match((await perform('mcp.read', { server: 'everything', uri: filledIn })).text, /1/);
		assert.deepEqual(
			asked.slice(before).map(({ op, reason }) => [op, inEnglish(reason).includes(filledIn)]),
			[['mcp.read', true]],
		);
		const lost = await outcome('mcp.read', { server: 'everything', uri: 'lost:x' });
		assert.match(lost.status === 'done' ? 'done' : lost.error.code, /MCP_SERVER_FAILED/);
	});

	it('is a prompt, for which the user is asked for each argument', async () => {
		const questions: string[] = [];
		const answer = ({ question }: DeskQuestion) => Promise.resolve((questions.push(question), 'Paris'));
		const { perform, outcome, base } = bound(
			(scene = await McpScene.open({ everything: publicServer('everything') }, { person: { answer } })),
		);
		await perform('mcp.tools', { server: 'everything' });
		const [offers] = await base.mcp.offers(new AbortController().signal);
		const wanted = offers?.prompts.find(({ arguments: wants }) => wants.some(({ isNeeded }) => isNeeded));
		assert.ok(wanted !== undefined, JSON.stringify(offers?.prompts));
		assert.match((await perform('mcp.prompt', { server: 'everything', name: wanted.name })).text, /Paris/);
		assert.equal(questions.length, wanted.arguments.length);
		assert.match(questions[0] ?? '', new RegExp(`^everything/${wanted.name}`));
		const given = { server: 'everything', name: 'args-prompt', arguments: { city: 'Rome', state: 'of Italy' } };
		assert.match((await perform('mcp.prompt', given)).text, /weather in Rome, of Italy/);
		assert.equal(questions.length, wanted.arguments.length);
		const wrong = await outcome('mcp.prompt', { ...given, arguments: { town: 'Rome' } });
		assert.match(wrong.status === 'done' ? 'done' : wrong.error.message, /no argument "town"\. It has: city, state/);
	});

	it('is the end of a call that the user stops: the server is told, and goes on', async () => {
		const { outcome, tools, base } = bound((scene = await McpScene.open({ slow: hostileServer('waits') })));
		await tools('slow');
		const stop = new AbortController();
		const calling = outcome('mcp.call', { server: 'slow', tool: 'echo' }, stop.signal);
		await waitFor('the progress that the server reports', () => scene?.heard.includes('1 waiting\n'));
		stop.abort();
		await calling.catch(() => undefined);
		await waitFor('what the server says', () => /told of the end of the call/.test(base.mcp.log('slow')));
	});

	it('is nothing of a server that has none, and a prompt that it does not know is said', async () => {
		const { perform, outcome } = bound((scene = await McpScene.open({ evil: hostileServer('good') })));
		const { resources, templates } = await perform('mcp.resources', { server: 'evil' });
		assert.deepEqual([resources, templates], [[], []]);
		const lost = await outcome('mcp.prompt', { server: 'evil', name: 'x' });
		assert.match(lost.status === 'done' ? 'done' : lost.error.message, /has no prompt "x". It has: none/);
	});
});

function bound(scene: McpScene) {
	return {
		perform: scene.perform.bind(scene),
		outcome: scene.outcome.bind(scene),
		tools: scene.tools.bind(scene),
		asked: scene.asked,
		base: scene.base,
	};
}
