import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { programs } from '../../support/programs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { pressOn } from '../harness/press-on.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const outside = 'https://outside.invalid';

describe('The chat', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('runs and fetches nothing of what an answer contains', async () => {
		const requested: string[] = [];
		const dialogs: string[] = [];
		workbench.page.on('request', (request) => requested.push(request.url()));
		workbench.page.on('dialog', (dialog) => {
			dialogs.push(dialog.message());
			void dialog.dismiss();
		});
		await scripted.begin('Be hostile', [
			{
				text: [
					`<script>globalThis.wasHere = 1; fetch('${outside}/script')</script>`,
					`<img src="${outside}/img" onerror="globalThis.wasHere = 1; alert(1)"><svg onload="globalThis.wasHere = 1">`,
					`<iframe src="${outside}/frame"></iframe><style>@import '${outside}/style';</style>`,
					`![remote](${outside}/image.png) [script](javascript:globalThis.wasHere=1) [data](data:text/html,<script>1</script>)`,
					`[command](command:workbench.action.quit) [web](${outside}/page)`,
					`<a href="javascript:globalThis.wasHere=1" onclick="globalThis.wasHere = 1">click</a>`,
					`\`\`\`html\n<img src=x onerror="globalThis.wasHere = 1">\n\`\`\``,
					'This is the end.',
				].join('\n\n'),
			},
		]);
		await chat.rested();
		const answer = chat.answers.last();
		await answer.getByText('This is the end.').waitFor();
		await workbench.screenshot('chat-1-hostile-answer');
		for (const inert of ['script', 'data', 'command', 'click']) {
			await answer
				.getByText(inert, { exact: true })
				.first()
				.click({ timeout: 1_000 })
				.catch(() => undefined);
		}
		// The address of a web link is shown before anything is opened.
		await answer.getByRole('link', { name: 'web' }).click();
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText(`${outside}/page`).waitFor();
		await workbench.screenshot('chat-2-link-asks');
		await workbench.page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });

		const marks = await Promise.all(workbench.page.frames().map((frame) => frame.evaluate('globalThis.wasHere ?? 0')));
		assert.deepEqual(new Set(marks), new Set([0]));
		assert.equal(await answer.locator('script, iframe, img, style, svg, [href], [onclick], [onerror]').count(), 0);
		assert.deepEqual(
			requested.filter((url) => url.startsWith(outside) || url.startsWith('javascript:')),
			[],
		);
		assert.deepEqual(dialogs, []);
	});

	it('completes files after @ and commands after /, and the model reads what was added', async () => {
		await chat.newThread();
		scripted.follow([{ text: 'Read.' }]);
		await chat.input.focus();
		await workbench.page.keyboard.type('/exp');
		const suggestions = chat.view.getByRole('listbox', { name: 'Suggestions' });
		assert.deepEqual(await suggestions.getByRole('option').locator('.completion-label').allInnerTexts(), [
			'/explain',
			'/export',
		]);
		await workbench.page.keyboard.press('Enter');
		await workbench.page.keyboard.type('@money.ts');
		await suggestions.getByRole('option').filter({ hasText: 'src' }).first().waitFor();
		await workbench.screenshot('chat-3-completion');
		await workbench.page.keyboard.press('Tab');
		await chat.view.getByRole('list', { name: 'Context' }).getByText('money.ts').waitFor();
		await workbench.page.keyboard.press('Enter');
		await chat.answers.filter({ hasText: 'Read.' }).waitFor();
		const told = toldIn(scripted.requests()[0]);
		assert.match(told, /Explain what this code does and why/);
		assert.match(told, /export type Cents = number/);
		await workbench.screenshot('chat-4-context-sent');
	});

	it('names capabilities after / with where they come from, and opens what a command names', async () => {
		await chat.newThread();
		await chat.input.focus();
		await workbench.page.keyboard.type('/code-re');
		const suggestions = chat.view.getByRole('listbox', { name: 'Suggestions' });
		await suggestions.getByRole('option', { name: 'built in ·' }).waitFor();
		await workbench.page.keyboard.press('Tab');
		assert.equal(await chat.input.inputValue(), 'Use the capability code-review. ');
		await chat.input.fill('/help');
		await workbench.page.keyboard.press('Enter');
		await suggestions.getByRole('option', { name: '/capabilities' }).waitFor();
		await workbench.screenshot('chat-4-commands');
		await chat.input.fill('/doctor');
		await workbench.page.keyboard.press('Enter');
		await workbench.page.getByRole('tab', { name: /doctor/i }).waitFor();
		await chat.focus();
	});

	it('sends an edited message again and drops what came after it', async () => {
		await scripted.begin('Say one', [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
		await chat.rested();
		await chat.ask('Say two');
		await chat.rested();
		const first = chat.view.locator('.item.user').first();
		await pressOn(first, 'Edit and send again');
		await chat.view.getByLabel('Edit the message').fill('Say three');
		await workbench.screenshot('chat-5-edit');
		await chat.view.getByRole('button', { name: 'Send again', exact: true }).click();
		await chat.answers.filter({ hasText: 'Three.' }).waitFor();
		await chat.rested();
		assert.deepEqual(await chat.transcript(), ['user: Say three', 'text: Three.']);
		assert.doesNotMatch(toldIn(scripted.requests()[2]), /Say one|Say two|One\.|Two\./);
	});

	it('offers only tools that read in the mode Ask', async () => {
		await chat.newThread();
		await chat.chooseMode('Ask');
		scripted.follow([{ text: 'Only looking.' }]);
		await chat.ask('Look');
		await chat.rested();
		const tools = scripted.requests()[0]?.body['tools'] as { function: { name: string } }[];
		const names = tools.map((tool) => tool.function.name);
		assert.ok(names.includes('fs_read'));
		const changing = ['fs_write', 'fs_edit', 'shell_run', 'shell_stop'];
		assert.deepEqual(
			names.filter((name) => changing.includes(name)),
			[],
		);
		// The choice holds for the next new thread too.
		await chat.newThread();
		await chat.chooseMode('Agent');
	});

	it('answers a question beside the thread from what was said, and keeps neither in it', async () => {
		await scripted.begin('The sum is 42', [{ text: 'Noted.' }]);
		await chat.rested();
		const before = await chat.transcript();
		scripted.follow([{ text: 'It was 42.' }]);
		await chat.input.fill('/btw What was the sum?');
		await chat.input.press('Enter');
		await chat.view.locator('.dock.aside').getByText('It was 42.').waitFor();
		const [request] = scripted.requests();
		assert.match(toldIn(request), /The sum is 42.*Noted\..*Question: What was the sum\?/);
		assert.deepEqual([request?.body['tools'], await chat.transcript()], [undefined, before]);
	});

	it('lists, renames, exports and deletes threads', async () => {
		const elsewhere = tempDir('shop');
		const env = { PATH: process.env['PATH'], HOME: workbench.home };
		const words = ['run', 'Hello', '--provider', 'tour', '--trust', '--workspace', elsewhere];
		await promisify(execFile)(process.execPath, [programs.cli, ...words], { env });
		await scripted.begin('A thread to lose', [{ text: 'Remember this.' }]);
		await chat.rested();
		await chat.view.getByRole('button', { name: 'Threads' }).click();
		const row = (title: string) => chat.view.locator('.thread-row').filter({ hasText: title });
		await row('Hello').locator('.thread-folder').getByText(basename(elsewhere), { exact: true }).waitFor();
		assert.equal(await row('A thread to lose').locator('.thread-folder').count(), 0);
		await pressOn(row('A thread to lose'), 'Rename A thread to lose');
		await chat.view.getByLabel('Title of the thread').fill('Renamed');
		await chat.view.getByLabel('Title of the thread').press('Enter');
		await row('Renamed').waitFor();
		await workbench.screenshot('chat-6-threads');

		await pressOn(row('Renamed'), 'Export Renamed');
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'Remember this.' }).waitFor();
		await workbench.screenshot('chat-7-export');

		await pressOn(row('Renamed'), 'Delete Renamed');
		await workbench.screenshot('chat-8-delete-asks');
		await row('Delete this thread?').getByRole('button', { name: 'Delete', exact: true }).click();
		await row('Renamed').waitFor({ state: 'detached' });
	});

	it('comes with the thread that was shown last, also where VS Code has stored nothing yet', async () => {
		await scripted.begin('Remember me', [{ text: 'I do.' }]);
		await chat.rested();
		const window = await workbench.openWindow();
		const other = chatIn(window);
		await other.focus();
		await other.answers.filter({ hasText: 'I do.' }).waitFor();
		await window.close();
	});

	it('calls when a question waits while it is hidden', async () => {
		await scripted.begin('Write it', [
			{
				chunks: ['One ', 'moment ', 'or ', 'two ', 'or ', 'three'],
				delayMs: 500,
				toolCalls: [{ name: 'fs_write', input: { path: 'x.txt', content: 'x' } }],
			},
			{ text: 'It stays as it is.' },
		]);
		// Toggles the secondary side bar.
		await workbench.page.keyboard.press('Control+Alt+B');
		await chat.input.waitFor({ state: 'detached' });
		const toast = workbench.page.locator('.notification-toast', { hasText: 'Prowess asks: Write x.txt' });
		await toast.waitFor();
		await workbench.page.getByRole('button', { name: /1 waiting for your answer/ }).waitFor();
		await workbench.screenshot('chat-9-notification');
		await toast.getByRole('button', { name: 'Show' }).click();
		await chat.press('Write x.txt', '4');
		await chat.rested();
		assert.deepEqual(await chat.transcript(), [
			'user: Write it',
			'text: One moment or two or three',
			'tool denied: Write x.txt',
			'text: It stays as it is.',
		]);
	});
});
