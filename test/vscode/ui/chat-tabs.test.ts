import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import { storedInBrowser } from '../harness/stored-in-browser.ts';
import { pageFrameIn } from '../harness/workbench.ts';

describe('The chat in tabs of the editor', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let sideBar: Chat;
	let tab: Chat;
	before(async () => {
		scripted = await openScriptedChat({ settings: { 'prowess.chat.titles': 'model' } });
		const { workbench } = scripted;
		sideBar = scripted.chat;
		tab = chatIn({ ...workbench, webview: () => pageFrameIn(workbench.page) });
	});
	after(() => scripted?.close());

	it('shows the thread of the side bar, which goes on in both', async () => {
		await sideBar.focus();
		await scripted.begin('What is in the side bar?', [
			{ text: 'The first thread.' },
			{ text: '"Look at the side bar."' },
			{ text: 'The same thread.' },
		]);
		await sideBar.rested();
		await sideBar.view.getByRole('button', { name: 'Look at the side bar', exact: true }).waitFor();
		await scripted.workbench.runCommand('Prowess: Open Chat in Editor');
		await tab.answers.filter({ hasText: 'The first thread.' }).waitFor();
		await editorTab('Look at the side bar').waitFor();
		await tab.ask('And in the tab?');
		await tab.answers.filter({ hasText: 'The same thread.' }).waitFor();
		await sideBar.answers.filter({ hasText: 'The same thread.' }).waitFor();
	});

	it('has a thread of its own in each tab, answers approvals there, and shares what is typed', async () => {
		const { workbench } = scripted;
		scripted.follow([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'in a tab\n' } }] },
			{ text: 'It is written.' },
			{ text: 'A file made in a tab' },
		]);
		await workbench.runCommand('Prowess: New Thread in Editor');
		await tab.view.locator('.empty-state').waitFor();
		await tab.ask('Write a file');
		await tab.press('Write made.txt', '1');
		await tab.answers.filter({ hasText: 'It is written.' }).waitFor();
		await tab.rested();
		await workbench.screenshot('chat-tabs-1-two');
		await sideBar.answers.filter({ hasText: 'The same thread.' }).waitFor();
		await tab.input.fill('typed in the tab');
		await editorTab('Look at the side bar').click();
		await tab.answers.filter({ hasText: 'The first thread.' }).waitFor();
		await editorTab('A file made in a tab').click();
		await draft('typed in the tab');
	});

	it('has its tabs again after a reload, each with its thread and its draft', async () => {
		const { workbench } = scripted;
		// A window that ends sooner has the tabs that it had some seconds before.
		await storedInBrowser(workbench.page, 'A file made in a tab');
		await workbench.reload();
		// Chosen, because VS Code keeps which tab is in front a moment after that changed: either may be.
		await editorTab('A file made in a tab').click();
		await tab.answers.filter({ hasText: 'It is written.' }).waitFor();
		await draft('typed in the tab');
		await editorTab('Look at the side bar').click();
		await tab.answers.filter({ hasText: 'The same thread.' }).waitFor();
		await workbench.screenshot('chat-tabs-2-reloaded');
	});

	const draft = (text: string) => waitFor('the draft of the tab', async () => (await tab.input.inputValue()) === text);
	const editorTab = (title: string) =>
		scripted.workbench.page.locator('.editor-group-container .tabs-container .tab', { hasText: title.slice(0, 12) });
});
