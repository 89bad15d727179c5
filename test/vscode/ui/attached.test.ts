/** Checks the context that goes along with a message, and runs code of an answer. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpSite } from '../../support/http-site.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';

describe('What goes along with a message', () => {
	let scripted: ScriptedChat;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({
			workspace: { 'src/a.ts': 'export const a = 1;\n' },
			companion: 'test/vscode/fixtures/failing-test',
			// The text of a terminal is not in a picture.
			settings: { 'terminal.integrated.gpuAcceleration': 'off', 'prowess.http.allowHosts': ['127.0.0.1'] },
		});
		({ chat } = scripted);
		const cwd = scripted.workbench.workspace;
		const git = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
		git('init', '-q');
		git('add', 'src/a.ts');
		git('commit', '-qm', 'a');
		writeFileSync(join(cwd, 'src/a.ts'), 'export const changed = 2;\n');
		await chat.focus();
	});
	after(() => scripted?.close());

	it('are the uncommitted changes, chosen after @, as Git shows them', async () => {
		scripted.follow([{ text: 'I see the change.' }]);
		await chat.newThread();
		await chat.input.pressSequentially('@chang');
		await chat.view.getByRole('option', { name: /^changes/ }).waitFor();
		await scripted.workbench.screenshot('attached-1-changes');
		await chat.input.press('Enter');
		await chat.view.locator('.chips .chip', { hasText: 'changes' }).waitFor();
		await chat.input.pressSequentially(' What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<changes>.*-export const a = 1;.*\+export const changed = 2;/);
	});

	it('is a symbol and a web page, each chosen after @ and read when it is sent', async () => {
		const site = await httpSite((_request, response) => {
			response.setHeader('content-type', 'text/html');
			response.end('<h1>Opening hours</h1><p>From nine to five.</p>');
		});
		try {
			const url = `http://127.0.0.1:${site.port}/hours`;
			scripted.follow([{ text: 'I have read them.' }]);
			await chat.newThread();
			const choose = async (typed: string, option: RegExp, chip: string) => {
				await chat.input.pressSequentially(typed);
				await chat.view.getByRole('option', { name: option }).first().waitFor();
				await chat.input.press('Tab');
				await chat.view.locator('.chips .chip', { hasText: chip }).waitFor();
			};
			await choose('@#chan', /^changed src\/a\.ts:1/, 'changed');
			await choose(`@${url}`, /The text of this web page/, '127.0.0.1');
			await scripted.workbench.screenshot('attached-1-symbol-page');
			await chat.input.pressSequentially('What are these?');
			await chat.input.press('Enter');
			await chat.press(`Fetch ${url}`, '1');
			await chat.rested();
			const told = toldIn(scripted.requests()[0]);
			assert.match(told, /<symbol path=.{0,2}"src\/a\.ts.*lines=.{0,2}"1-1.*export const changed = 2;/);
			assert.match(told, /<web-page url=.*\/hours.*From nine to five/);
		} finally {
			await site.close();
		}
	});

	it('is a long text that was pasted, beside what is written about it', async () => {
		scripted.follow([{ text: 'A log.' }]);
		await chat.newThread();
		await chat.input.fill('What is this?');
		await chat.input.evaluate((element) => {
			const data = new DataTransfer();
			data.setData('text/plain', Array.from({ length: 80 }, (_, n) => `row ${n}`).join('\n'));
			element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
		});
		const chip = chat.view.locator('.chips .chip', { hasText: 'pasted text (80 lines)' });
		await chip.waitFor();
		await scripted.workbench.screenshot('attached-2-pasted');
		assert.equal(await chat.input.inputValue(), 'What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /What is this\?.*<pasted>.*row 0.*row 79/);
	});

	it('is code of an answer, which runs only after a yes', async () => {
		await scripted.begin('How is it run?', [{ text: 'So:\n\n```sh\nnode -p 40+2\n```' }]);
		await chat.rested();
		scripted.follow([
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-p', '40+2'] } }] },
			{ text: 'It says 42.' },
		]);
		await chat.view.getByRole('button', { name: 'Run code' }).click();
		await chat.asked('Run node -p 40+2');
		await scripted.workbench.screenshot('attached-3-run-asked');
		await chat.press('Run node -p 40+2', '1');
		await chat.answers.filter({ hasText: 'It says 42.' }).waitFor();
		assert.match(toldIn(scripted.requests()[0]), /Run this, and tell me what it says:.*node -p 40\+2/);
	});

	const chip = (label: string) => chat.view.locator('.chips .chip', { hasText: label });
	const followLink = async (link: string) => {
		const { page } = scripted.workbench;
		await scripted.workbench.runCommand('Developer: Open URL');
		// The palette and the box for the address are one field.
		await page.locator('.quick-input-widget', { hasText: 'URL to open' }).waitFor();
		const input = page.locator('.quick-input-widget input[type="text"]');
		await input.fill(link);
		await input.press('Enter');
		await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true }).click();
	};
	const toast = (text: string) => scripted.workbench.page.locator('.notification-toast', { hasText: text });

	it('is the text of a terminal', async () => {
		const { page } = scripted.workbench;
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		scripted.follow([{ text: 'I see it.' }]);
		await chat.newThread();
		await scripted.workbench.runCommand('Terminal: Create New Terminal');
		const terminal = page.locator('.terminal-wrapper.active .xterm-rows');
		await terminal.waitFor();
		await page.locator('.terminal-wrapper.active textarea').pressSequentially('echo $((40+2))-there\n');
		await waitFor('its output', async () => (await terminal.innerText()).includes('42-there'));
		await scripted.workbench.runCommand('Prowess: Add Terminal Output to Chat');
		await chip('terminal').waitFor();
		await chat.newThread();
		await chat.input.pressSequentially('@termin');
		await chat.view.getByRole('option', { name: /^terminal Output of the terminal/ }).click();
		await chip('terminal').waitFor();
		assert.equal(await chat.input.inputValue(), '');
		await scripted.workbench.screenshot('attached-4-terminal');
		await chat.input.fill('What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<terminal>.*42-there/);
	});

	it('is a message of a link, shown and not sent', async () => {
		await chat.newThread();
		await followLink('vscode://prowess.prowess/prompt?text=Look%20at%20%E2%80%AEthis');
		await toast('A link has filled in this message. Nothing was sent').waitFor();
		assert.equal(await chat.input.inputValue(), 'Look at \\u{202e}this');
		assert.equal(await chat.view.locator('.item.user').count(), 0);
		await scripted.workbench.screenshot('attached-5-link');
		await chat.input.fill('');
	});

	it('is nothing of a link that names nothing', async () => {
		await followLink('vscode://prowess.prowess/run?command=rm');
		await toast('it names nothing that can be shown').waitFor();
		// No more than three are shown at a time.
		await scripted.workbench.runCommand('Notifications: Clear All Notifications');
		await followLink('vscode://prowess.prowess/capability?name=no-such-thing');
		await toast('the capability no-such-thing, which none of your indexes offers').waitFor();
	});

	it('is the failure of a test', async () => {
		scripted.follow([{ text: 'The sum is off by one.' }]);
		const { page } = scripted.workbench;
		await scripted.workbench.runCommand('Failing Test: Run the Failing Test');
		const row = page.locator('.test-output-peek-tree .monaco-list-row', { hasText: 'the sum is wrong' }).first();
		await scripted.workbench.runCommand('Notifications: Clear All Notifications');
		// VS Code opens the run in its list only where it has drawn the list before the results came.
		const run = page.locator('.test-output-peek-tree .monaco-list-row').first();
		await run.click();
		for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
		await row.click();
		const add = page.getByText('Add Test Failure to Chat');
		await add.waitFor();
		await scripted.workbench.screenshot('attached-6-failure');
		await add.click();
		await chip('failed test adds up').waitFor();
		await chat.input.fill('Why?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(
			toldIn(scripted.requests()[0]),
			/<test-failure>.*adds up.*the sum is wrong.*expected: 42.*actual: 41.*at src\/a\.ts:1/,
		);
	});
});
