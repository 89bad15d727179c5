/** Resources and prompts of a public MCP server, chosen in the chat and read by the model, and its own request to the model. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicServer } from '../../support/mcp-scene.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { capabilityViewsIn, openCapabilities } from '../harness/capability-views.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('What an MCP server offers in the chat', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({
			workspace: { 'a.txt': 'a' },
			settings: {
				'prowess.mcp.servers': { everything: publicServer('everything'), files: publicServer('filesystem', ['.']) },
				...(existsSync(bubblewrap) ? { 'prowess.tools.bubblewrapPath': bubblewrap } : {}),
				'prowess.mcp.sampling': { everything: { calls: 1 } },
			},
		});
		({ chat } = scripted);
	});
	after(() => scripted?.close());

	/** Types it at the end of what is there, and takes the suggestion. */
	const choose = async (typed: string, option: RegExp, chip: string) => {
		await chat.input.fill('');
		await chat.input.pressSequentially(typed);
		await chat.view.getByRole('option', { name: option }).first().waitFor();
		await scripted.workbench.screenshot(`mcp-offers-${chip.replaceAll('/', '-')}`);
		await chat.input.press('Tab');
		await chat.view.locator('.chips .chip', { hasText: chip }).waitFor();
	};

	it('is nothing while the server does not run', async () => {
		await chat.focus();
		await chat.newThread();
		await chat.input.pressSequentially('@architecture');
		await chat.view.getByText('No file, folder').waitFor({ state: 'detached' });
		assert.equal(await chat.view.getByRole('option', { name: /^everything/ }).count(), 0);
		await chat.input.fill('');
	});

	it('is a resource after @, which the model reads with the message', async () => {
		const views = capabilityViewsIn(scripted.workbench);
		await openCapabilities(scripted.workbench);
		await views.show('MCP');
		await views.press('everything', 'Start');
		await chat.press('Start the MCP server everything', '1');
		await views.row('everything').filter({ hasText: 'running' }).waitFor();
		scripted.follow([{ text: 'I have read it.' }]);
		await chat.focus();
		await chat.newThread();
		await choose('@architecture', /^everything architecture\.md demo:\/\//, 'architecture.md');
		await chat.input.pressSequentially('What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		const told = toldIn(scripted.requests()[0]);
		assert.match(told, /<resource server=.*everything.* uri=.*architecture\.md.*Everything Server/);
	});

	it('is a prompt after /, done without further words once its arguments are answered', async () => {
		scripted.follow([{ text: 'It rains.' }]);
		await chat.newThread();
		await choose('/everything:args', /^\/everything:args-prompt <city> \[state\]/, 'everything/args-prompt');
		await chat.input.press('Enter');
		const question = chat.view.getByRole('group', { name: 'Question' });
		await question.getByText('The MCP server everything asks').waitFor();
		await question.getByText('city').first().waitFor();
		await scripted.workbench.screenshot('mcp-offers-question');
		await chat.input.fill('Paris');
		await chat.view.locator('.dock[data-settled=true]').waitFor();
		await chat.input.press('Enter');
		await question.getByText('state').first().waitFor();
		await question.getByRole('button', { name: 'Skip' }).click();
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<prompt wanted=.*everything\/args-prompt.*What's weather in Paris\?/);
	});

	it('is both when they are typed by hand, with values for which nobody is asked', async () => {
		const typed = '/everything:args-prompt city=Rome state=Lazio';
		const resource = '@everything:demo://resource/static/document/features.md';
		await scripted.begin(`${typed} as in ${resource} please`, [{ text: 'It rains there.' }]);
		await chat.answers.filter({ hasText: 'It rains there.' }).waitFor();
		const told = toldIn(scripted.requests()[0]);
		assert.match(told, /<prompt wanted=.*What's weather in Rome, Lazio\?/);
		assert.match(told, /<resource server=.*features\.md/);
	});

	it('is a tool that asks the model itself, which is asked about with all that it sends, and counted', async () => {
		const call = { server: 'everything', tool: 'trigger-sampling-request', arguments: { prompt: 'Say hello.' } };
		const calls = [
			{ toolCalls: [{ name: 'mcp_call', input: call }] },
			{ text: 'Hello there.' },
			{ text: 'It said it.' },
		];
		await scripted.begin('Have it say hello.', [
			{ toolCalls: [{ name: 'tool_search', input: { query: 'mcp_call' } }] },
			...calls,
			...[calls[0] as (typeof calls)[0], { text: 'It may not.' }],
		]);
		await chat.press('Call everything/trigger-sampling-request', '1');
		const question = await chat.asked('Ask local/scripted for the MCP server everything');
		await question.getByText('context: Say hello.').first().waitFor();
		await scripted.workbench.screenshot('mcp-offers-sampling');
		await chat.press('Ask local/scripted for the MCP server everything', '1');
		await chat.answers.filter({ hasText: 'It said it.' }).waitFor();
		assert.match(toldIn(scripted.requests()[3]), /Hello there\./);
		await chat.ask('Once more.');
		await chat.press('Call everything/trigger-sampling-request', '1');
		await chat.answers.filter({ hasText: 'It may not.' }).waitFor();
		assert.match(toldIn(scripted.requests()[5]), /it has used 1 of its 1 requests to models/);
	});

	it('is the folder that it may not change, allowed with one click and asked about again at its start', async function () {
		if (!existsSync(bubblewrap)) this.skip();
		const { workbench } = scripted;
		const path = join(workbench.workspace, 'written.txt');
		const call = { server: 'files', tool: 'write_file', arguments: { path, content: 'by the server' } };
		const script = [{ toolCalls: [{ name: 'mcp_call', input: call }] }, { text: 'Tried.' }];
		await scripted.begin('Write it.', [
			{ toolCalls: [{ name: 'tool_search', input: { query: 'mcp_call' } }] },
			...script,
			...script,
		]);
		await chat.press('Call files/write_file', '1');
		await chat.press('Start the MCP server files', '1');
		await chat.rested();
		await chat.view.getByText('The MCP server files may not change the workspace.').waitFor();
		await chat.rested();
		assert.equal(existsSync(path), false);
		await workbench.screenshot('mcp-offers-lacks');
		await chat.view.getByRole('button', { name: 'Allow it…' }).click();
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Let the MCP server files change the workspace?').waitFor();
		await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		await chat.ask('Once more.');
		await chat.press('Call files/write_file', '1');
		const question = await chat.asked('Start the MCP server files');
		await question.getByText('undo does not bring that back').first().waitFor();
		await chat.press('Start the MCP server files', '1');
		await chat.rested();
		assert.equal(readFileSync(path, 'utf8'), 'by the server');
	});
});
