/** `@prowess` in VS Code's own chat. VS Code hands messages over only where it has a model; no request is made to it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import type { ScriptEntry } from '../../support/model-server.ts';

describe('@prowess in the chat of VS Code', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	before(async () => {
		scripted = await openScriptedChat({
			companion: 'test/vscode/fixtures/editor-model',
			settings: { 'chat.disableAIFeatures': false },
		});
		const { chat, workbench } = scripted;
		const { page } = workbench;
		const folders = [realpathSync(workbench.workspace)];
		mkdirSync(join(workbench.home, '.prowess'), { recursive: true, mode: 0o700 });
		writeFileSync(join(workbench.home, '.prowess', 'trust.json'), JSON.stringify({ version: 1, folders }));
		await chat.focus();
		// VS Code looks for its models when somebody asks, and refuses messages until it has found one.
		await workbench.runCommand('Prowess: Switch Model');
		await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Reader' }).first().waitFor();
		await page.keyboard.press('Escape');
		await workbench.runCommand('Chat: Open Chat');
		await page.locator('.interactive-input-editor').first().waitFor();
	});
	after(() => scripted?.close());

	const said = (text: string) =>
		scripted.workbench.page.locator('.interactive-response').filter({ hasText: text }).last();
	async function says(text: string, script: readonly ScriptEntry[]): Promise<void> {
		const { page } = scripted.workbench;
		scripted.follow(script);
		await page.locator('.interactive-input-editor').first().click();
		await page.keyboard.type(text);
		await page.keyboard.press('Enter');
	}

	it('has a thread of Prowess work on the message, and shows the answer without fetching its pictures', async () => {
		const { workbench } = scripted;
		await says('@prowess Think about nothing in particular', [
			{ text: 'Hello from Prowess. ![x](https://picture.example/leak)' },
		]);
		await said('Hello from Prowess. !x').waitFor();
		assert.equal(await said('Hello').locator('.value img').count(), 0);
		await said('Hello').getByRole('button', { name: 'Open in Prowess' }).waitFor();
		await workbench.screenshot('participant-answer');
	});

	it('goes on in the same thread', async () => {
		await says('And about something else', [{ text: 'On it.' }]);
		await said('On it.').getByRole('button', { name: 'Open in Prowess' }).waitFor();
		assert.match(toldIn(scripted.requests()[0]), /nothing in particular.*Hello from Prowess.*something else/);
	});

	it('leads to Prowess for an approval, and shows what comes after it', async () => {
		const { chat, workbench } = scripted;
		const write = { name: 'fs_write', input: { path: 'asked.txt', content: 'x\n' } };
		await says('Write it down', [{ toolCalls: [write] }, { text: 'It is written.' }]);
		await said('Prowess asks: Write asked.txt').getByRole('button', { name: 'Answer in Prowess' }).click();
		await chat.press('Write asked.txt', '1');
		await chat.rested();
		await workbench.runCommand('Chat: Open Chat');
		await said('It is written.').getByRole('button', { name: 'Open in Prowess' }).waitFor();
		await workbench.screenshot('participant-asked');
		assert.ok(existsSync(join(workbench.workspace, 'asked.txt')));
	});

	it('has the MCP server of Prowess beside it, which VS Code runs in a folder that the command line trusts', async () => {
		const { workbench } = scripted;
		const { page } = workbench;
		const listed = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Prowess' }).first();
		const list = async () => {
			await workbench.runCommand('MCP: List Servers');
			await listed.waitFor();
			return (await listed.textContent()) ?? '';
		};
		// VS Code starts servers with the first message, if it has not started them before.
		if ((await list()).includes('Stopped')) {
			await listed.click();
			await page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Start Server' }).click();
		}
		await waitFor('a server that runs', async () => {
			await page.keyboard.press('Escape');
			return (await list()).includes('Running');
		});
		await workbench.screenshot('mcp-server-running');
		await page.keyboard.press('Escape');
	});

	it('stops the turn when the answer is cancelled', async () => {
		const { chat, workbench } = scripted;
		await says('Talk for ever', [{ text: 'A first word', then: 'stall' }]);
		await said('A first word').waitFor();
		await workbench.page.keyboard.press('Control+Escape');
		await chat.focus();
		await chat.rested();
		assert.match((await chat.transcript()).join('\n'), /A first word/);
	});
});
