/** A window on a machine on which an organisation has set rules: they count, and it is said whose they are. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import { capabilitiesFrameIn, type Workbench } from '../harness/workbench.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

const organisation = {
	organisation: 'Example Ltd',
	contact: 'it@example.com',
	widestLevel: 'edit',
	hosts: ['*.example.com'],
	providers: ['http://127.0.0.1:*', 'openai'],
	models: ['openai-compatible/scripted', 'openai/gpt-*'],
	marketplaces: ['https://market.example.com/*'],
	deny: ['shell.run npm publish'],
};

describe('The rules of an organisation', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;

	before(async function () {
		if (!existsSync(bubblewrap)) this.skip();
		scripted = await openScriptedChat({ organisation, settings: { 'prowess.approvals.level': 'full' } });
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('refuse in a window what they refuse, in the name of the organisation', async () => {
		await scripted.begin('Read it', [
			{ toolCalls: [{ name: 'http_get', input: { url: 'https://elsewhere.test/a' } }] },
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['npm', 'publish'] } }] },
			{ text: 'Neither is allowed.' },
		]);
		await chat.rested();
		const refused = scripted.requests().map(({ body }) => JSON.stringify(body));
		assert.match(refused[1] ?? '', /Your organisation \(Example Ltd\) does not allow the host elsewhere\.test/);
		assert.match(refused[2] ?? '', /shell\.run npm publish\\*" of your organisation \(Example Ltd\)/);
		await workbench.screenshot('organisation-1-refused');
	});

	it('are named where a level is picked that they forbid', async () => {
		await workbench.runCommand('Prowess: Change Permission Level');
		const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
		const auto = rows.filter({ hasText: 'Auto' }).first();
		await auto.getByText('Your organisation (Example Ltd)').waitFor();
		await auto.getByText('Forbidden').waitFor();
		await workbench.screenshot('organisation-2-levels');
		await workbench.page.keyboard.press('Escape');
	});

	it('are named where a model is connected that they forbid, before a key is asked for', async () => {
		await workbench.runCommand('Prowess: Connect a Model');
		const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
		const forbidden = rows.filter({ hasText: 'Anthropic' }).first();
		await forbidden.getByText('Your organisation (Example Ltd) does not allow the provider anthropic.').waitFor();
		await forbidden.getByText('Forbidden').waitFor();
		await rows.filter({ hasText: 'OpenAI' }).getByText('with a key').first().waitFor();
		await workbench.screenshot('organisation-4-connect');
		await forbidden.click();
		await workbench.page
			.getByText(/Could not connect the model\..*does not allow the provider anthropic/)
			.first()
			.waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('leave no collection among those that can be added, where they do not allow it', async () => {
		await workbench.runCommand('Prowess: Search Marketplace');
		const tab = capabilitiesFrameIn(workbench.page);
		await tab.getByText('Installed or Built In').waitFor();
		assert.equal(await tab.getByText('Public Collections').count(), 0);
		await workbench.screenshot('organisation-5-marketplace');
	});

	it('stand in the Doctor with their place', async () => {
		await workbench.runCommand('Prowess: Doctor');
		const report = workbench.page
			.locator('iframe.webview.ready')
			.last()
			.contentFrame()
			.locator('#active-frame')
			.contentFrame();
		await report.getByText('rules of Example Ltd, in /etc/prowess/organisation.json').waitFor();
		for (const rule of ['Widest permission level: Edit freely', 'Hosts: *.example.com', 'Contact: it@example.com']) {
			await report.getByText(rule).first().waitFor();
		}
		await workbench.screenshot('organisation-3-doctor');
	});
});
