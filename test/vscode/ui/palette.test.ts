import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import { pageFrameIn, type Workbench } from '../harness/workbench.ts';

describe('The palette', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({ settings: { 'prowess.providers': [], 'prowess.model': '' } });
		({ workbench, chat } = scripted);
	});
	after(() => scripted?.close());

	it('brings the chat and gives it the keyboard', async () => {
		await workbench.runCommand('Prowess: Focus Chat');
		await chat.input.and(chat.view.locator(':focus')).waitFor();
	});

	it('connects a model, and says what is wrong with an address', async () => {
		await workbench.runCommand('Prowess: Connect a Model');
		await choose('Connect a Model', 'OpenAI-compatible');
		const address = await titled('Connect OpenAI-compatible');
		await answer(address, 'ftp://somewhere');
		await address.getByText('Enter a URL such as https://host/v1').waitFor();
		await workbench.screenshot('palette-1-wrong-address');
		await answer(address, 'http://127.0.0.1:9/v1');
		await address.getByText('The provider does not answer. Check the address and your network.').waitFor();
		assert.equal(await address.locator('input').inputValue(), 'http://127.0.0.1:9/v1');
		await workbench.screenshot('palette-2-no-answer');

		// Types the address as people do: the rest is added, and a server of this machine that lists its models
		// requires no key.
		const { host } = new URL(scripted.model.baseUrl);
		await answer(address, host);
		scripted.follow([{ text: 'I am ready.' }, { toolCalls: [{ name: 'report_ready', input: {} }] }]);
		await choose('Choose a Model', 'second');
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'second answers, but did not call' });
		await dialog.waitFor();
		await workbench.screenshot('palette-2-no-tool-call');
		await dialog.getByRole('button', { name: 'Choose Another' }).click();
		await choose('Choose a Model', 'scripted');
		await chat.view.getByRole('button', { name: /^Model: scripted/ }).waitFor();
		await scripted.begin('Say that you are there', [{ text: 'Connected.' }]);
		await chat.answers.filter({ hasText: 'Connected.' }).waitFor();
		await chat.rested();
		assert.equal(scripted.requests()[0]?.body['model'], 'scripted');
		await workbench.screenshot('palette-3-connected');
	});

	it('switches the model of the shown thread', async () => {
		await workbench.runCommand('Prowess: Switch Model');
		const list = workbench.page.locator('.quick-input-widget');
		await list.locator('.monaco-list-row', { hasText: 'second' }).waitFor();
		await workbench.screenshot('palette-4-switch');
		await list.locator('input[type="text"]').fill('second');
		await workbench.page.keyboard.press('Enter');
		await chat.view.getByRole('button', { name: /^Model: .*second/ }).waitFor();
		scripted.follow([{ text: 'I am the second.' }]);
		await chat.ask('Who are you?');
		await chat.rested();
		assert.equal(scripted.requests()[0]?.body['model'], 'second');
	});

	it('sets in the same list how hard the model of the shown thread thinks', async () => {
		await workbench.runCommand('Prowess: Switch Model');
		const list = workbench.page.locator('.quick-input-widget');
		await list.locator('.monaco-list-row', { hasText: 'compatible/second' }).waitFor();
		await list.locator('input[type="text"]').fill('Thinking: High');
		await list.locator('.monaco-list-row', { hasText: 'Thinking: High' }).waitFor();
		await workbench.screenshot('palette-4-effort');
		await workbench.page.keyboard.press('Enter');
		await chat.view.getByRole('button', { name: /^Model: .*second\. Thinking: High/ }).waitFor();
		scripted.follow([{ text: 'I have thought.' }]);
		await chat.ask('Think');
		await chat.rested();
		assert.equal(scripted.requests()[0]?.body['reasoning_effort'], 'high');
	});

	it('lets model and effort be found and chosen in the chat, by keys alone', async () => {
		const button = chat.view.getByRole('button', { name: /^Model: / });
		await button.focus();
		await workbench.page.keyboard.press('Enter');
		const field = chat.view.getByRole('combobox', { name: 'Search models' });
		await field.waitFor();
		await workbench.screenshot('palette-4-picker');
		await field.pressSequentially('scripted');
		await chat.view.getByRole('option', { name: /^scripted/ }).waitFor();
		await chat.view.getByRole('option', { name: /^second/ }).waitFor({ state: 'detached' });
		await field.press('Enter');
		await chat.view.getByRole('button', { name: /^Model: .*scripted/ }).waitFor();
		await workbench.page.keyboard.press('ArrowDown');
		await field.waitFor();
		await field.press('Tab');
		await chat.view.getByRole('radio', { name: 'High', exact: true }).press('ArrowUp');
		await chat.view.getByRole('button', { name: /Thinking: Medium/ }).waitFor();
		await workbench.screenshot('palette-4-picker-effort');
		await workbench.page.keyboard.press('Escape');
		scripted.follow([{ text: 'I am the first.' }]);
		await chat.ask('And who are you?');
		await chat.rested();
		const [request] = scripted.requests();
		assert.deepEqual([request?.body['model'], request?.body['reasoning_effort']], ['scripted', 'medium']);
		await button.click();
		await chat.view.getByRole('radio', { name: 'As set for the model' }).click();
		await chat.view.getByRole('button', { name: /^Model: [^.]*scripted$/ }).waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('sets how hard the model thinks in threads to come, where none is shown', async () => {
		const list = workbench.page.locator('.quick-input-widget');
		for (const [effort, asked] of [
			['Low', 'low'],
			['As set for the model', undefined],
		] as const) {
			await chat.newThread();
			await workbench.runCommand('Prowess: Switch Model');
			await list.locator('.monaco-list-row', { hasText: 'compatible/second' }).waitFor();
			await list.locator('input[type="text"]').fill(`Thinking: ${effort}`);
			await list.locator('.monaco-list-row', { hasText: `Thinking: ${effort}` }).waitFor();
			await workbench.page.keyboard.press('Enter');
			await workbench.page.getByText(`Thinking of compatible/second in new threads: ${effort}`).first().waitFor();
			scripted.follow([{ text: `Thought: ${effort}.` }]);
			await chat.ask(`Think ${effort}`);
			await chat.answers.filter({ hasText: `Thought: ${effort}.` }).waitFor();
			await chat.rested();
			assert.equal(scripted.requests()[0]?.body['reasoning_effort'], asked);
		}
	});

	it('names a provider that failed often, and lets it be asked first again', async () => {
		const noCredit = { error: 402, message: 'Insufficient credits' };
		await scripted.begin('Once', [noCredit, noCredit, noCredit, { text: 'Paid.' }]);
		for (const again of ['Twice', 'Three times']) {
			await chat.notices.last().getByText('Insufficient credits').waitFor();
			await chat.rested();
			await chat.ask(again);
		}
		const paused = 'compatible failed often. Other models are asked first.';
		await chat.view.getByTitle(paused).waitFor();
		await workbench.runCommand('Prowess: Switch Model');
		await workbench.page.locator('.quick-input-widget').getByText('Ask compatible first again').waitFor();
		await workbench.page.keyboard.press('Escape');
		await chat.view.getByTitle(paused).click();
		await workbench.screenshot('palette-4-paused');
		await chat.view.getByRole('button', { name: 'Ask compatible first again' }).click();
		await chat.view.getByTitle(paused).waitFor({ state: 'detached' });
		await chat.ask('Now');
		await chat.answers.filter({ hasText: 'Paid.' }).waitFor();
		await chat.rested();
	});

	it('changes the permission level of the shown thread', async () => {
		const level = (name: string) => chat.view.getByRole('button', { name: `Permission level: ${name}` });
		await level('Ask first').waitFor();
		await workbench.runCommand('Prowess: Change Permission Level');
		const list = await titled('Permission Level of This Thread');
		await list.locator('.monaco-list-row', { hasText: 'Current' }).getByText('Ask first', { exact: true }).waitFor();
		await workbench.page.keyboard.press('Escape');
		await list.waitFor({ state: 'hidden' });
		await level('Ask first').waitFor();
		await workbench.runCommand('Prowess: Change Permission Level');
		await choose('Permission Level of This Thread', 'Manual');
		await level('Manual').waitFor();
		await workbench.screenshot('palette-5-level');
		await workbench.runCommand('Prowess: New Thread');
		await level('Ask first').waitFor();
		await workbench.runCommand('Prowess: Change Permission Level');
		await titled('Permission Level of the New Thread');
		await workbench.page.keyboard.press('Escape');
	});

	it('chooses the model for capabilities, and shows which it is', async () => {
		const list = workbench.page.locator('.quick-input-widget');
		const inUse = list.locator('.monaco-list-row:has(.codicon-check)');
		await workbench.runCommand('Prowess: Choose the Model for Capabilities');
		await inUse.filter({ hasText: "The thread's model" }).waitFor();
		await list.locator('input[type="text"]').fill('second');
		await list.locator('.monaco-list-row.focused', { hasText: 'second' }).waitFor();
		await workbench.page.keyboard.press('Enter');
		await list.waitFor({ state: 'hidden' });
		// The list goes before the choice is kept.
		await waitFor(
			'the second model to be in use',
			async () => {
				await workbench.runCommand('Prowess: Choose the Model for Capabilities');
				await inUse.first().waitFor();
				const shown = await inUse.allInnerTexts();
				await workbench.page.keyboard.press('Escape');
				await list.waitFor({ state: 'hidden' });
				return shown.some((text) => text.includes('second'));
			},
			20_000,
		);
	});

	it('adds the selection, explains and fixes', async () => {
		await workbench.runCommand('Prowess: New Thread');
		await chat.view.locator('.empty-state').waitFor();
		await workbench.page.getByRole('treeitem', { name: 'src' }).click();
		await workbench.page.getByRole('treeitem', { name: 'money.ts' }).dblclick();
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'Cents = number' }).click();
		await workbench.page.keyboard.press('Control+L');
		await workbench.runCommand('Prowess: Add Selection to Chat');
		await chat.view.getByRole('list', { name: 'Context' }).getByText('money.ts:2').waitFor();
		await workbench.screenshot('palette-5-selection');

		for (const [title, prompt] of [
			['Prowess: Explain', 'Explain what this code does and why.'],
			['Prowess: Fix', 'Find what is wrong here and fix it.'],
		] as const) {
			scripted.follow([{ text: `Done: ${title}` }]);
			await workbench.page.locator('.editor-instance .view-line', { hasText: 'Cents = number' }).click();
			await workbench.page.keyboard.press('Control+L');
			await workbench.runCommand(title);
			await chat.answers.filter({ hasText: `Done: ${title}` }).waitFor();
			await chat.rested();
			const told = toldIn(scripted.requests()[0]);
			assert.ok(told.includes(prompt), told);
			assert.match(told, /<selection path=\\"src\/money.ts\\" lines=\\"2-2\\">\\nexport type Cents = number;/);
		}
		await workbench.screenshot('palette-6-explained');
	});

	it('fixes and explains a problem from its quick fix, and tells the model its words as data', async () => {
		const { page } = workbench;
		await page.getByRole('treeitem', { name: 'package.json' }).dblclick();
		await page.locator('.editor-instance .view-line', { hasText: '"name"' }).click();
		await page.keyboard.press('Control+End');
		await page.keyboard.type('{');
		for (const [title, prompt] of [
			['Fix with Prowess', 'Find what is wrong here and fix it.'],
			['Explain with Prowess', 'Explain this problem: what it means, why it is here, and what would solve it.'],
		] as const) {
			scripted.follow([{ text: `Done: ${title}` }]);
			await page.locator('.editor-instance .squiggly-error').first().waitFor();
			await page.locator('.editor-instance .view-line').last().click();
			await page.keyboard.press('Control+End');
			const action = page.locator('.action-widget').getByText(title);
			const isOffered = () =>
				action.waitFor({ timeout: 5_000 }).then(
					() => true,
					() => false,
				);
			// The menu has what there is as it opens: a problem that is looked for anew at that moment is not among it.
			const opened = async () => {
				await page.keyboard.press('Escape');
				// The key for it changes the level as long as the editor has not heard that the chat lost the keyboard.
				await workbench.runCommand('Quick Fix...');
				return await isOffered();
			};
			await waitFor(title, opened, 40_000);
			await workbench.screenshot(`palette-12-${title.split(' ')[0]}`);
			await action.click();
			await chat.answers.filter({ hasText: `Done: ${title}` }).waitFor();
			await chat.rested();
			const told = toldIn(scripted.requests()[0]);
			assert.ok(told.includes(prompt), told);
			assert.match(told, /<selection path=\\"package.json\\" lines=/);
			assert.match(told, /<problems[^>]*>\\n[^<]*[Ee]nd of file/);
		}
		await page.keyboard.press('Control+Z');
		await page.getByRole('treeitem', { name: 'money.ts' }).dblclick();
		await page.locator('.editor-instance .view-line', { hasText: 'Cents = number' }).click();
	});

	it('tells the model what the user looks at, and keeps it back when told to', async () => {
		const chip = chat.view.getByRole('button', { name: /^Tell the model that you look at src\/money\.ts/ });
		await scripted.begin('What is this?', [{ text: 'Seen.' }]);
		await chat.rested();
		await chip.waitFor();
		await workbench.screenshot('palette-7-active-file');
		assert.match(toldIn(scripted.requests()[0]), /open in the editor: src\/money\.ts/);
		await chip.click();
		await chat.view.locator('.chip-toggle[aria-pressed="false"]').waitFor();
		await workbench.screenshot('palette-8-active-file-kept');
		await scripted.begin('And now?', [{ text: 'Not seen.' }]);
		await chat.rested();
		assert.doesNotMatch(toldIn(scripted.requests()[0]), /open in the editor/);
	});

	it('stops the turn', async () => {
		await scripted.begin('Wait', [{ chunks: ['Waiting'], then: 'stall' }]);
		await chat.answers.filter({ hasText: 'Waiting' }).waitFor();
		await workbench.runCommand('Prowess: Stop');
		await chat.rested();
		await scripted.model.closed(scripted.model.requests.length);
	});

	it('shows the ledger, the doctor’s report and the logs', async () => {
		await workbench.runCommand('Prowess: Show Ledger');
		const ledger = pageFrameIn(workbench.page);
		await ledger.getByRole('heading', { name: 'Ledger' }).waitFor();
		await ledger.getByText('Verified: no row was changed or removed.').waitFor();
		await workbench.screenshot('palette-7-ledger');
		await workbench.runCommand('Prowess: Doctor');
		const report = workbench.page
			.locator('iframe.webview.ready[src*="extensionId=vscode.markdown-language-features"]')
			.contentFrame()
			.locator('#active-frame');
		await report.contentFrame().getByRole('heading', { name: 'Prowess Doctor' }).waitFor();
		await report.contentFrame().getByText('All checks passed.').waitFor();
		await workbench.screenshot('palette-8-doctor');
		await workbench.runCommand('Prowess: Show Logs');
		const output = workbench.page.getByRole('combobox', { name: 'Output' });
		await output.locator('option:checked', { hasText: 'Prowess' }).waitFor({ state: 'attached' });
		await workbench.screenshot('palette-9-logs');
	});

	it('shows how the last turn went', async () => {
		await scripted.begin('Look at the cart', [
			{ toolCalls: [{ name: 'fs_read', input: { path: 'src/cart.ts' } }] },
			{ text: 'Looked.' },
		]);
		await chat.answers.filter({ hasText: 'Looked.' }).waitFor();
		await chat.rested();
		await workbench.runCommand('Prowess: Show Trace of the Last Turn');
		const trace = pageFrameIn(workbench.page);
		await trace.getByRole('button', { name: 'Find the model' }).waitFor();
		await trace.getByRole('button', { name: 'Read src/cart.ts' }).press('Enter');
		await trace.getByRole('button', { name: 'Show in Ledger' }).waitFor();
		assert.equal(await trace.getByRole('button', { name: /^Request to / }).count(), 2);
		await workbench.screenshot('palette-11-trace');

		scripted.follow([{ error: 401, message: 'no such key' }]);
		await chat.ask('And now?');
		await trace.getByText('PROVIDER_AUTH').first().waitFor();
		await workbench.screenshot('palette-12-trace-failed');
		await trace.getByRole('combobox', { name: 'Turn' }).selectOption({ index: 1 });
		await trace.getByRole('button', { name: 'Read src/cart.ts' }).waitFor();
		await chat.view.getByRole('button', { name: 'Trace' }).last().click();
		await trace.getByText('PROVIDER_AUTH').first().waitFor();
	});

	it('stores a secret and forgets it', async () => {
		const said = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
		await workbench.runCommand('Prowess: Store a Secret');
		const input = await titled('Store a Secret');
		await answer(input, 'not a name');
		await input.getByText('Use letters, digits').waitFor();
		await answer(input, 'github');
		await input.getByText('Value of github').waitFor();
		assert.equal(await input.locator('input').getAttribute('type'), 'password');
		await answer(input, 'a-value-of-github');
		await said('Stored the secret github.').waitFor();
		await workbench.screenshot('palette-10-secret');

		await workbench.runCommand('Prowess: Forget a Secret');
		await choose('Forget a Secret', 'github');
		await said('Removed the secret github.').waitFor();
		await workbench.runCommand('Prowess: Forget a Secret');
		await said('No secrets are stored.').waitFor();
	});

	/** The input or list of VS Code with this title. */
	async function titled(title: string): Promise<Locator> {
		const widget = workbench.page
			.locator('.quick-input-widget')
			.filter({ has: workbench.page.locator('.quick-input-title', { hasText: title }) });
		await widget.waitFor();
		return widget;
	}

	async function choose(title: string, item: string): Promise<void> {
		const list = await titled(title);
		await list.locator('.monaco-list-row', { hasText: item }).first().waitFor();
		// A list that has just come moves: where the item was, another one may be by the time of a click. So it is chosen by keys.
		const input = list.locator('input[type="text"]');
		await input.fill(item);
		await list.locator('.monaco-list-row').filter({ hasNotText: item }).first().waitFor({ state: 'detached' });
		await list.locator('.monaco-list-row.focused', { hasText: item }).waitFor();
		await input.press('Enter');
	}

	async function answer(widget: Locator, text: string): Promise<void> {
		await widget.locator('input').fill(text);
		await widget.locator('input').press('Enter');
	}
});
